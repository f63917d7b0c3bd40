import { describe, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { expectDetected } from './testing/kills.ts'

/** One fault for each set of rules, and each fault with another result with named ids. The command judges all faults. */
const first = new Map(faults.map(fault => [fault.breaks.join(' '), fault] as const).reverse())
const chosen = faults.filter(
  fault =>
    fault.namedBreaks !== undefined ||
    fault.outOfReachWhenNamed !== undefined ||
    first.get(fault.breaks.join(' ')) === fault,
)

describe('with named orders and pets only, each fault turns exactly its rules red', () => {
  it.each(chosen.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    await expectDetected(fault, 'named')
  })
})
