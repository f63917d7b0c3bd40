import type { Suite } from '../../support/judge/rule.ts'
import * as completeness from './completeness.ts'
import * as fields from './fields.ts'

export const listInventory: Suite = {
  name: 'list-inventory',
  rules: [...fields.rules, ...completeness.rules],
  observations: fields.observations,
}
