import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { expectDetected } from './testing/kills.ts'

describe.concurrent('each fault turns exactly its rules red', () => {
  it.each(faults.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    await expectDetected(fault, 'states')
  })
})

it('no two faults have the same name', () => {
  const ids = faults.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})
