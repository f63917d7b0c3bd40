import { setTimeout as sleep } from 'node:timers/promises'
import {
  answersChanged,
  breaking,
  type Fault,
  type Order,
  type OrderState,
  type Override,
  resultChanged,
  stockKey,
  withStatus,
} from '../../../support/reference/authoring.ts'

/** An order for a pet whose stock was updated is treated as if it was in another state. */
const taking =
  (from: OrderState, to: OrderState): Override =>
  base => {
    const pets = new Set<string>()
    return {
      applyQuantity: (entry, quantity, ctx) => {
        pets.add(entry.petId)
        return base.applyQuantity(entry, quantity, ctx)
      },
      judgeCancel: (order, ctx) => {
        const state = base.judgeCancel(order, ctx)
        return state === from && pets.has(String(order.petId)) ? to : state
      },
    }
  }

/** A cancellation also adds so many units to the stock of its pet. */
const returning = (units: (order: Order) => bigint): Override =>
  resultChanged('applyCancel', (_, order, { domain }) => {
    const entry = domain.stock.get(stockKey(String(order.petId)))
    if (entry) entry.quantity += units(order)
  })

const stores: readonly (readonly [string, Readonly<Record<string, readonly [string, Override]>>])[] = [
  [
    'any-size/cancelOrder',
    {
      'cancel-500-among-many': [
        'A cancellation is answered 500 while the store has more than 900 orders',
        answersChanged({ operation: 'cancelOrder', status: 204 }, (answer, { domain }) =>
          domain.orders.size > 900 ? withStatus(answer, 500) : answer,
        ),
      ],
    },
  ],
  [
    'any-data',
    {
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
  ],
  [
    'any-data/cancelOrder',
    {
      'own-pet-cancel-again-204': [
        'A cancelled order is cancelled again once the stock of its pet was updated',
        taking('cancelled', 'pending'),
      ],
    },
  ],
  [
    'any-data/cancelOrder',
    {
      'own-pet-shipped-204': [
        'A shipped order is cancelled once the stock of its pet was updated',
        taking('shipped', 'pending'),
      ],
    },
  ],
  [
    'any-data/updateInventory',
    {
      'own-pet-update-500': [
        'An update of a pet with a pending order is answered 500',
        answersChanged({ operation: 'updateInventory', status: 200 }, (answer, { domain, found }) =>
          [...domain.orders.values()].some(
            ({ petId, state }) => state === 'pending' && String(petId) === found.entry?.petId,
          )
            ? withStatus(answer, 500)
            : answer,
        ),
      ],
    },
  ],
  [
    'any-data',
    {
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
  ],
  [
    'any-data',
    {
      'own-pet-stock-emptied': [
        'A cancellation sets the stock of its pet to 0',
        resultChanged('applyCancel', (_, order, { domain }) => {
          const entry = domain.stock.get(stockKey(String(order.petId)))
          if (entry) entry.quantity = 0n
        }),
      ],
      'own-pet-units-return-twice': [
        'A cancellation adds twice the units of the order to the stock of its pet',
        returning(({ quantity }) => 2n * quantity),
      ],
      'own-pet-one-unit-returns': [
        'A cancellation adds one unit to the stock of its pet, however many the order has',
        returning(() => 1n),
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
  ],
  [
    'inventory-available-above-zero',
    {
      'own-pet-stays-sold': [
        'The units of a cancelled order return to the stock, and only an update changes the status',
        base => {
          const labels = new Map<string, string>()
          return {
            ...returning(({ quantity }) => quantity)(base),
            applyQuantity: (entry, quantity, ctx) => {
              labels.set(entry.petId, base.stockStatus({ ...entry, quantity }, ctx))
              return base.applyQuantity(entry, quantity, ctx)
            },
            stockStatus: (entry, ctx) => labels.get(entry.petId) ?? base.stockStatus(entry, ctx),
          }
        },
      ],
    },
  ],
]

/** Each shows only where an order is for a pet whose stock the run changes. */
export const faults: readonly Fault[] = stores.flatMap(([rule, all]) =>
  breaking(rule, all).map(fault => ({ ...fault, outOfReachWhenNamed: 'named orders are for any pets' })),
)
