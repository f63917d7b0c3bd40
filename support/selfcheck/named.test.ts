import { describe, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { allRules } from '../judge/interface.ts'
import { expectedOf } from './proof.ts'
import { storeProof } from './store-proof.ts'
import { expectDetected } from './testing/kills.ts'

/**
 * For each scenario the first fault that one of its rules detects, and each fault that other rules detect with named ids. The command
 * judges every fault in this mode.
 */
const scenarioOf = new Map(allRules(storeProof.subject).map(({ id, given }) => [id, given.title]))
const proven = new Set<string | undefined>()
const chosen = faults.filter(fault => {
  const scenarios = expectedOf(storeProof, fault, 'named').map(id => scenarioOf.get(id))
  const isFirst = scenarios.some(title => !proven.has(title))
  for (const title of scenarios) proven.add(title)
  return isFirst || fault.namedBreaks !== undefined
})

describe.concurrent('with named orders and pets only, each fault turns exactly its rules red', () => {
  it.each(chosen.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    await expectDetected(fault, 'named')
  })
})
