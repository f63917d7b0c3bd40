import { describe, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { expectNothingButKilled } from './testing/kills.ts'

/** One fault for each set of rules, and each that is another with named ids. The command judges all of them. */
const first = new Map(faults.map(fault => [fault.breaks.join(' '), fault] as const).reverse())
const chosen = faults.filter(
  fault =>
    fault.namedBreaks !== undefined ||
    fault.outOfReachWhenNamed !== undefined ||
    first.get(fault.breaks.join(' ')) === fault,
)

describe('with named orders and pets alone, each fault turns exactly its rules red', () => {
  it.each(chosen.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    await expectNothingButKilled(fault, 'named')
  })
})
