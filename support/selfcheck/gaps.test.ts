import { expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { gapsOf } from './prove.ts'

it('each rule has a fault that turns it red, and no fault names an unknown rule', () => {
  expect(gapsOf()).toEqual([])
})

it('a rule without a fault is a gap, and so is a fault of no rule', () => {
  const others = faults.filter(({ breaks }) => !breaks.includes('cancel-twice-refused'))
  const stale = { id: 'stale', breaks: ['no-such-rule'] }
  expect(gapsOf([...others, stale])).toEqual([
    'no fault turns cancel-twice-refused red',
    'fault stale breaks no-such-rule, which is not a rule',
  ])
})

it('no two faults have the same name', () => {
  const ids = faults.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})
