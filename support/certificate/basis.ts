import { type Needs, needsOf } from '../access/needs.ts'
import type { Rule } from '../judge/rule.ts'

/**
 * What the outcome of a rule depends on.
 * - `recomputed`: it follows from the recorded exchanges alone.
 * - `told`: it also depends on the states of orders, which no response shows and the vendor claimed (provider states or named ids).
 * - `asserted`: it depends on the API key, which the recording does not have.
 */
export type Basis = 'recomputed' | 'told' | 'asserted'

/** @param asserted ids of the rules that depend on whether a response held the key */
export function basisOf({ id, given }: Pick<Rule, 'id' | 'given'>, asserted: ReadonlySet<string>): Basis {
  if (asserted.has(id)) return 'asserted'
  return isTold(needsOf(given)) ? 'told' : 'recomputed'
}

/** No field of an order says that it is pending (§3). The stock of a pet is in the inventory. */
const isTold = ({ pendingOrders, extraOrders, shippedOrders, arranges, changes }: Needs): boolean =>
  [pendingOrders, extraOrders, shippedOrders, arranges].some(Boolean) || changes?.includes('orders') === true
