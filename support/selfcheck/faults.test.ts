import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { cellKey } from '../judge/rule.ts'
import { expectedOf, prove } from './prove.ts'

const rulesOf = (fault: (typeof faults)[number]) => expectedOf(fault, 'states')

/** A fault of each rule. Those of many rules come first, so that they are few. The command `selfcheck` judges all of them. */
const proven = new Set<string>()
const widestFirst = [...faults].sort((one, other) => rulesOf(other).length - rulesOf(one).length)
const chosen = widestFirst.filter(fault => {
  const rules = rulesOf(fault).filter(id => !proven.has(id))
  for (const id of rules) proven.add(id)
  return rules.length > 0
})

describe('a fault of each rule turns its rule red', { timeout: 300_000 }, () => {
  it.each(chosen.map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
    const { good, missing, report } = await prove([fault], {
      mode: 'states',
      seed: 1,
      // The command judges each fault by all rules.
      only: rulesOf(fault).map(key => key.replace(' ', '/')),
    })
    const said = (ids: readonly string[]) =>
      report.rules
        .filter(rule => ids.includes(cellKey(rule)))
        .map(({ id, outcome, message }) => `${id} ${outcome}: ${message ?? ''}`)
    expect(said(missing)).toEqual([])
    expect(good).toBe(true)
  })
})

it('no two faults have the same name', () => {
  const ids = faults.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})
