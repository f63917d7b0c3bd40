import type { OperationId } from '../../../support/interface/operations.ts'

/** One answer of a store, as a fault recognises it. */
export interface Step {
  readonly rule: string
  readonly title: string
  readonly operation: OperationId
  readonly target: 'nothing' | 'pending' | 'cancelled' | 'shipped' | 'no order' | 'pet' | 'no pet'
  readonly answer: string
}

const step = (
  rule: string,
  title: string,
  operation: OperationId,
  target: Step['target'],
  answer: string,
): Step => ({ rule, title, operation, target, answer })

export const cancelPending = step(
  'cancel-pending-204',
  'cancel a pending order',
  'cancelOrder',
  'pending',
  '204',
)
export const cancelUnknown = step(
  'cancel-unknown-404',
  'cancel an order that does not exist',
  'cancelOrder',
  'no order',
  '404',
)
export const updateStock = step('update-200', 'update the stock of a pet', 'updateInventory', 'pet', '200')
export const updateUnknown = step(
  'update-unknown-404',
  'update a pet that does not exist',
  'updateInventory',
  'no pet',
  '404',
)
const orderList = step('list-orders-200', 'list the orders', 'listOrders', 'nothing', '200')
const inventory = step('list-inventory-200', 'list the inventory', 'listInventory', 'nothing', '200')

const refused = ({ title, operation, target }: Step): Step => {
  const slug = operation.replace(/[A-Z]/, each => `-${each.toLowerCase()}`)
  return step(`auth-no-header-${slug}`, `${title} without a valid key`, operation, target, '401')
}

/** The answers that the document determines (§4, §5), in its order. */
export const steps: readonly Step[] = [
  orderList,
  refused(orderList),
  cancelPending,
  step('cancel-twice-refused', 'cancel a cancelled order', 'cancelOrder', 'cancelled', 'refused'),
  step('cancel-shipped-409', 'cancel a shipped order', 'cancelOrder', 'shipped', '409'),
  cancelUnknown,
  refused(cancelPending),
  inventory,
  refused(inventory),
  updateStock,
  step('update-400-string', 'update a pet with an invalid body', 'updateInventory', 'pet', '400'),
  updateUnknown,
  refused(updateStock),
]
