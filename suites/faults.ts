import type { Fault } from '../support/reference/authoring.ts'
import * as authentication from './authentication/faults/index.ts'
import * as cancelOrder from './cancel-order/faults/index.ts'
import * as everyExchange from './every-exchange/faults/index.ts'
import * as listInventory from './list-inventory/faults/index.ts'
import * as listOrders from './list-orders/faults/index.ts'
import * as model from './model/faults/index.ts'
import * as updateInventory from './update-inventory/faults/index.ts'

/** Every fault of the reference store. Each violates the interface in one way. */
export const faults: readonly Fault[] = [
  ...authentication.faults,
  ...listOrders.faults,
  ...cancelOrder.faults,
  ...listInventory.faults,
  ...updateInventory.faults,
  ...everyExchange.faults,
  ...model.faults,
]
