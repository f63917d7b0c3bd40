import type { Fault } from '../../../support/reference/index.ts'
import * as fields from './fields.ts'
import * as listing from './listing.ts'

export const faults: readonly Fault[] = [...listing.faults, ...fields.faults]
