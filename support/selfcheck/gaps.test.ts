import { expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { gapsOf } from './matrix.ts'

const { unproven, stale } = gapsOf(faults)

it('for each rule there is a fault that turns it red', () => {
  expect(unproven.map(({ id }) => id)).toEqual([])
})

it('no fault names a rule that is not there', () => {
  expect(stale.map(({ fault, pattern }) => `${fault.id}: ${pattern}`)).toEqual([])
})
