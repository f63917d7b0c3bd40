import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  answersChanged,
  breaking,
  type CancelCase,
  type Context,
  decidedFirst,
  emptyAnswer,
  type Fault,
  messageOf,
  type Order,
  type OrderState,
  type Override,
  resultChanged,
  type Wire,
  withHeader,
} from '../../../support/reference/authoring.ts'
import { muchLater, OUT_OF_REACH_LATER, OUT_OF_REACH_STALE, simultaneously } from '../../fault-timing.ts'

/** Answers cancellations in one case in another way. */
const answering = (met: CancelCase, answer: (ctx: Context) => Answer): Override =>
  decidedFirst('answerCancel', (each, ctx) => (each === met ? answer(ctx) : undefined))

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
  (which: (others: readonly Order[], order: Order) => readonly Order[]): Override =>
  base => ({
    applyCancel: async (order, ctx) => {
      const others = [...ctx.domain.orders.values()].filter(
        each => each !== order && each.state === 'pending',
      )
      await base.applyCancel(order, ctx)
      for (const each of which(others, order)) await base.applyCancel(each, ctx)
    },
  })

/** Changes the bytes that are sent for a 204. */
const delivered =
  (deliver: (answer: Answer, wire: Wire) => void): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      answer.status === 204 ? deliver(answer, wire) : base.deliver(answer, wire, ctx),
  })

/** Wrong state changes of orders, and wrong responses to them. */
export const faults: readonly Fault[] = [
  ...breaking('cancel-shipped-unchanged', {
    'shipped-refused-and-removed': [
      'A cancellation of a shipped order is answered 409, and removes the order',
      changing('shipped', ({ id }, { domain }) => void domain.orders.delete(id)),
    ],
  }),
  ...breaking('cancel-pending-204', {
    'cancel-200': ['A cancellation answers 200', answering('pending', () => emptyAnswer(200))],
    'cancel-never': [
      'A pending order is refused as if it had shipped',
      taking('pending', 'shipped'),
      OUT_OF_REACH_STALE,
    ],
  }),
  ...breaking('cancel-204-no-body', {
    '204-announces-body': [
      'A 204 has a Content-Length above 0',
      delivered((_, wire) =>
        wire.raw('HTTP/1.1 204 No Content\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnull', 'close'),
      ),
    ],
    '204-with-null': [
      'A 204 is followed by null',
      delivered((answer, wire) => wire.raw(Buffer.concat([messageOf(answer), Buffer.from('null')]), 'keep')),
    ],
  }),
  ...breaking('cancel-no-transfer-encoding', {
    'cancel-chunked-204': [
      'A cancellation is answered 204 with Transfer-Encoding: chunked, and without chunks',
      delivered((answer, wire) =>
        wire.raw(messageOf(withHeader(answer, 'Transfer-Encoding', 'chunked')), 'keep'),
      ),
    ],
  }),
  ...breaking('cancel-twice-refused', {
    'cancel-no-effect': [
      'A cancellation is answered 204 but has no effect',
      () => ({ applyCancel: () => {} }),
    ],
    'cancel-twice-204': [
      'A second cancellation is answered 204',
      answering('cancelled', () => emptyAnswer(204)),
    ],
  }),
  ...breaking('at-the-end/cancelOrder', {
    'cancel-reverts-later': [
      'A cancelled order is pending again late in the run',
      muchLater((base, delay) => ({
        applyCancel: (order, ctx) => {
          delay(() => {
            order.state = 'pending'
          })
          return base.applyCancel(order, ctx)
        },
      })),
      OUT_OF_REACH_LATER,
    ],
  }),
  ...breaking('cancel-404-content-type', {
    'cancel-again-404-empty': [
      'The second cancellation is answered 404 without an Error',
      answering('cancelled', () => emptyAnswer(404)),
    ],
  }),
  ...breaking('cancel-only-that-order', {
    'cancel-all': [
      'A cancellation cancels every pending order: the condition is missing',
      alsoCancelling(others => others),
      OUT_OF_REACH_STALE,
    ],
  }),
  ...breaking('cancel-exact-id', {
    'cancel-equal-low-bits': [
      'A cancellation also cancels orders whose ids have the same last 32 bits',
      alsoCancelling((others, { id }) =>
        others.filter(each => BigInt.asUintN(32, each.id) === BigInt.asUintN(32, id)),
      ),
      { outOfReachWhenNamed: 'named ids cannot be chosen' },
    ],
    'cancel-by-pattern': [
      'A cancellation also cancels orders whose ids begin with its id',
      alsoCancelling((others, { id }) => others.filter(each => String(each.id).startsWith(String(id)))),
      { outOfReachWhenNamed: 'named ids cannot be chosen' },
    ],
  }),
  ...breaking('cancel-race-once', {
    'cancel-race': [
      'The state is read, and written a moment later, without a lock',
      base => ({ applyCancel: (order, ctx) => sleep(5).then(() => base.applyCancel(order, ctx)) }),
    ],
  }),
  ...breaking('beside-anything/cancelOrder', {
    'cancel-different-lost': [
      'Of simultaneous cancellations of different orders, only the first is made',
      base => {
        const atOnce = simultaneously(base)
        return {
          ...atOnce.override,
          applyCancel: (order, ctx) => (atOnce.isLater(ctx) ? undefined : base.applyCancel(order, ctx)),
        }
      },
      { outOfReachWhenNamed: 'named orders are too few' },
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
  ...breaking('beside-anything/cancelOrder', {
    'shipped-race-204': [
      'Of two simultaneous cancellations of a shipped order, the second succeeds',
      base => {
        const busy = new Set<Order | undefined>()
        return {
          judgeCancel: (order, ctx) => {
            if (busy.has(order)) return 'pending'
            if (order.state === 'shipped') busy.add(order)
            return base.judgeCancel(order, ctx)
          },
          ...answersChanged({ status: 409 }, async (answer, { found }) => {
            await sleep(3)
            busy.delete(found.order)
            return answer
          })(base),
        }
      },
    ],
  }),
  ...breaking('cancel-only-that-order', {
    'cancel-completes-others': [
      'A cancellation marks the other pending orders as complete',
      changing('pending', (_, { domain }) => {
        for (const each of domain.orders.values()) if (each.state === 'pending') each.complete = true
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
  ...breaking('auth-401-no-effect/cancelOrder', {
    'cancel-without-key-changes-order': [
      'A cancellation without a valid key is answered 401, and raises the quantity of the order',
      base => ({
        refuse(refusal, ctx) {
          const id = ctx.operation === 'cancelOrder' ? base.readOrderId(ctx.segment ?? '', ctx) : undefined
          const order = id === undefined ? undefined : base.findOrder(id, ctx)
          if (order?.state === 'pending' && refusal.status === 401) order.quantity += 1n
          return base.refuse(refusal, ctx)
        },
      }),
      { outOfReachWhenNamed: 'named orders are too few to cancel one without a key' },
    ],
  }),
  ...breaking('cancel-shipped-unchanged', {
    'shipped-unlisted-afterwards': [
      'A shipped order is not listed after its refused cancellation',
      base => {
        const asked = new Set<Order>()
        return {
          ...changing('shipped', order => asked.add(order))(base),
          selectOrders: orders => orders.filter(order => !asked.has(order)),
        }
      },
    ],
  }),
]
