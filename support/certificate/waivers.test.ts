import { describe, expect, it } from 'vitest'
import type { Outcome } from '../judge/outcome.ts'
import { judgement, reportOf } from '../report/testing/fixtures.ts'
import { idleWaivers, waiversOf } from './waivers.ts'

const excuse = { reason: 'known', owner: 'Customer', expires: '2027-01-31' }
const entry = (rule: string) => ({ ...excuse, rule, operation: 'listOrders', lines: [3, 7] as const })
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
})
