import type { Suite } from '../../support/judge/rule.ts'
import * as completeness from './completeness.ts'
import * as fields from './fields.ts'
import * as listing from './listing.ts'
import * as status from './status.ts'

export const listInventory: Suite = {
  name: 'list-inventory',
  rules: [...listing.rules, ...fields.rules, ...status.rules, ...completeness.rules],
  observations: fields.observations,
}
