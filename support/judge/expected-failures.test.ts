import { describe, expect, test } from 'vitest'
import { type ExpectedFailure, excuseFor, staleEntries } from './expected-failures.ts'
import type { Judgement } from './judgement.ts'
import type { Outcome } from './outcome.ts'
import type { RuleFacts } from './rule.ts'
import { verdictOf } from './verdict.ts'

const rule = (id: string, level: RuleFacts['level'] = 'required'): RuleFacts =>
  ({ id, level, operation: 'cancelOrder', clause: '4.2/409', title: id, because: '' }) as RuleFacts

const entry = (more: Partial<ExpectedFailure> = {}): ExpectedFailure => ({
  rule: 'a',
  operation: 'cancelOrder',
  reason: 'known',
  owner: 'orders',
  expires: '2026-12-31',
  lines: [3, 7],
  ...more,
})
const known = [rule('a'), rule('b')]
const judged = (outcome: Outcome): Pick<Judgement, 'rule' | 'outcome'>[] => [{ rule: rule('a'), outcome }]
const stale = (outcome: Outcome, more: Partial<ExpectedFailure> = {}, today = '2026-06-01') =>
  staleEntries({ file: 'known.yaml', entries: [entry(more)] }, judged(outcome), known, today).map(
    ({ why, message }) => [why, message],
  )

describe('an entry', () => {
  test('excuses its rule until its last day has passed', () => {
    const expected = { file: 'known.yaml', entries: [entry()] }
    expect(excuseFor(rule('a'), expected, '2026-12-31')).toEqual({
      reason: 'known',
      owner: 'orders',
      expires: '2026-12-31',
    })
    expect(excuseFor(rule('a'), expected, '2027-01-01')).toBeUndefined()
    expect(excuseFor(rule('b'), expected, '2026-12-31')).toBeUndefined()
    expect(excuseFor({ id: 'a', operation: 'listOrders' }, expected, '2026-12-31')).toBeUndefined()
  })

  test.each<Outcome>(['failed', 'untested', 'cantTell', 'inapplicable'])(
    'stays while its rule is %s',
    outcome => {
      expect(stale(outcome)).toEqual([])
    },
  )

  test('is stale where its rule holds, with the lines to remove', () => {
    expect(stale('passed')).toEqual([
      ['passed', 'known.yaml:3: a is expected to fail, but passes; remove lines 3 to 7'],
    ])
  })

  test('is stale where it has expired, whatever became of the rule', () => {
    expect(stale('failed', {}, '2027-01-01')).toEqual([
      [
        'expired',
        'known.yaml:3: the expected failure of a expired on 2026-12-31 (orders); remove lines 3 to 7',
      ],
    ])
  })

  test.each([
    [{ rule: 'nope', lines: [4, 4] as const }, 'known.yaml:4: there is no rule nope; remove line 4'],
    [
      { operation: 'listOrders' },
      'known.yaml:3: a is a rule of cancelOrder, not of listOrders; remove lines 3 to 7',
    ],
    [{ rule: 'a*' }, 'known.yaml:3: there is no rule a*; remove lines 3 to 7'],
  ])('is stale where there is no such rule: %o', (more, message) => {
    expect(stale('failed', more)).toEqual([['unknown', message]])
  })

  test('says nothing about a rule that was left out', () => {
    expect(
      staleEntries({ file: 'f', entries: [entry({ rule: 'b' })] }, judged('passed'), known, '2026-01-01'),
    ).toEqual([])
  })
})

describe('the verdict beside expected failures', () => {
  const excuse = { reason: 'known', owner: 'orders', expires: '2026-12-31' }
  const one = (outcome: Outcome, expected = false, level: RuleFacts['level'] = 'required') => ({
    rule: rule('x', level),
    outcome,
    ...(expected ? { expectedFailure: excuse } : {}),
  })
  const verdict = (...judgements: ReturnType<typeof one>[]) =>
    verdictOf(judgements, { gate: 'implied', partial: false })

  test('is never conformant', () => {
    expect(verdict(one('passed'), one('failed', true))).toBe('partial')
    expect(verdict(one('passed'), one('failed', true), one('cantTell', true))).toBe('partial')
  })
  test('is not better for them where something else is wrong', () => {
    expect(verdict(one('passed'), one('failed', true), one('failed'))).toBe('nonconformant')
    expect(verdict(one('passed'), one('failed', true), one('untested'))).toBe('incomplete')
    expect(verdict(one('failed', true))).toBe('incomplete')
  })
  test('is not worse for one that would not have counted', () => {
    expect(verdict(one('passed'), one('failed', true, 'advisory'))).toBe('conformant')
  })
  test('is nonconformant where an entry is out of date, whatever it were without', () => {
    for (const judgements of [[one('passed')], [one('failed', true)], [one('untested')], []])
      for (const stopped of [true, false])
        expect(verdictOf(judgements, { gate: 'implied', partial: true, stopped, stale: true })).toBe(
          'nonconformant',
        )
  })
})
