import { describe, expect, test } from 'vitest'
import { type ExpectedFailure, excuseFor, staleEntries } from './expected-failures.ts'
import type { Outcome } from './outcome.ts'

const rule = (id: string) => ({ id, operation: 'cancelOrder' })

const entry = (more: Partial<ExpectedFailure> = {}): ExpectedFailure => ({
  rule: 'a',
  operation: 'cancelOrder',
  reason: 'known',
  owner: 'orders',
  expires: '2026-12-31',
  lines: [3, 7],
  ...more,
})
const stale = (outcome: Outcome, more: Partial<ExpectedFailure> = {}, today = '2026-06-01') =>
  staleEntries({ file: 'known.yaml', entries: [entry(more)] }, [{ ...rule('a'), outcome }], today).map(
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
    outcome => expect(stale(outcome)).toEqual([]),
  )

  test('is stale if it has expired, whatever the outcome of the rule', () => {
    expect(stale('failed', {}, '2027-01-01')).toEqual([
      [
        'expired',
        'known.yaml:3: the expected failure of a expired on 2026-12-31 (orders); remove lines 3 to 7',
      ],
    ])
  })

  test('may be a glob, which must match only rules that fail', () => {
    const all = [rule('cancel-a'), rule('cancel-b'), rule('list-c')]
    const glob = entry({ rule: 'cancel-*' })
    const messages = (outcomes: readonly Outcome[]) =>
      staleEntries(
        { file: 'f', entries: [glob] },
        all.map((each, at) => ({ ...each, outcome: outcomes[at] as Outcome })),
        '2026-01-01',
      ).map(({ message }) => message)
    expect(excuseFor(rule('cancel-b'), { file: 'f', entries: [glob] }, '2026-01-01')).toBeDefined()
    expect(excuseFor(rule('list-c'), { file: 'f', entries: [glob] }, '2026-01-01')).toBeUndefined()
    expect(messages(['failed', 'cantTell', 'passed'])).toEqual([])
    expect(messages(['failed', 'passed', 'passed'])).toEqual([
      'f:3: cancel-* is expected to fail, but cancel-b passes; name only the rules that fail, or remove lines 3 to 7',
    ])
    expect(messages(['passed', 'passed', 'passed'])[0]).toContain('but cancel-a and 1 more pass;')
  })
})
