import { expect, it } from 'vitest'
import { rules, suites } from '../../suites/index.ts'
import { allRules, select } from '../settings/selection.ts'
import { clauses, unchecked } from './clauses.ts'
import { cellKey, type Level, type Outcome, sectionOf } from './description.ts'
import { isNew, profiles, type Verdict, verdictOf } from './verdict.ts'

/** Published rules that were wrong, and were withdrawn (undefined) or demoted since: why, and on which day. */
const corrected: Readonly<Record<string, { level: string | undefined; reason: string; date: string }>> = {}

const levels = new Map(allRules.map(rule => [cellKey(rule), rule.level]))

it('each rule has an id of its own', () => expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length))

it.each(Object.values(profiles))('the rules of profile $name are as they were published', ({ rules }) => {
  const published = Object.entries(rules).map(([key, level]) => [key, (corrected[key] ?? { level }).level])
  const now = Object.keys(rules).map(key => [key, levels.get(key)])
  expect(now, 'only a correction with its reason may remove a published rule or change its level').toEqual(
    published,
  )
})

it('a stable profile has the rules of the other operations', () => {
  const keys = Object.keys(profiles['1.0.0']?.rules ?? {})
  const kept = keys.filter(key => !key.endsWith(' updateInventory'))
  expect(Object.keys(profiles['1.0.0-stable']?.rules ?? {})).toEqual(kept)
})

it('a rule that is newer than the profile is judged, and does not make a selection complete or partial', () => {
  const { 'update-200 updateInventory': _later, ...rules } = Object.fromEntries(levels)
  const older = { name: '1.0.0', revision: 1, without: [], rules }
  expect(select(older, { skip: ['update-200'] })).toMatchObject({ partial: false })
  expect(select(older, { skip: ['update-2*', 'cancel-shipped-409'] })).toMatchObject({ partial: true })
  const newer = select(older, {}).rules.filter(each => isNew(each, older))
  expect(newer.map(({ id }) => id)).toEqual(['update-200'])
})

it('each clause has rules or observations, or a reason why it has none', () => {
  const all = suites.flatMap(({ rules, observations }) => [...rules, ...observations])
  const checked = new Set<string>(all.map(({ clause }) => clause))
  expect([...checked, ...Object.keys(unchecked)].sort()).toEqual(Object.keys(clauses).sort())
})

it('the ledger has a whole sentence for each clause, and every section that states something', () => {
  expect(Object.values(clauses).filter(says => !/^\S.*\.$/.test(says))).toEqual([])
  expect(new Set(Object.keys(clauses).map(id => sectionOf(id).slice(1, 2)))).toEqual(new Set('123456789'))
})

type Judged = Parameters<typeof verdictOf>[0][number]

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

it.each<[string, Partial<Parameters<typeof verdictOf>[1]>, Verdict]>([
  ['inapplicable', {}, 'incomplete'],
  ['advisory', {}, 'incomplete'],
  ['advisory', { partial: true }, 'partial'],
  ['advisory, not followed', { partial: true }, 'incomplete'],
  ['advisory, not applicable', { partial: true }, 'partial'],
  ['not applicable', { partial: true }, 'incomplete'],
  ['inapplicable', { partial: true }, 'incomplete'],
  ['passed, failed, untested, cantTell', { stopped: true, partial: true }, 'nonconformant'],
  ['passed', { partial: true, stopped: true }, 'incomplete'],
  ['passed, expected', {}, 'partial'],
  ['passed, expected, failed', {}, 'nonconformant'],
  ['passed, expected, untested', {}, 'incomplete'],
  ['expected', {}, 'incomplete'],
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
