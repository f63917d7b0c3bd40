import type { ReferenceStore } from '../../reference/index.ts'

/** Makes orders and pets in the store, as settings that name them. */
export function namedIn({ states }: ReferenceStore) {
  const { orderIds: pendingOrders = [] } = states.setup('pending orders', { count: 3 })
  const { orderIds: shippedOrders = [] } = states.setup('shipped orders', { count: 2 })
  const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
  return { pendingOrders, shippedOrders, pets }
}

/** The orders and pets in the store as lines of text, for comparison. */
export const contentOf = ({ domain }: ReferenceStore): string =>
  [...domain.orders.values(), ...domain.stock.values()]
    .map(each => Object.values(each).map(String).join(' '))
    .join('\n')
