import type { Fault } from '../../../support/reference/authoring.ts'
import * as ids from './ids.ts'
import * as orders from './orders.ts'
import * as wire from './wire.ts'

export const faults: readonly Fault[] = [...orders.faults, ...ids.faults, ...wire.faults]
