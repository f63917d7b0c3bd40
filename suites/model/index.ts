import type { Suite } from '../../support/judge/rule.ts'
import * as clients from './clients.ts'
import * as codings from './codings.ts'
import * as ordinaryClients from './ordinary-clients.ts'
import * as pairs from './rules.ts'

export const model: Suite = {
  name: 'model',
  rules: [...pairs.rules, ...clients.rules, ...codings.rules, ...ordinaryClients.rules],
  observations: [],
}
