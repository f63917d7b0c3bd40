import {
  answersChanged,
  emptyAnswer,
  type Fault,
  Refusal,
  withHeader,
} from '../../../support/reference/authoring.ts'
import { misshapenErrors } from '../../every-exchange/faults/misshapen-errors.ts'

/** Changes the id that was read from the path. */
const read =
  (change: (id: bigint) => bigint): Fault['override'] =>
  base => ({
    readOrderId: (text, ctx) => {
      const id = base.readOrderId(text, ctx)
      return id === undefined ? undefined : change(id)
    },
  })

const unknown =
  (status: number): Fault['override'] =>
  base => ({
    answerCancel: (met, ctx) =>
      met === 'unknown' && ctx.found.orderId !== undefined
        ? emptyAnswer(status)
        : base.answerCancel(met, ctx),
  })

const refusing =
  (narrow: (id: bigint) => boolean): Fault['override'] =>
  base => ({
    findOrder: (id, ctx) => {
      if (narrow(id)) return base.findOrder(id, ctx)
      throw new Refusal({ status: 400, code: 'order_id_invalid', message: 'The id is out of range.' })
    },
  })

/** Finds an order by an id that is not its own but matches. */
const finding =
  (matches: (id: bigint, order: bigint) => boolean): Fault['override'] =>
  base => ({
    findOrder: (id, ctx) =>
      base.findOrder(id, ctx) ?? [...ctx.domain.orders.values()].find(order => matches(id, order.id)),
  })

const hasFurtherDigit = (id: bigint, order: bigint): boolean => String(id).length === String(order).length + 1

/** Ids that equal the id of an order only in part. */
const similar: readonly (readonly [id: string, title: string, override: Fault['override']])[] = [
  ['sign-lost', 'The sign of the orderId is ignored', read(id => (id < 0n ? -id : id))],
  [
    'modulo-2-16',
    'Orders are found by the last 16 bits of the orderId',
    finding((id, order) => BigInt.asUintN(16, id) === BigInt.asUintN(16, order)),
  ],
  ['in-32-bits', 'The orderId is truncated to 32 bits', read(id => BigInt.asIntN(32, id))],
  [
    'modulo-2-31',
    'Orders are found by the last 31 bits of the orderId, as with a mask that removes the sign',
    finding((id, order) => BigInt.asUintN(31, id) === BigInt.asUintN(31, order)),
  ],
  [
    'modulo-2-53',
    'Orders are found by the last 53 bits of the orderId',
    finding((id, order) => BigInt.asUintN(53, id) === BigInt.asUintN(53, order)),
  ],
  [
    'modulo-10-6',
    'Orders are found by the last six digits of the orderId',
    finding((id, order) => id > 10n ** 6n && id % 10n ** 6n === order),
  ],
  [
    'leading-digits',
    'Orders are found by the leading digits of the orderId',
    finding((id, order) => hasFurtherDigit(id, order) && id / 10n === order),
  ],
  [
    'trailing-digits',
    'Orders are found by the trailing digits of the orderId',
    finding((id, order) => hasFurtherDigit(id, order) && String(id).endsWith(String(order))),
  ],
]

const BIG = 'only an order with an id above 2^53 shows it, and the ids of named orders cannot be chosen'

