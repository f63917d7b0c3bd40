import type { Fault } from '../../../support/reference/authoring.ts'
import * as fields from './fields.ts'
import * as listing from './listing.ts'

export const faults: readonly Fault[] = [...listing.faults, ...fields.faults]
