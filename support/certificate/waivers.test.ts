import { describe, expect, it } from 'vitest'
import type { Outcome } from '../judge/outcome.ts'
import { judgement, reportOf } from '../report/testing/fixtures.ts'
import { idleWaivers, lastMomentOf, waitingFor, waiverProblem, waiversOf } from './waivers.ts'

const excuse = { reason: 'known', owner: 'Customer', expires: '2027-01-31' }
const entry = (rule: string, operation = 'listOrders') => ({
  ...excuse,
  rule,
  operation,
  lines: [3, 7] as const,
})
const waiver = (rule: string) => ({ ...excuse, rule, operation: 'listOrders' })
type More = NonNullable<Parameters<typeof judgement>[2]>
const report = (...rules: readonly (readonly [id: string, outcome: Outcome, more?: More])[]) =>
  reportOf({
    judgements: rules.map(([id, outcome, more]) => judgement(id, outcome, { ...more })),
  })
const waived = { expectedFailure: excuse }

const judged = report(
  ['a-1', 'failed', waived],
  ['a-2', 'failed', waived],
  ['a-3', 'passed'],
  ['b-1', 'cantTell', { ...waived, behind: 'a-1' }],
  ['b-2', 'cantTell', { ...waived, behind: 'a-1', newSince: '1.0.0' }],
  ['c', 'failed', { ...waived, newSince: '1.0.0' }],
)

describe('the waivers of a recorded run', () => {
  it.each<[string[], covered: string[], idle: string[]]>([
    [['a-1'], ['a-1'], []],
    [['a-*'], ['a-1', 'a-2', 'a-3'], []],
    [['a-2', 'a-?'], ['a-1', 'a-2', 'a-3'], []],
    [['a-3'], ['a-3'], []],
    [['b-*'], [], ['b-*']],
    [['c'], [], ['c']],
    [['nothing'], [], ['nothing']],
  ])('%j: each rule by its id', (rules, covered, idle) => {
    const expected = { file: 'w.yaml', entries: rules.map(rule => entry(rule)) }
    expect(
      waiversOf(expected, judged)
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(covered)
    expect(idleWaivers(expected, judged)).toEqual(
      idle.map(rule => expect.stringContaining(`w.yaml:3: the waiver of ${rule} covers nothing`)),
    )
  })

  it('name the gating rules that wait, and end with the first one', () => {
    expect(waitingFor(waiver('a-1'), judged)).toEqual(['b-1'])
    expect(waitingFor(waiver('a-2'), judged)).toEqual([])
    const last = lastMomentOf([{ expires: '2027-01-31' }, { expires: '2027-01-30' }])
    expect(new Date(last).toISOString()).toBe('2027-01-30T23:59:59.999Z')
    expect(lastMomentOf([])).toBe(Infinity)
  })

  const plain = report(['a', 'failed', waived], ['b', 'cantTell', { ...waived, behind: 'a' }])
  it.each<[string, string[], RegExp | undefined]>([
    ['as they are', ['a'], undefined],
    ['one too many', ['a', 'b'], /waiver of b covers no/],
    ['one twice', ['a', 'a'], /two waivers/],
  ])('cover a rule that failed: %s', (_what, rules, problem) => {
    const found = waiverProblem(rules.map(waiver), plain)
    if (problem) expect(found).toMatch(problem)
    else expect(found).toBeUndefined()
  })
})
