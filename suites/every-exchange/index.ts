import type { Suite } from '../../support/judge/rule.ts'
import * as connections from './connections.ts'
import * as robustness from './robustness.ts'

export const everyExchange: Suite = {
  name: 'every-exchange',
  rules: [...connections.rules, ...robustness.rules],
  observations: robustness.observations,
}
