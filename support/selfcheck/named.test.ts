import { describe, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { expectedOf } from './proof.ts'
import { storeProof } from './store-proof.ts'
import { expectDetected } from './testing/kills.ts'

/** For each rule the first fault that breaks it, and each fault with another result with named ids. The command judges all faults. */
const proven = new Set<string>()
const chosen = faults.filter(fault => {
  const broken = expectedOf(storeProof, fault, 'named')
  const isFirst = broken.some(rule => !proven.has(rule))
  for (const rule of broken) proven.add(rule)
  return isFirst || fault.namedBreaks !== undefined || fault.outOfReachWhenNamed !== undefined
})

describe.concurrent('with named orders and pets only, each fault turns exactly its rules red', () => {
  it.each(chosen.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    await expectDetected(fault, 'named')
  })
})
