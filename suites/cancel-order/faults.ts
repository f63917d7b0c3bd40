import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  addOrder,
  breaking,
  type CancelCase,
  type Context,
  decidedFirst,
  type Fault,
  messageOf,
  type Order,
  type OrderState,
  type Override,
  resultChanged,
  withBody,
  withHeader,
} from '../../support/reference/index.ts'
import { OUT_OF_REACH_STALE } from '../fault-timing.ts'

/** Changes the id that was read from the path. */
const read = (change: (id: bigint) => bigint): Override =>
  resultChanged('readOrderId', id => (id === undefined ? undefined : change(id)))

/** Reads the path in another way. */
const readAs =
  (change: (text: string, ctx: Context) => string): Override =>
  base => ({ readOrderId: (text, ctx) => base.readOrderId(change(text, ctx), ctx) })

/** Finds an order by an id that is not its own but matches. */
const finding = (matches: (id: bigint, order: bigint) => boolean): Override =>
  resultChanged(
    'findOrder',
    (found, id, { domain }) => found ?? [...domain.orders.values()].find(order => matches(id, order.id)),
  )

/** Finds no order by such ids. */
const missing = (isMissing: (id: bigint) => boolean): Override =>
  resultChanged('findOrder', (order, id) => (isMissing(id) ? undefined : order))

const hasFurtherDigit = (id: bigint, order: bigint): boolean => String(id).length === String(order).length + 1

/** Treats an order as if it was in another state. */
const taking = (from: OrderState, to: OrderState): Override =>
  resultChanged('judgeCancel', state => (state === from ? to : state))

/** Changes the order, or others, before the cancellation is answered as it should be. */
const changing = (met: CancelCase, change: (order: Order, ctx: Context) => void): Override =>
  decidedFirst('answerCancel', (each, ctx) => {
    if (each === met && ctx.found.order) change(ctx.found.order, ctx)
    return undefined
  })

/** Also cancels other pending orders. */
const alsoCancelling =
  (isMet: (other: bigint, id: bigint) => boolean): Override =>
  base => ({
    applyCancel: async (order, ctx) => {
      await base.applyCancel(order, ctx)
      for (const each of ctx.domain.orders.values())
        if (each.state === 'pending' && isMet(each.id, order.id)) await base.applyCancel(each, ctx)
    },
  })

/** Sends these bytes for a 204. */
const sent204 =
  (bytes: (answer: Answer) => Uint8Array): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      answer.status === 204 ? wire.raw(bytes(answer), 'keep') : base.deliver(answer, wire, ctx),
  })

const NOT_CHOSEN = { outOfReachWhenNamed: 'named ids cannot be chosen' }

const low = (id: bigint): bigint => BigInt.asUintN(32, id)

/** Wrong orders for the id in the path, and wrong state changes. */
export const faults: readonly Fault[] = [
  ...breaking('cancel-path-names-order', {
    'query-names-order': [
      'An orderId in the query names the order, instead of the path',
      readAs((text, { url }) => url.searchParams.get('orderId') ?? text),
      { outOfReachWhenNamed: 'a named order may not be lost by a request that names another one' },
    ],
  }),
  ...breaking('cancel-unknown-creates-nothing', {
    'unknown-order-404-and-created': [
      'An order that does not exist is answered 404 but created',
      decidedFirst('answerCancel', (met, { found: { orderId: id }, domain }) => {
        const order = {
          petId: 1n,
          quantity: 1n,
          shipDate: new Date(0),
          complete: false,
          state: 'pending',
        } as const
        if (met === 'unknown' && id !== undefined) addOrder(domain, { ...order, id })
        return undefined
      }),
    ],
  }),
  ...breaking('cancel-exact-id', {
    'path-through-double': ['The orderId is parsed as a double', read(id => BigInt(Number(id))), NOT_CHOSEN],
    'cancel-equal-low-bits': [
      'Orders with the same last 32 bits are cancelled too',
      alsoCancelling((other, id) => low(other) === low(id)),
      NOT_CHOSEN,
    ],
  }),
  ...breaking('cancel-edge-id', {
    'id-zero-missing': ['No order is found by the id 0', missing(id => id === 0n), NOT_CHOSEN],
    'id-negative-missing': ['No order is found by a negative id', missing(id => id < 0n), NOT_CHOSEN],
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
    'path-leading-digits': [
      'Only the leading digits of the orderId count',
      finding((id, order) => hasFurtherDigit(id, order) && id / 10n === order),
    ],
    'path-trailing-digits': [
      'Only the trailing digits of the orderId count',
      finding((id, order) => hasFurtherDigit(id, order) && String(id).endsWith(String(order))),
    ],
  }),
  ...breaking('cancel-nameless-path-cancels-nothing', {
    'path-as-far-as-digits': ['Only the first digits count', readAs(text => /^-?\d+/.exec(text)?.[0] ?? '')],
    'path-wraps-at-64-bits': [
      'An orderId beyond 64 bits wraps',
      readAs(text => (/^\d+$/.test(text) ? String(BigInt.asIntN(64, BigInt(text))) : text)),
    ],
  }),
  ...breaking('cancel-shipped-unchanged', {
    'shipped-refused-and-removed': [
      'A shipped order is removed after the 409',
      changing('shipped', ({ id }, { domain }) => void domain.orders.delete(id)),
    ],
  }),
  ...breaking('cancel-pending-204', {
    'cancel-never': ['A pending order counts as shipped', taking('pending', 'shipped'), OUT_OF_REACH_STALE],
  }),
  ...breaking('cancel-204-no-body', {
    '204-with-null': ['A 204 has a body', sent204(answer => messageOf(withBody(answer, 'null')))],
  }),
  ...breaking('cancel-no-transfer-encoding', {
    'cancel-chunked-204': [
      'A 204 has Transfer-Encoding: chunked, and no chunks',
      sent204(answer => messageOf(withHeader(answer, 'Transfer-Encoding', 'chunked'))),
    ],
  }),
  ...breaking('cancel-only-that-order', {
    'cancel-all': ['Every pending order is cancelled', alsoCancelling(() => true), OUT_OF_REACH_STALE],
    'cancel-completes-others': [
      'A cancellation marks the other pending orders as complete',
      changing('pending', (_, { domain }) => {
        for (const each of domain.orders.values()) if (each.state === 'pending') each.complete = true
      }),
    ],
  }),
  ...breaking('cancel-race-once', {
    'cancel-race': [
      'The state is read, and written a moment later, without a lock',
      base => ({ applyCancel: (order, ctx) => sleep(5).then(() => base.applyCancel(order, ctx)) }),
    ],
  }),
  ...breaking('cancel-shipped-409', {
    'shipped-cancelled': ['A shipped order is cancelled', taking('shipped', 'pending')],
  }),
  ...breaking(['after-anything/cancelOrder', 'any-form/cancelOrder'], {
    'shipped-reverses': [
      'A shipped order is pending after its refused cancellation',
      changing('shipped', order => {
        order.state = 'pending'
      }),
    ],
  }),
  ...breaking('cancel-changes-no-other-stock', {
    'cancel-restocks-every-pet': [
      'A cancellation returns the units of the order to every pet',
      changing('pending', ({ quantity }, { domain }) => {
        for (const each of domain.stock.values()) each.quantity += quantity
      }),
    ],
  }),
]
