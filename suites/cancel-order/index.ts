import type { Suite } from '../../support/judge/rule.ts'
import * as exactIds from './exact-ids.ts'
import * as malformed from './malformed.ts'
import * as pending from './pending.ts'
import * as race from './race.ts'
import * as shipped from './shipped.ts'
import * as unknown from './unknown.ts'

export const cancelOrder: Suite = {
  name: 'cancel-order',
  rules: [
    ...pending.rules,
    ...race.rules,
    ...malformed.rules,
    ...shipped.rules,
    ...unknown.rules,
    ...exactIds.rules,
  ],
  observations: [...pending.observations, ...malformed.observations, ...shipped.observations],
}
