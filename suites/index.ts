import type { Suite } from '../support/judge/rule.ts'
import { authentication } from './authentication/index.ts'
import { cancelOrder } from './cancel-order/index.ts'
import { everyExchange } from './every-exchange/index.ts'
import { listInventory } from './list-inventory/index.ts'
import { listOrders } from './list-orders/index.ts'
import { model } from './model/index.ts'
import { updateInventory } from './update-inventory/index.ts'

/** All suites, in the order in which named orders and pets are assigned to their scenarios. */
export const suites: readonly Suite[] = [
  cancelOrder,
  authentication,
  listOrders,
  listInventory,
  updateInventory,
  everyExchange,
  model,
]
