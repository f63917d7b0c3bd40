import type { Suite } from '../../support/judge/rule.ts'
import * as completeness from './completeness.ts'
import * as fields from './fields.ts'

export const listOrders: Suite = {
  name: 'list-orders',
  rules: [...fields.rules, ...completeness.rules],
  observations: fields.observations,
}
