import { describe, expect, it } from 'vitest'
import { allRules } from '../judge/interface.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Profile } from './description.ts'
import { DEFAULT_PROFILE } from './profiles.ts'

const rules = new Map(allRules(subject).map(rule => [rule.id, rule]))
const withdrawn = new Set(
  subject.errata.filter(({ change }) => change === 'withdrawn').map(({ rule }) => rule),
)
const demoted = new Map(
  subject.errata.flatMap(each => (each.change === 'demoted' ? [[each.rule, each.level] as const] : [])),
)
const profiles = Object.values(subject.profiles)

describe.each(profiles.map(profile => [profile.name, profile] as const))('profile %s', (_name, profile) => {
  it('has rules that exist, unless an erratum withdrew them', () => {
    const gone = Object.keys(profile.rules).filter(id => !rules.has(id) && !withdrawn.has(id))
    expect(gone, 'a published rule can only be removed by an erratum').toEqual([])
  })

  it('has each rule with the level that it was published with, unless an erratum demoted it', () => {
    const changed = Object.entries(profile.rules).flatMap(([id, level]) => {
      const rule = rules.get(id)
      return rule && rule.level !== (demoted.get(id) ?? level) ? [`${id}: ${level}, now ${rule.level}`] : []
    })
    expect(changed, 'the level of a published rule can only be changed by an erratum').toEqual([])
  })

  it('has no rule of an operation that it leaves out', () => {
    const leftOut = Object.keys(profile.rules).filter(id =>
      profile.without.includes(rules.get(id)?.operation ?? ''),
    )
    expect(leftOut).toEqual([])
  })

  it('is about this version of the interface', () => {
    expect(profile.interfaceVersion).toBe(subject.version)
  })
})

it('the default profile is published', () => {
  expect(subject.profiles).toHaveProperty([DEFAULT_PROFILE])
})

it('has a stable profile for each one, with its other rules', () => {
  for (const { name, rules: all } of profiles.filter(({ without }) => without.length === 0)) {
    const { without, rules: own } = subject.profiles[`${name}-stable`] as Profile
    const kept = Object.keys(all).filter(id => !without.includes(rules.get(id)?.operation ?? ''))
    expect(Object.keys(own).sort()).toEqual(kept.sort())
  }
})

it('errata name published rules, and have a reason', () => {
  for (const { rule, reason, date } of subject.errata) {
    expect(profiles.some(({ rules: published }) => Object.hasOwn(published, rule))).toBe(true)
    expect(reason.length).toBeGreaterThan(20)
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})
