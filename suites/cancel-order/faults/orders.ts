import {
  type Context,
  emptyAnswer,
  type Fault,
  type Members,
  type Order,
  Refusal,
} from '../../../support/reference/authoring.ts'
import { muchLater, simultaneously } from '../../fault-timing.ts'

const pending = ({ domain }: Context, but: Order): readonly Order[] =>
  [...domain.orders.values()].filter(order => order !== but && order.state === 'pending')

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const alterations: readonly (readonly [
  id: string,
  what: string,
  change: (order: Order) => Partial<Order>,
])[] = [
  ['date', 'its shipDate is another one', () => ({ shipDate: new Date(0) })],
  ['complete', 'its complete is inverted', ({ complete }) => ({ complete: !complete })],
  ['quantity', 'its quantity is 0', () => ({ quantity: 0n })],
  ['pet', 'its petId is another one', ({ petId }) => ({ petId: petId + 1n })],
]

const cancelledMembers: readonly (readonly [
  id: string,
  rule: string,
  title: string,
  change: (members: Members) => Members,
])[] = [
  ['date-null', 'order-ship-date', 'with null as shipDate', members => ({ ...members, shipDate: 'null' })],
  ['date-empty', 'order-ship-date', 'with an empty shipDate', members => ({ ...members, shipDate: '""' })],
  [
    'complete-null',
    'order-complete-boolean',
    'with null as complete',
    members => ({ ...members, complete: 'null' }),
  ],
  [
    'quantity-null',
    'order-quantity-integer',
    'with null as quantity',
    members => ({ ...members, quantity: 'null' }),
  ],
  ['id-string', 'order-id-int64', 'with a string as id', members => ({ ...members, id: `"${members.id}"` })],
]

