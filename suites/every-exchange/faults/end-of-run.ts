import type { Fault } from '../../../support/reference/index.ts'

/** Numbers of further requests. Other rules look at the order or pet within fewer. */
const LATER = { order: 150, pet: 320 }

/** Changes that are undone much later. */
export const faults: readonly Fault[] = [
  {
    id: 'cancelled-pending-later',
    title: 'A cancelled order is pending again 150 requests later',
    breaks: ['cancelled-stays-cancelled'],
    override: base => {
      let requests = 0
      const cancelled = new Map<bigint, number>()
      return {
        operate: ctx => {
          requests += 1
          return base.operate(ctx)
        },
        applyCancel: (order, ctx) => {
          cancelled.set(order.id, requests)
          return base.applyCancel(order, ctx)
        },
        judgeCancel: (order, ctx) =>
          requests - (cancelled.get(order.id) ?? requests) > LATER.order
            ? 'pending'
            : base.judgeCancel(order, ctx),
      }
    },
  },
  {
    id: 'stock-reset-later',
    title: 'The stock of a pet grows by one 320 requests after its last update',
    breaks: ['stock-stays-set'],
    outOfReachWhenNamed: 'the stock of named pets is restored shortly before the end of the run',
    override: base => {
      let requests = 0
      const updated = new Map<string, { at: number; before: bigint }>()
      return {
        operate: ctx => {
          requests += 1
          return base.operate(ctx)
        },
        applyQuantity: (entry, quantity, ctx) => {
          updated.set(entry.petId, { at: requests, before: quantity + 1n })
          return base.applyQuantity(entry, quantity, ctx)
        },
        selectEntries: (entries, ctx) => {
          for (const entry of entries) {
            const { at, before } = updated.get(entry.petId) ?? { at: requests, before: entry.quantity }
            if (requests - at > LATER.pet) entry.quantity = before
          }
          return base.selectEntries(entries, ctx)
        },
      }
    },
  },
]
