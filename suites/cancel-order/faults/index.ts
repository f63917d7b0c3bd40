import type { Fault } from '../../../support/reference/authoring.ts'
import * as ids from './ids.ts'
import * as orders from './orders.ts'

export const faults: readonly Fault[] = [...orders.faults, ...ids.faults]
