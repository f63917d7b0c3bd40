import type { Fault, Order } from '../../../support/reference/authoring.ts'
import * as contexts from './contexts.ts'
import * as unannounced from './unannounced.ts'

/** Each shows only after three steps on one order or pet. */
export const faults: readonly Fault[] = [
  ...contexts.faults,
  ...unannounced.faults,
  {
    id: 'update-back-lost',
    title: 'An update to the quantity before the last one is taken for a repetition and dropped',
    breaks: ['histories-stock-agrees'],
    outOfReachWhenNamed: 'named orders and pets are too few for random histories',
    override: base => {
      const history = new Map<string, bigint[]>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          const past = history.get(entry.petId) ?? []
          history.set(entry.petId, [...past, quantity])
          const [beforeLast, last] = past.slice(-2)
          if (past.length >= 2 && beforeLast === quantity && last !== quantity) return
          return base.applyQuantity(entry, quantity, ctx)
        },
      }
    },
  },
  {
    id: 'cancel-reopens-the-one-before',
    title: 'A cancellation makes the order that was cancelled before on the same connection pending again',
    breaks: ['histories-orders-agree', 'cancel-stays-cancelled'],
    outOfReachWhenNamed: 'named orders and pets are too few for random histories',
    override: base => {
      const last = new WeakMap<object, Order>()
      return {
        applyCancel: (order, ctx) => {
          const before = last.get(ctx.connection)
          if (before) before.state = 'pending'
          last.set(ctx.connection, order)
          return base.applyCancel(order, ctx)
        },
      }
    },
  },
  {
    id: 'third-cancel-succeeds',
    title: 'The third cancellation of an order on a reused connection succeeds again',
    breaks: ['cancel-twice-refused-after-anything'],
    namedBreaks: ['cancel-twice-refused-after-anything', 'cancel-shipped-409-after-anything'],
    override: base => {
      const attempts = new Map<bigint, number>()
      const requests = new WeakMap<object, number>()
      return {
        authenticate: ctx => {
          requests.set(ctx.connection, (requests.get(ctx.connection) ?? 0) + 1)
          return base.authenticate(ctx)
        },
        judgeCancel: (order, ctx) => {
          if ((requests.get(ctx.connection) ?? 0) < 3) return base.judgeCancel(order, ctx)
          const attempt = (attempts.get(order.id) ?? 0) + 1
          attempts.set(order.id, attempt)
          return attempt >= 3 ? 'pending' : base.judgeCancel(order, ctx)
        },
      }
    },
  },
]
