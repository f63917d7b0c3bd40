import type { Fault } from '../../../support/reference/authoring.ts'
import * as keys from './keys.ts'
import * as otherKeys from './other-keys.ts'
import * as refusals from './refusals.ts'

export const faults: readonly Fault[] = [...keys.faults, ...otherKeys.faults, ...refusals.faults]
