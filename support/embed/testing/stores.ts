import { emptyAnswer, type Override, type ReferenceStore } from '../../reference/index.ts'

/** Makes orders and pets in the store, as settings that name them. */
export function namedIn({ states }: ReferenceStore) {
  const { orderIds: pendingOrders = [] } = states.setup('pending orders', { count: 3 })
  const { orderIds: shippedOrders = [] } = states.setup('shipped orders', { count: 2 })
  const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
  return { pendingOrders, shippedOrders, pets }
}

/** A pending order is cancelled with 200. */
export const cancelAnswers200: Override = base => ({
  answerCancel: (met, ctx) => (met === 'pending' ? emptyAnswer(200) : base.answerCancel(met, ctx)),
})
