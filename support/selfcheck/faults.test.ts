import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { expectDetected } from './testing/kills.ts'

// They share one process, in which a fault that is repeated alone waits for all others.
describe.concurrent('each fault turns exactly its rules red', { timeout: 300_000 }, () => {
  it.each(faults.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    await expectDetected(fault, 'states')
  })
})

it('no two faults have the same name', () => {
  const ids = faults.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})
