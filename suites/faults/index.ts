import type { Fault } from '../../support/reference/index.ts'
import * as answers from './answers.ts'
import * as bodies from './bodies.ts'
import * as cancellations from './cancellations.ts'
import * as generated from './generated.ts'
import * as keys from './keys.ts'
import * as updates from './updates.ts'

/** Every fault of the reference store. Each violates the interface in one way. */
export const faults: readonly Fault[] = [answers, keys, cancellations, updates, bodies, generated].flatMap(
  each => each.faults,
)
