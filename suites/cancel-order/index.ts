import type { Suite } from '../../support/judge/rule.ts'
import * as ids from './ids.ts'
import * as pending from './pending.ts'
import * as shipped from './shipped.ts'
import * as unknown from './unknown.ts'

export const cancelOrder: Suite = {
  name: 'cancel-order',
  rules: [...pending.rules, ...ids.rules, ...shipped.rules, ...unknown.rules],
  observations: [...pending.observations, ...ids.observations, ...shipped.observations],
}
