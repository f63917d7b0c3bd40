import { describe, expect, it } from 'vitest'
import type { Level } from '../interface/description.ts'
import { isGatingLevel } from './gating.ts'
import type { Outcome } from './outcome.ts'
import { ruleOver, seeing } from './testing/parts.ts'
import { exitCodes, verdictOf } from './verdict.ts'

const given = seeing('x', async () => 1)
const judged = (outcome: Outcome, level: Level = 'required') => ({
  outcome,
  rule: ruleOver('a', given, () => undefined, level === 'required' ? {} : ({ level, because: 'x' } as never)),
})
const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']
const subsets = Array.from({ length: 2 ** OUTCOMES.length }, (_, bits) =>
  OUTCOMES.filter((_outcome, at) => (bits & (1 << at)) !== 0),
)

describe('the verdict, of every combination of outcomes', () => {
  it.each(subsets.map(some => [some]))('%j', some => {
    const wanted = (partial: boolean, stopped: boolean) => {
      if (some.includes('failed')) return 'nonconformant'
      if (stopped || some.includes('untested') || some.includes('cantTell') || !some.includes('passed'))
        return 'incomplete'
      return partial ? 'partial' : 'conformant'
    }
    for (const partial of [false, true])
      for (const stopped of [false, true])
        expect(
          verdictOf(
            some.map(each => judged(each)),
            { gate: 'implied', partial, stopped },
          ),
        ).toBe(wanted(partial, stopped))
  })
})

describe('only rules that gate count', () => {
  it.each<[Level, Level, boolean]>([
    ['required', 'required', true],
    ['implied', 'required', false],
    ['advisory', 'required', false],
    ['required', 'implied', true],
    ['implied', 'implied', true],
    ['advisory', 'implied', false],
    ['required', 'advisory', true],
    ['implied', 'advisory', true],
    ['advisory', 'advisory', true],
  ])('%s under the gate %s: %s', (level, gate, counts) => {
    expect(isGatingLevel(level, gate)).toBe(counts)
    for (const [outcome, verdict] of [
      ['failed', 'nonconformant'],
      ['untested', 'incomplete'],
      ['cantTell', 'incomplete'],
    ] as const)
      expect(verdictOf([judged('passed'), judged(outcome, level)], { gate, partial: false })).toBe(
        counts ? verdict : 'conformant',
      )
  })

  it('advisory rules that pass do not make a store conformant', () => {
    expect(verdictOf([judged('passed', 'advisory')], { gate: 'implied', partial: false })).toBe('incomplete')
    expect(verdictOf([], { gate: 'required', partial: true })).toBe('incomplete')
  })

  it('a rule that is newer than the profile does not count', () => {
    const later = { ...judged('failed'), newSince: '1.0.0' }
    expect(verdictOf([judged('passed'), later], { gate: 'implied', partial: false })).toBe('conformant')
    expect(verdictOf([later], { gate: 'implied', partial: false })).toBe('incomplete')
  })
})

it('exit codes', () => {
  expect(exitCodes).toEqual({ conformant: 0, partial: 0, nonconformant: 1, incomplete: 3, unreachable: 4 })
})