/** Wrong order for the id in the path, or wrong response if no order has that id. */
export const faults: readonly Fault[] = [
  ...[204, 200, 400, 409, 410, 422, 500].map(
    (status): Fault => ({
      id: `unknown-order-${status}`,
      title: `An order that does not exist is answered ${status}`,
      breaks: ['cancel-unknown-404'],
      override: unknown(status),
    }),
  ),
  {
    id: 'unknown-order-zero-400',
    title: 'The orderId 0 is answered 400',
    breaks: ['cancel-unknown-404'],
    override: refusing(id => id !== 0n),
  },
  {
    id: 'unknown-order-negative-400',
    title: 'A negative orderId is answered 400',
    breaks: ['cancel-unknown-404'],
    override: refusing(id => id >= 0n),
  },
  {
    id: 'unknown-order-int32-400',
    title: 'An orderId beyond 32 bits is answered 400',
    breaks: ['cancel-unknown-404'],
    namedBreaks: ['cancel-unknown-404'],
    override: base => ({
      readOrderId: (text, ctx) => {
        const id = base.readOrderId(text, ctx)
        if (id !== undefined && !base.findOrder(id, ctx) && BigInt.asIntN(32, id) !== id)
          throw new Refusal({ status: 400, code: 'order_id_invalid', message: 'The id is out of range.' })
        return id
      },
    }),
  },
  {
    id: 'unknown-order-int32-500',
    title: 'An orderId beyond 32 bits is answered 500, because the column has 32 bits',
    breaks: ['cancel-unknown-404'],
    override: base => ({
      findOrder: (id, ctx) => {
        if (BigInt.asIntN(32, id) !== id) throw new RangeError('value out of range for type integer')
        return base.findOrder(id, ctx)
      },
    }),
  },
  {
    id: 'unknown-order-lowest-500',
    title: 'The lowest int64 as orderId is answered 500, because it has no absolute value',
    breaks: ['cancel-unknown-404'],
    override: base => ({
      findOrder: (id, ctx) => {
        if (id === -(2n ** 63n)) throw new RangeError('overflow')
        return base.findOrder(id, ctx)
      },
    }),
  },
  {
    id: 'unknown-order-created',
    title: 'Orders that do not exist are answered 404 three times, and then 409',
    breaks: ['cancel-unknown-404'],
    override: base => {
      let asked = 0
      return {
        answerCancel: (met, ctx) =>
          met === 'unknown' && ++asked > 3 ? emptyAnswer(409) : base.answerCancel(met, ctx),
      }
    },
  },
  {
    id: 'big-unknown-404-html',
    title: 'An orderId above 2^53 is answered 404 with an HTML page',
    breaks: ['cancel-404-content-type'],
    override: answersChanged({ operation: 'cancelOrder', status: 404 }, (answer, { found }) =>
      found.orderId !== undefined && !Number.isSafeInteger(Number(found.orderId))
        ? withHeader(answer, 'Content-Type', 'text/html')
        : answer,
    ),
  },
  ...misshapenErrors('cancelOrder', 404, 'cancel-404', {
    type: 'cancel-404-content-type',
    body: 'cancel-404-error-body',
  }),
  {
    id: 'path-through-double',
    title: 'The orderId is parsed as a double',
    breaks: ['cancel-exact-id'],
    outOfReachWhenNamed: BIG,
    override: read(id => BigInt(Number(id))),
  },
  {
    id: 'path-through-float32',
    title: 'The orderId is parsed as a 32-bit float',
    breaks: ['cancel-exact-id'],
    outOfReachWhenNamed: BIG,
    override: read(id => (id > 2n ** 24n ? BigInt(Math.fround(Number(id))) : id)),
  },
  ...similar.map(
    ([id, title, override]): Fault => ({
      id: `path-${id}`,
      title,
      breaks: ['cancel-similar-id-404'],
      override,
    }),
  ),
  {
    id: 'path-similar-double',
    title: 'An order is found by an orderId above 2^53 that a double rounds to its own',
    breaks: ['cancel-exact-id'],
    outOfReachWhenNamed: BIG,
    override: finding((id, order) => id > 2n ** 53n && Number(id) === Number(order)),
  },
  {
    id: 'path-last-bit-lost',
    title: 'The last bit of an orderId above 2^53 is ignored',
    breaks: ['cancel-exact-id'],
    outOfReachWhenNamed: BIG,
    override: read(id => (id > 2n ** 53n ? id & ~1n : id)),
  },
  {
    id: 'path-as-far-as-digits',
    title: 'The digits at the beginning of the orderId are read, and the rest is ignored',
    breaks: ['cancel-nameless-path-cancels-nothing'],
    override: base => ({
      readOrderId: (text, ctx) => base.readOrderId(/^-?\d+/.exec(text)?.[0] ?? '', ctx),
    }),
  },
  {
    id: 'path-fraction-cut',
    title: 'A fraction in the orderId is removed',
    breaks: ['cancel-nameless-path-cancels-nothing'],
    override: base => ({ readOrderId: (text, ctx) => base.readOrderId(text.replace(/\.\d+$/, ''), ctx) }),
  },
  {
    id: 'path-wraps-at-64-bits',
    title: 'An orderId beyond 64 bits wraps',
    breaks: ['cancel-nameless-path-cancels-nothing'],
    override: base => ({
      readOrderId: (text, ctx) =>
        /^\d+$/.test(text) ? BigInt.asIntN(64, BigInt(text)) : base.readOrderId(text, ctx),
    }),
  },
  {
    id: 'path-in-sql',
    title: 'The orderId becomes part of an SQL query: "12 or 1" is the order 12',
    breaks: ['cancel-nameless-path-cancels-nothing'],
    override: base => ({ readOrderId: (text, ctx) => base.readOrderId(text.replace(/ or .*/, ''), ctx) }),
  },
  {
    id: 'path-word-204',
    title: 'An orderId that is not a number is answered 204',
    breaks: ['cancel-nameless-path-cancels-nothing'],
    override: base => ({
      answerCancel: (met, ctx) =>
        met === 'unknown' && ctx.found.orderId === undefined ? emptyAnswer(204) : base.answerCancel(met, ctx),
    }),
  },
  {
    id: 'malformed-id-trace',
    title: 'A malformed orderId is answered with a stack trace',
    breaks: ['no-stack-trace-cancel-order'],
    override: base => ({
      errorMembers: (refusal, ctx) => ({
        ...base.errorMembers(refusal, ctx),
        ...(ctx.operation === 'cancelOrder' && ctx.found.orderId === undefined && refusal.status === 404
          ? {
              trace: JSON.stringify(
                'NumberFormatException: abc\n    at java.lang.Long.parseLong(Long.java:589)\n',
              ),
            }
          : {}),
      }),
    }),
  },
]
