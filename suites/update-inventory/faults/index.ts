import type { Fault } from '../../../support/reference/authoring.ts'
import * as answers from './answers.ts'
import * as bodies from './bodies.ts'
import * as quantities from './quantities.ts'
import * as stock from './stock.ts'
import * as unknown from './unknown.ts'

export const faults: readonly Fault[] = [
  ...answers.faults,
  ...stock.faults,
  ...quantities.faults,
  ...bodies.faults,
  ...unknown.faults,
]
