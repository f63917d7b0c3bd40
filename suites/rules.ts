import { rules as authentication } from './authentication/rules.ts'
import { rules as cancelOrder } from './cancel-order/rules.ts'
import { rules as contexts } from './contexts/rules.ts'
import { rules as everyAnswer } from './every-answer/rules.ts'
import { rules as listInventory } from './list-inventory/rules.ts'
import { rules as listOrders } from './list-orders/rules.ts'
import type { Rule } from './rule.ts'
import { rules as updateInventory } from './update-inventory/rules.ts'

/** The folders of rules. Within an order, a comparison belongs to the first rule that judges it. */
export const folders: Readonly<Record<string, readonly Rule[]>> = {
  authentication,
  'every-answer': everyAnswer,
  'list-orders': listOrders,
  'cancel-order': cancelOrder,
  'list-inventory': listInventory,
  'update-inventory': updateInventory,
  contexts,
}

export const rules: readonly Rule[] = Object.values(folders).flat()
