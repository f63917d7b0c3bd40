import { expect, it } from 'vitest'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { cellKey } from './description.ts'
import type { Profile } from './profiles.ts'
import { allRules } from './selection.ts'

const rules = new Map(allRules(subject).map(rule => [cellKey(rule), rule]))
const { errata } = subject
const profiles = Object.values(subject.profiles)

it.each(profiles)('the rules of profile $name are as they were published, except for errata', profile => {
  expect(profile.interfaceVersion).toBe(subject.version)
  const published = Object.entries(profile.rules).flatMap(([id, level]) => {
    const own = errata.filter(({ rule }) => rule === id)
    const demoted = own.flatMap(each => (each.change === 'demoted' ? [each.level] : []))
    return own.some(({ change }) => change === 'withdrawn') ? [] : [[id, demoted.at(-1) ?? level] as const]
  })
  const now = published.map(([id]) => [id, rules.get(id)?.level])
  expect(now, 'only an erratum may remove a published rule or change its level').toEqual(published)
})

it('each profile has a stable one, with its rules of other operations', () => {
  for (const { name, rules: all } of profiles.filter(({ without }) => without.length === 0)) {
    const { without, rules: own } = subject.profiles[`${name}-stable`] as Profile
    const kept = Object.keys(all).filter(id => !without.includes(rules.get(id)?.operation ?? ''))
    expect(Object.keys(own).sort()).toEqual(kept.sort())
  }
})

it('errata name published rules, and have a reason', () => {
  for (const { rule, reason, date } of errata) {
    expect(profiles.some(({ rules: published }) => Object.hasOwn(published, rule))).toBe(true)
    expect(reason.length).toBeGreaterThan(20)
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})
