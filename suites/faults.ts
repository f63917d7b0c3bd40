import type { Fault } from '../support/reference/index.ts'
import * as authentication from './authentication/faults.ts'
import * as cancelOrder from './cancel-order/faults.ts'
import * as contexts from './contexts/faults.ts'
import * as everyAnswer from './every-answer/faults.ts'
import * as instances from './instances.ts'
import * as listInventory from './list-inventory/faults.ts'
import * as listOrders from './list-orders/faults.ts'
import * as bodies from './update-inventory/body-faults.ts'
import * as stock from './update-inventory/stock-faults.ts'

/** Every fault of the reference store. Each violates the interface in one way. */
export const faults: readonly Fault[] = [
  instances,
  authentication,
  listOrders,
  cancelOrder,
  listInventory,
  stock,
  bodies,
  everyAnswer,
  contexts,
].flatMap(each => each.faults)
