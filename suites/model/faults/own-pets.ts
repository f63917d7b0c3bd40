import { setTimeout as sleep } from 'node:timers/promises'
import {
  breaking,
  type Decisions,
  type Fault,
  type Order,
  type OrderState,
  type Override,
  stockKey,
  withStatus,
} from '../../../support/reference/authoring.ts'

/** The pets whose stock was updated. */
function updated(base: Decisions) {
  const pets = new Set<string>()
  const applyQuantity: Decisions['applyQuantity'] = (entry, quantity, ctx) => {
    pets.add(entry.petId)
    return base.applyQuantity(entry, quantity, ctx)
  }
  return { applyQuantity, isFor: ({ petId }: Order) => pets.has(String(petId)) }
}

/** An order for a pet whose stock was updated is treated as if it was in another state. */
const taking =
  (from: OrderState, to: OrderState): Override =>
  base => {
    const { applyQuantity, isFor } = updated(base)
    return {
      applyQuantity,
      judgeCancel(order, ctx) {
        const state = base.judgeCancel(order, ctx)
        return state === from && isFor(order) ? to : state
      },
    }
  }

/** Each shows only where an order is for a pet whose stock the run changes. */
export const faults: readonly Fault[] = Object.entries({
  'cancel-pending-204-any-data': {
    'own-pet-cancel-409': [
      'A pending order is taken for shipped once the stock of its pet was updated',
      taking('pending', 'shipped'),
    ],
    'own-pet-rarely-ordered-cancel-409': [
      'The same where only some of many orders are for pets of the run',
      base => ({
        ...taking('pending', 'shipped')(base),
        petToOrder: (n, domain) => (n < 100 ? 2000n : base.petToOrder(n, domain)),
      }),
    ],
  },
  'cancel-twice-refused-any-data': {
    'own-pet-cancel-again-204': [
      'A cancelled order is cancelled again once the stock of its pet was updated',
      taking('cancelled', 'pending'),
    ],
  },
  'cancel-shipped-409-any-data': {
    'own-pet-shipped-204': [
      'A shipped order is cancelled once the stock of its pet was updated',
      taking('shipped', 'pending'),
    ],
  },
  'update-200-any-data': {
    'own-pet-update-500': [
      'An update of a pet with a pending order is answered 500',
      base => ({
        async finish(answer, ctx) {
          const finished = await base.finish(answer, ctx)
          const pet = ctx.operation === 'updateInventory' ? ctx.found.entry?.petId : undefined
          const isOrdered = [...ctx.domain.orders.values()].some(
            ({ petId, state }) => state === 'pending' && String(petId) === pet,
          )
          return isOrdered && finished.status === 200 ? withStatus(finished, 500) : finished
        },
      }),
    ],
  },
  'list-orders-agrees-any-data': {
    'own-pet-orders-shrink': [
      'An update also lowers the quantity of the orders for its pet',
      base => ({
        applyQuantity(entry, quantity, ctx) {
          for (const order of ctx.domain.orders.values())
            if (String(order.petId) === entry.petId && order.quantity > quantity) order.quantity = quantity
          return base.applyQuantity(entry, quantity, ctx)
        },
      }),
    ],
  },
  'list-inventory-agrees-any-data': {
    'own-pet-stock-emptied': [
      'A cancellation sets the stock of its pet to 0',
      base => ({
        async applyCancel(order, ctx) {
          await base.applyCancel(order, ctx)
          for (const entry of ctx.domain.stock.values())
            if (entry.petId === String(order.petId)) entry.quantity = 0n
        },
      }),
    ],
    'own-pet-stock-written-back': [
      'A cancellation reads the stock of its pet, and writes it back a moment later',
      base => ({
        async applyCancel(order, ctx) {
          const entry = ctx.domain.stock.get(stockKey(String(order.petId)))
          const { quantity } = entry ?? {}
          await base.applyCancel(order, ctx)
          await sleep(25)
          if (entry && quantity !== undefined) entry.quantity = quantity
        },
      }),
    ],
  },
} satisfies Record<string, Record<string, readonly [string, Override]>>).flatMap(([rule, stores]) =>
  breaking(rule, stores, { outOfReachWhenNamed: 'named orders are for any pets' }),
)
