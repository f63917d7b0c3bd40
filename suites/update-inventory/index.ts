import type { Suite } from '../../support/judge/rule.ts'
import * as endOfRun from './end-of-run.ts'
import * as entries from './entries.ts'
import * as ids from './ids.ts'
import * as leniency from './leniency.ts'
import * as quantities from './quantities.ts'
import * as race from './race.ts'
import * as refusals from './refusals.ts'
import * as replacing from './replacing.ts'
import * as unknown from './unknown.ts'

export const updateInventory: Suite = {
  name: 'update-inventory',
  rules: [
    ...entries.rules,
    ...replacing.rules,
    ...quantities.rules,
    ...race.rules,
    ...refusals.rules,
    ...unknown.rules,
    ...ids.rules,
    ...leniency.rules,
    ...endOfRun.rules,
  ],
  observations: [...refusals.observations, ...leniency.observations],
}
