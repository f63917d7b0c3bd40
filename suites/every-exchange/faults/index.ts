import type { Fault } from '../../../support/reference/authoring.ts'
import * as connections from './connections.ts'
import * as headers from './headers.ts'
import * as requests from './requests.ts'

export const faults: readonly Fault[] = [...headers.faults, ...connections.faults, ...requests.faults]
