import {
  breaking,
  type Context,
  decidedFirst,
  emptyAnswer,
  errorsChanged,
  type Fault,
  type Override,
  Refusal,
  resultChanged,
} from '../../../support/reference/authoring.ts'
import { misshapen404 } from '../../every-answer/faults/misshapen.ts'

/** Changes the id that was read from the path. */
const read = (change: (id: bigint) => bigint): Override =>
  resultChanged('readOrderId', id => (id === undefined ? undefined : change(id)))

/** Reads the path in another way. */
const readAs =
  (change: (text: string) => string): Override =>
  base => ({ readOrderId: (text, ctx) => base.readOrderId(change(text), ctx) })

const unknownAnswered = (status: number, isMet: (ctx: Context) => boolean): Override =>
  decidedFirst('answerCancel', (met, ctx) =>
    met === 'unknown' && isMet(ctx) ? emptyAnswer(status) : undefined,
  )

/** Refuses ids of no order. */
const refusing = (isRefused: (id: bigint) => boolean): Override =>
  resultChanged('findOrder', (order, id) => {
    if (!order && isRefused(id)) throw new Refusal(400)
    return order
  })

const isInt32 = (id: bigint): boolean => BigInt.asIntN(32, id) === id

/** Finds an order by an id that is not its own but matches. */
const finding = (matches: (id: bigint, order: bigint) => boolean): Override =>
  resultChanged(
    'findOrder',
    (found, id, { domain }) => found ?? [...domain.orders.values()].find(order => matches(id, order.id)),
  )

const hasFurtherDigit = (id: bigint, order: bigint): boolean => String(id).length === String(order).length + 1

const ABOVE_2_53 = {
  outOfReachWhenNamed: 'only an order with an id above 2^53 shows it, and named ids cannot be chosen',
}

