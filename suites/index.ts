import type { Suite } from '../support/judge/rule.ts'
import * as precedence from './authentication/precedence.ts'
import * as refusals from './authentication/refusals.ts'
import * as orderIds from './cancel-order/ids.ts'
import * as pending from './cancel-order/pending.ts'
import * as shipped from './cancel-order/shipped.ts'
import * as connections from './every-exchange/connections.ts'
import * as robustness from './every-exchange/robustness.ts'
import * as unanswered from './every-exchange/unanswered.ts'
import * as inventory from './list-inventory/completeness.ts'
import * as entryFields from './list-inventory/fields.ts'
import * as orders from './list-orders/completeness.ts'
import * as orderFields from './list-orders/fields.ts'
import * as clients from './model/clients.ts'
import { codings, rules as contexts, framings } from './model/rules.ts'
import * as entries from './update-inventory/entries.ts'
import * as petIds from './update-inventory/ids.ts'
import * as quantities from './update-inventory/quantities.ts'
import * as invalid from './update-inventory/refusals.ts'
import * as replacing from './update-inventory/replacing.ts'
import * as writings from './update-inventory/writings.ts'

const suite = (name: string, ...files: readonly Partial<Pick<Suite, 'rules' | 'observations'>>[]): Suite => ({
  name,
  rules: files.flatMap(({ rules = [] }) => rules),
  observations: files.flatMap(({ observations = [] }) => observations),
})

export const authentication = suite('authentication', refusals, precedence)
export const cancelOrder = suite('cancel-order', pending, orderIds, shipped)
export const listOrders = suite('list-orders', orderFields, orders)
export const listInventory = suite('list-inventory', entryFields, inventory)
export const updateInventory = suite(
  'update-inventory',
  entries,
  replacing,
  quantities,
  invalid,
  petIds,
  writings,
)
export const everyExchange = suite('every-exchange', connections, robustness, unanswered)
export const model = suite('model', { rules: contexts }, clients, { rules: codings }, { rules: framings })

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
