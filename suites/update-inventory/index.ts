import type { Suite } from '../../support/judge/rule.ts'
import * as endOfRun from './end-of-run.ts'
import * as entries from './entries.ts'
import * as ids from './ids.ts'
import * as quantities from './quantities.ts'
import * as refusals from './refusals.ts'
import * as replacing from './replacing.ts'
import * as unknown from './unknown.ts'
import * as writings from './writings.ts'

export const updateInventory: Suite = {
  name: 'update-inventory',
  rules: [
    ...entries.rules,
    ...replacing.rules,
    ...quantities.rules,
    ...refusals.rules,
    ...unknown.rules,
    ...ids.rules,
    ...writings.rules,
    ...endOfRun.rules,
  ],
  observations: [...refusals.observations, ...writings.observations],
}
