import type { Fault } from '../support/reference/authoring.ts'
import * as keys from './authentication/faults/keys.ts'
import * as overrides from './authentication/faults/overrides.ts'
import * as refusals from './authentication/faults/refusals.ts'
import * as ids from './cancel-order/faults/ids.ts'
import * as orders from './cancel-order/faults/orders.ts'
import * as contexts from './contexts/faults/index.ts'
import * as connections from './every-answer/faults/connections.ts'
import * as headers from './every-answer/faults/headers.ts'
import * as requests from './every-answer/faults/requests.ts'
import * as unanswered from './every-answer/faults/unanswered.ts'
import * as inventory from './list-inventory/faults/inventory.ts'
import * as orderFields from './list-orders/faults/fields.ts'
import * as orderList from './list-orders/faults/listing.ts'
import * as answers from './update-inventory/faults/answers.ts'
import * as bodies from './update-inventory/faults/bodies.ts'
import * as quantities from './update-inventory/faults/quantities.ts'
import * as stock from './update-inventory/faults/stock.ts'

/** Every fault of the reference store. Each violates the interface in one way. */
export const faults: readonly Fault[] = [
  keys,
  overrides,
  refusals,
  orderList,
  orderFields,
  orders,
  ids,
  inventory,
  answers,
  stock,
  quantities,
  bodies,
  headers,
  connections,
  requests,
  unanswered,
  contexts,
].flatMap(each => each.faults)
