import type { Suite } from '../../support/judge/rule.ts'
import * as precedence from './precedence.ts'
import * as refusals from './refusals.ts'

export const authentication: Suite = {
  name: 'authentication',
  rules: [...refusals.rules, ...precedence.rules],
  observations: [],
}
