import { expect, test } from 'vitest'
import { type ExpectedFailure, excuseFor, staleEntries } from './expected-failures.ts'
import type { Outcome } from './outcome.ts'

const operation = 'cancelOrder'
const excuse = { reason: 'known', owner: 'orders', expires: '2026-12-31' }
const entry: ExpectedFailure = { ...excuse, rule: 'cancel-*', operation, lines: [3, 7] }
const expected = { file: 'known.yaml', entries: [entry] }

test('an entry excuses the rules of its operation that it matches, until its last day has passed', () => {
  expect(excuseFor({ id: 'cancel-b', operation }, expected, '2026-12-31')).toEqual(excuse)
  expect(excuseFor({ id: 'cancel-b', operation }, expected, '2027-01-01')).toBeUndefined()
  expect(excuseFor({ id: 'list-c', operation }, expected, '2026-12-31')).toBeUndefined()
  expect(excuseFor({ id: 'cancel-b', operation: 'listOrders' }, expected, '2026-12-31')).toBeUndefined()
})

const passes = (what: string) =>
  `known.yaml:3: cancel-* is expected to fail, but ${what}; name only the rules that fail, or remove lines 3 to 7`

test.each<[Outcome[], today: string, why?: string, message?: string]>([
  [['failed', 'cantTell', 'passed'], '2026-12-31'],
  [['untested', 'inapplicable', 'passed'], '2026-12-31'],
  [['failed', 'passed', 'passed'], '2026-12-31', 'passed', passes('cancel-b passes')],
  [['passed', 'passed', 'passed'], '2027-01-01', 'passed', passes('cancel-a and 1 more pass')],
  [
    ['failed', 'failed', 'passed'],
    '2027-01-01',
    'expired',
    'known.yaml:3: the expected failure of cancel-* expired on 2026-12-31 (orders); remove lines 3 to 7',
  ],
])('an entry for rules that are %j, on %s, is stale: %s', (outcomes, today, why, message) => {
  const judged = ['cancel-a', 'cancel-b', 'list-c'].map((id, at) => ({
    id,
    operation,
    outcome: outcomes[at] as Outcome,
  }))
  const stale = why ? [{ rule: 'cancel-*', operation, why, lines: [3, 7], message }] : []
  expect(staleEntries(expected, judged, today)).toEqual(stale)
})
