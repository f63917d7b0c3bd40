import type { Fault } from '../../../support/reference/authoring.ts'
import * as keys from './keys.ts'
import * as refusals from './refusals.ts'

export const faults: readonly Fault[] = [...keys.faults, ...refusals.faults]
