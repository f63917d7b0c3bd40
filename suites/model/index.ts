import type { Suite } from '../../support/judge/rule.ts'
import * as agreement from './agreement.ts'

export const model: Suite = { name: 'model', rules: agreement.rules, observations: [] }
