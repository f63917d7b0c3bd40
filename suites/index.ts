import type { Suite } from '../support/judge/rule.ts'
import { authentication } from './authentication/index.ts'
import { cancelOrder } from './cancel-order/index.ts'
import { everyExchange } from './every-exchange/index.ts'
import { listInventory } from './list-inventory/index.ts'
import { listOrders } from './list-orders/index.ts'
import { model } from './model/index.ts'
import { updateInventory } from './update-inventory/index.ts'

/** Everything that a store must do, in the order in which named orders and pets are dealt out. */
export const suites: readonly Suite[] = [
  cancelOrder,
  authentication,
  listOrders,
  listInventory,
  updateInventory,
  everyExchange,
  model,
]
