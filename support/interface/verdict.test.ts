import { expect, it } from 'vitest'
import type { Level, Outcome } from './description.ts'
import { type Verdict, verdictOf } from './verdict.ts'

type Judged = Parameters<typeof verdictOf>[0][number]
type Options = Partial<Parameters<typeof verdictOf>[1]>

const judged = (outcome: Outcome, level: Level = 'required'): Judged => ({ outcome, level })
const expectedFailure = { reason: 'known', owner: 'orders', expires: '2026-12-31' }
const special: Record<string, Judged> = {
  expected: { ...judged('failed'), expectedFailure },
  newer: { ...judged('failed'), newSince: '1.0.0' },
  advisory: judged('passed', 'advisory'),
  'not followed': judged('failed', 'advisory'),
  'not implied': judged('failed', 'implied'),
  'not applicable': judged('inapplicable', 'advisory'),
}

it.each<[string, Options, Verdict]>([
  ['passed', {}, 'conformant'],
  ['passed, inapplicable', {}, 'conformant'],
  ['inapplicable', {}, 'incomplete'],
  ['advisory', {}, 'incomplete'],
  ['advisory', { partial: true }, 'partial'],
  ['advisory, not followed', { partial: true }, 'incomplete'],
  ['advisory, not applicable', { partial: true }, 'partial'],
  ['not applicable', { partial: true }, 'incomplete'],
  ['inapplicable', { partial: true }, 'incomplete'],
  ['passed, untested', {}, 'incomplete'],
  ['passed, cantTell', {}, 'incomplete'],
  ['passed, failed, untested, cantTell', { stopped: true, partial: true }, 'nonconformant'],
  ['passed', { partial: true }, 'partial'],
  ['passed, untested', { partial: true }, 'incomplete'],
  ['passed', { partial: true, stopped: true }, 'incomplete'],
  ['passed', { unrestored: true }, 'incomplete'],
  ['passed, expected', {}, 'partial'],
  ['passed, expected, failed', {}, 'nonconformant'],
  ['passed, expected, untested', {}, 'incomplete'],
  ['expected', {}, 'incomplete'],
  ['untested', { stale: true, stopped: true }, 'nonconformant'],
  ['passed, not followed', {}, 'conformant'],
  ['passed, not followed', { gate: 'advisory' }, 'nonconformant'],
  ['passed, not implied', {}, 'nonconformant'],
  ['passed, not implied', { gate: 'required' }, 'conformant'],
  ['passed, newer', {}, 'conformant'],
  ['newer', {}, 'incomplete'],
])('the verdict of rules that are %s, with %j: %s', (outcomes, options, verdict) => {
  const rules = outcomes.split(', ').map(each => special[each] ?? judged(each as Outcome))
  expect(verdictOf(rules, { gate: 'implied', partial: false, ...options })).toBe(verdict)
})