/** Wrong state changes of orders, and wrong responses to them. */
export const faults: readonly Fault[] = [
  ...cancelledMembers.map(
    ([id, rule, title, change]): Fault => ({
      id: `cancelled-order-${id}`,
      title: `A cancelled order is listed ${title}`,
      breaks: [rule],
      override: base => {
        const cancelled = new WeakSet<Order>()
        return {
          applyCancel: (order, ctx) => {
            cancelled.add(order)
            return base.applyCancel(order, ctx)
          },
          orderMembers: (order, ctx) => {
            const members = base.orderMembers(order, ctx)
            return cancelled.has(order) ? change(members) : members
          },
        }
      },
    }),
  ),
  ...[200, 202, 205].map(
    (status): Fault => ({
      id: `cancel-${status}`,
      title: `A cancellation answers ${status}`,
      breaks: ['cancel-pending-204'],
      override: base => ({
        answerCancel: (met, ctx) => (met === 'pending' ? emptyAnswer(status) : base.answerCancel(met, ctx)),
      }),
    }),
  ),
  {
    id: 'cancel-never',
    title: 'A pending order is refused as if it had shipped',
    breaks: ['cancel-pending-204'],
    outOfReachWhenNamed: 'A named order may have been cancelled or shipped since, so a 409 proves nothing.',
    override: base => ({
      judgeCancel: (order, ctx) => (base.judgeCancel(order, ctx) === 'pending' ? 'shipped' : order.state),
    }),
  },
  {
    id: 'cancel-no-effect',
    title: 'A cancellation is answered 204 but has no effect',
    breaks: ['cancel-twice-refused'],
    override: () => ({ applyCancel: () => {} }),
  },
  {
    id: 'cancel-twice-204',
    title: 'A second cancellation is answered 204',
    breaks: ['cancel-twice-refused'],
    override: base => ({
      answerCancel: (met, ctx) => base.answerCancel(met === 'cancelled' ? 'pending' : met, ctx),
    }),
  },
  {
    id: 'cancel-twice-200',
    title: 'A second cancellation is answered 200',
    breaks: ['cancel-twice-refused'],
    override: base => ({
      answerCancel: (met, ctx) => (met === 'cancelled' ? emptyAnswer(200) : base.answerCancel(met, ctx)),
    }),
  },
  {
    id: 'cancel-twice-500',
    title: 'A second cancellation is answered 500, because the order was removed',
    breaks: ['cancel-twice-refused'],
    override: base => ({
      answerCancel: (met, ctx) => {
        if (met === 'cancelled') throw new TypeError('the order is undefined')
        return base.answerCancel(met, ctx)
      },
    }),
  },
  {
    id: 'cancel-twice-401',
    title: 'A second cancellation is answered 401',
    breaks: ['cancel-twice-refused'],
    override: base => ({
      answerCancel: (met, ctx) => {
        const { refuse } = ctx.decide
        if (met !== 'cancelled') return base.answerCancel(met, ctx)
        return refuse(new Refusal({ status: 401, code: 'no', message: 'The order is not accessible.' }), ctx)
      },
    }),
  },
  {
    id: 'cancel-second-time-reopens',
    title: 'The second cancellation makes the order pending again',
    breaks: ['cancel-race-once', 'cancel-twice-refused-after-anything'],
    override: base => ({
      answerCancel: (met, ctx) => {
        if (met === 'cancelled' && ctx.found.order) ctx.found.order.state = 'pending'
        return base.answerCancel(met, ctx)
      },
    }),
  },
  {
    id: 'cancel-reverts-later',
    title: 'A cancelled order is pending again late in the run',
    breaks: ['cancel-stays-cancelled'],
    outOfReachWhenNamed: 'the fault begins when many orders are arranged',
    override: base => {
      const later = muchLater(base)
      return {
        ...later.override,
        applyCancel: (order, ctx) => {
          later.delay(() => {
            order.state = 'pending'
          })
          return base.applyCancel(order, ctx)
        },
      }
    },
  },
  {
    id: 'cancel-next-too',
    title: 'A cancellation also cancels the next pending order',
    breaks: ['cancel-only-that-order'],
    override: base => ({
      applyCancel: async (order, ctx) => {
        await base.applyCancel(order, ctx)
        const above = pending(ctx, order).filter(({ id }) => id > order.id)
        const next = above.sort((a, b) => (a.id < b.id ? -1 : 1))[0]
        if (next) await base.applyCancel(next, ctx)
      },
    }),
  },
  {
    id: 'cancel-all',
    title: 'A cancellation cancels every pending order: the condition is missing',
    breaks: ['cancel-only-that-order'],
    override: base => ({
      applyCancel: async (order, ctx) => {
        for (const each of [order, ...pending(ctx, order)]) await base.applyCancel(each, ctx)
      },
    }),
  },
  {
    id: 'cancel-same-pet',
    title:
      'A cancellation cancels every pending order with the same quantity: the condition uses the wrong column',
    breaks: ['cancel-only-that-order'],
    override: base => ({
      applyCancel: async (order, ctx) => {
        const alike = pending(ctx, order).filter(({ quantity }) => quantity === order.quantity)
        for (const each of [order, ...alike]) await base.applyCancel(each, ctx)
      },
    }),
  },
  {
    id: 'cancel-race',
    title: 'The state is read, and written a moment later, without a lock',
    breaks: ['cancel-race-once'],
    override: () => ({ pause: ({ operation }) => (operation === 'cancelOrder' ? pause(5) : undefined) }),
  },
  {
    id: 'cancel-different-lost',
    title: 'Of simultaneous cancellations of different orders, only the first is made',
    breaks: ['cancel-pending-204-beside-anything'],
    outOfReachWhenNamed: 'named orders are too few',
    override: base => {
      const atOnce = simultaneously(base)
      return {
        ...atOnce.override,
        applyCancel: (order, ctx) => (atOnce.isLater(ctx) ? undefined : base.applyCancel(order, ctx)),
      }
    },
  },
  {
    id: 'cancel-different-409',
    title: 'Of simultaneous cancellations of different orders, only the first is not answered 409',
    breaks: ['cancel-pending-204-beside-anything'],
    outOfReachWhenNamed: 'named orders are too few',
    override: base => {
      const atOnce = simultaneously(base)
      return {
        ...atOnce.override,
        judgeCancel: (order, ctx) => {
          const state = base.judgeCancel(order, ctx)
          return state === 'pending' && atOnce.isLater(ctx) ? 'shipped' : state
        },
      }
    },
  },
  {
    id: 'cancel-race-500',
    title: 'Of two simultaneous cancellations, the second is answered 500',
    breaks: ['cancel-race-once'],
    override: base => {
      const busy = new Set<Order>()
      return {
        judgeCancel: (order, ctx) => {
          if (busy.has(order)) throw new Error('could not serialise access')
          if (order.state === 'pending') busy.add(order)
          return base.judgeCancel(order, ctx)
        },
        pause: ({ found }) => (found.order?.state === 'pending' ? pause(5) : undefined),
        applyCancel: (order, ctx) => {
          busy.delete(order)
          return base.applyCancel(order, ctx)
        },
      }
    },
  },
  ...[204, 200, 404, 400, 422, 403].map(
    (status): Fault => ({
      id: `shipped-${status}`,
      title: `Cancelling a shipped order is answered ${status}, without an effect`,
      breaks: ['cancel-shipped-409'],
      override: base => ({
        answerCancel: (met, ctx) => (met === 'shipped' ? emptyAnswer(status) : base.answerCancel(met, ctx)),
      }),
    }),
  ),
  {
    id: 'shipped-cancelled',
    title: 'A shipped order is cancelled',
    breaks: ['cancel-shipped-409'],
    override: base => ({
      judgeCancel: (order, ctx) => {
        const state = base.judgeCancel(order, ctx)
        return state === 'shipped' ? 'pending' : state
      },
    }),
  },
  {
    id: 'shipped-409-then-404',
    title: 'The second cancellation of a shipped order is answered 404',
    breaks: ['cancel-shipped-409-after-anything'],
    override: base => {
      const asked = new Set<Order>()
      return {
        answerCancel: (met, ctx) => {
          const { order } = ctx.found
          if (met !== 'shipped' || !order || !asked.has(order)) {
            if (met === 'shipped' && order) setTimeout(() => asked.add(order), 1)
            return base.answerCancel(met, ctx)
          }
          return base.answerCancel('unknown', ctx)
        },
        finish: async (answer, ctx) => {
          if (answer.status === 409) await pause(3)
          return base.finish(answer, ctx)
        },
      }
    },
  },
  {
    id: 'shipped-reverses',
    title: 'A shipped order is pending after its refused cancellation',
    breaks: ['cancel-shipped-409-after-anything'],
    override: base => ({
      answerCancel: (met, ctx) => {
        if (met === 'shipped' && ctx.found.order) ctx.found.order.state = 'pending'
        return base.answerCancel(met, ctx)
      },
    }),
  },
  {
    id: 'shipped-race-204',
    title: 'Of two simultaneous cancellations of a shipped order, the second succeeds',
    breaks: ['cancel-shipped-409-beside-anything'],
    override: base => {
      const busy = new Set<Order>()
      return {
        judgeCancel: (order, ctx) => {
          if (busy.has(order)) return 'pending'
          if (order.state === 'shipped') busy.add(order)
          return base.judgeCancel(order, ctx)
        },
        pause: ({ found }) => (found.order?.state === 'shipped' ? pause(3) : undefined),
        applyCancel: (order, ctx) => (order.state === 'shipped' ? undefined : base.applyCancel(order, ctx)),
        finish: async (answer, ctx) => {
          if (ctx.found.order) busy.delete(ctx.found.order)
          return base.finish(answer, ctx)
        },
      }
    },
  },
  ...alterations.map(
    ([id, what, change]): Fault => ({
      id: `shipped-altered-${id}`,
      title: `After the refused cancellation of a shipped order, ${what}`,
      breaks: ['list-orders-agrees-after-anything'],
      override: base => ({
        answerCancel: (met, ctx) => {
          const { order } = ctx.found
          if (met === 'shipped' && order) Object.assign(order, change(order))
          return base.answerCancel(met, ctx)
        },
      }),
    }),
  ),
  {
    id: 'shipped-unlisted-afterwards',
    title: 'A shipped order is not listed after its refused cancellation',
    breaks: ['list-orders-agrees-after-anything'],
    override: base => {
      const asked = new Set<Order>()
      return {
        listsOrder: (order, ctx) => !asked.has(order) && base.listsOrder(order, ctx),
        answerCancel: (met, ctx) => {
          if (met === 'shipped' && ctx.found.order) asked.add(ctx.found.order)
          return base.answerCancel(met, ctx)
        },
      }
    },
  },
]
