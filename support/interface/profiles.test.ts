import { expect, it } from 'vitest'
import { rules, suites } from '../../suites/index.ts'
import { allRules, select } from '../settings/selection.ts'
import { clauses, unchecked } from './clauses.ts'
import { cellKey, sectionOf } from './description.ts'
import { isNew, profiles } from './profiles.ts'

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
  expect(kept.length).toBeLessThan(keys.length)
})

it('a rule that is newer than the profile is judged, and does not make a selection complete or partial', () => {
  const { 'update-200 updateInventory': _later, ...rules } = Object.fromEntries(levels)
  const older = { name: '1.0.0', revision: 1, without: [], rules }
  expect(select(older, { skip: ['update-200'] })).toMatchObject({ partial: false })
  expect(select(older, { skip: ['update-2*', 'cancel-shipped-409'] })).toMatchObject({ partial: true })
  const newer = select(older, {}).rules.filter(each => isNew(each, older))
  expect(newer.map(({ id }) => id)).toEqual(['update-200'])
})

const judged = suites.flatMap(({ rules, observations }) => [...rules, ...observations])

it('each clause has rules or observations, or a reason why it has none', () => {
  const checked = new Set<string>(judged.map(({ clause }) => clause))
  expect([...checked, ...Object.keys(unchecked)].sort()).toEqual(Object.keys(clauses).sort())
})

it('the ledger has a whole sentence for each clause, no sentence twice, and every section that states something', () => {
  const sentences = Object.values(clauses)
  expect(sentences.filter(says => !/^\S.*\.$/.test(says))).toEqual([])
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(new Set(Object.keys(clauses).map(id => sectionOf(id).slice(1, 2)))).toEqual(new Set('123456789'))
})