/** Wrong order for the id in the path, or wrong response if no order has that id. */
export const faults: readonly Fault[] = [
  ...breaking('cancel-path-names-order', {
    'query-names-order': [
      'An orderId in the query names the order that is cancelled, instead of the path',
      base => ({
        readOrderId: (text, ctx) => base.readOrderId(ctx.url.searchParams.get('orderId') ?? text, ctx),
      }),
      { outOfReachWhenNamed: 'a named order may not be lost by a request that names another one' },
    ],
  }),
  ...breaking('cancel-unknown-404', {
    'unknown-order-204': [
      'An order that does not exist is answered 204',
      unknownAnswered(204, ({ found }) => found.orderId !== undefined),
    ],
    'unknown-order-of-32-bits-204': [
      'An order with an id of 32 bits that does not exist is answered 204',
      unknownAnswered(204, ({ found: { orderId } }) => orderId !== undefined && isInt32(orderId)),
    ],
    'unknown-order-int32-400': ['An orderId beyond 32 bits is answered 400', refusing(id => !isInt32(id))],
    'unknown-order-lowest-400': [
      'The lowest int64 as orderId is answered 400',
      refusing(id => id === -(2n ** 63n)),
    ],
  }),
  ...misshapen404('cancelOrder', 'cancel-404'),
  ...breaking('cancel-unknown-creates-nothing', {
    'unknown-order-404-and-created': [
      'An order that does not exist is answered 404 but created',
      base => {
        const created = new Set<bigint>()
        return {
          findOrder: (id, ctx) => (created.has(id) ? undefined : base.findOrder(id, ctx)),
          answerCancel: (met, ctx) => {
            const { orderId: id } = ctx.found
            if (met === 'unknown' && id !== undefined) {
              created.add(id)
              const order = { id, petId: 1n, quantity: 1n, shipDate: new Date(0), complete: false }
              ctx.domain.orders.set(id, { ...order, state: 'pending' })
            }
            return base.answerCancel(met, ctx)
          },
        }
      },
    ],
  }),
  ...breaking('cancel-exact-id', {
    'path-through-double': ['The orderId is parsed as a double', read(id => BigInt(Number(id))), ABOVE_2_53],
    'path-similar-double': [
      'An order is found by an orderId above 2^53 that a double rounds to its own',
      finding((id, order) => id > 2n ** 53n && Number(id) === Number(order)),
      ABOVE_2_53,
    ],
    'path-beginning': [
      'An order is found by the beginning of its id above 2^53',
      finding((id, order) => id > 2n ** 49n && String(order).startsWith(String(id))),
      ABOVE_2_53,
    ],
    'path-rounded-newest': [
      'The newest pending order is found whose id is rounded to the same double',
      resultChanged('findOrder', (found, id, { domain }) =>
        id > 2n ** 53n
          ? [...domain.orders.values()].findLast(
              each => each.state === 'pending' && Number(each.id) === Number(id),
            )
          : found,
      ),
      ABOVE_2_53,
    ],
  }),
  ...breaking('cancel-edge-id', {
    'id-zero-missing': [
      'The id 0 is taken for a missing one, also if an order has it',
      resultChanged('findOrder', (order, id) => (id === 0n ? undefined : order)),
      { outOfReachWhenNamed: 'named ids cannot be chosen' },
    ],
    'id-negative-missing': [
      'No order is found by a negative id',
      resultChanged('findOrder', (order, id) => (id < 0n ? undefined : order)),
      { outOfReachWhenNamed: 'named ids cannot be chosen' },
    ],
  }),
  ...breaking('cancel-created-after-404', {
    'unknown-order-remembered': [
      'An id that was answered 404 is answered 404 for ever',
      base => {
        const unknown = new Set<bigint>()
        return {
          findOrder: (id, ctx) => {
            const found = unknown.has(id) ? undefined : base.findOrder(id, ctx)
            if (!found) unknown.add(id)
            return found
          },
        }
      },
      { outOfReachWhenNamed: 'only an order whose id is chosen shows it' },
    ],
  }),
  ...breaking('cancel-similar-id-404', {
    'path-sign-lost': ['The sign of the orderId is ignored', read(id => (id < 0n ? -id : id))],
    'path-in-32-bits': ['The orderId is truncated to 32 bits', read(id => BigInt.asIntN(32, id))],
    'path-modulo-10-6': [
      'Orders are found by the last six digits of the orderId',
      finding((id, order) => id > 10n ** 6n && id % 10n ** 6n === order),
    ],
    'path-leading-digits': [
      'Orders are found by the leading digits of the orderId',
      finding((id, order) => hasFurtherDigit(id, order) && id / 10n === order),
    ],
    'path-trailing-digits': [
      'Orders are found by the trailing digits of the orderId',
      finding((id, order) => hasFurtherDigit(id, order) && String(id).endsWith(String(order))),
    ],
  }),
  ...breaking('cancel-nameless-path-cancels-nothing', {
    'path-as-far-as-digits': [
      'The digits at the beginning of the orderId are read, and the rest is ignored',
      readAs(text => /^-?\d+/.exec(text)?.[0] ?? ''),
    ],
    'path-wraps-at-64-bits': [
      'An orderId beyond 64 bits wraps',
      readAs(text => (/^\d+$/.test(text) ? String(BigInt.asIntN(64, BigInt(text))) : text)),
    ],
    'path-word-204': [
      'An orderId that is not a number is answered 204',
      unknownAnswered(204, ({ found }) => found.orderId === undefined),
    ],
  }),
  ...breaking('no-stack-trace/cancelOrder', {
    'malformed-id-trace': [
      'An unknown or malformed orderId is answered with a stack trace',
      errorsChanged({ operation: 'cancelOrder', status: 404 }, members => ({
        ...members,
        trace: JSON.stringify('NumberFormatException\n    at java.lang.Long.parseLong(Long.java:589)\n'),
      })),
    ],
  }),
]
