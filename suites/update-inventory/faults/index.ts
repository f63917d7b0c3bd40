import type { Fault } from '../../../support/reference/index.ts'
import * as bodies from './bodies.ts'
import * as quantities from './quantities.ts'
import * as stock from './stock.ts'
import * as unknown from './unknown.ts'

export const faults: readonly Fault[] = [
  ...stock.faults,
  ...quantities.faults,
  ...bodies.faults,
  ...unknown.faults,
]
