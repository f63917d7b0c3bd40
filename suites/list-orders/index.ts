import type { Suite } from '../../support/judge/rule.ts'
import * as completeness from './completeness.ts'
import * as fields from './fields.ts'
import * as listing from './listing.ts'

export const listOrders: Suite = {
  name: 'list-orders',
  rules: [...listing.rules, ...fields.rules, ...completeness.rules],
  observations: fields.observations,
}
