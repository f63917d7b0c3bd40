import { describe, expect, it } from 'vitest'
import type { Erratum, Profile } from '../interface/description.ts'
import { isGatingLevel } from '../judge/gating.ts'
import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import type { Outcome } from '../judge/outcome.ts'
import type { Report } from '../report/report.ts'
import { reportOf } from '../report/testing/fixtures.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { profileNowText, verdictUnder } from './profile-now.ts'

const UPDATE = 'updateInventory'
const rules = allRules(subject)
const called = (id: string) => rules.find(each => each.id === id) ?? expect.fail(id)
const firstOf = (operation: string) =>
  rules.find(each => each.operation === operation && each.level === 'required')?.id ?? expect.fail(operation)
const gating = (profile: string) =>
  rules.filter(({ id, level }) => isGatingLevel(level, 'implied') && ruleIds(profile).includes(id))
const ruleIds = (profile: string) => Object.keys(subject.profiles[profile]?.rules ?? {})

/** A report in which every rule passed, except these. */
function report(outcomes: Readonly<Record<string, Outcome>> = {}, without?: string): Report {
  const judgements = rules
    .filter(({ operation }) => operation !== without)
    .map(rule => ({ rule, outcome: outcomes[rule.id] ?? ('passed' as const), exchanges: [] }))
  return reportOf({ judgements })
}

const having = ({ gating }: ReturnType<typeof verdictUnder>, wanted: Outcome) =>
  gating.filter(({ outcome }) => outcome === wanted).map(({ id }) => id)

const withErratum = (erratum: Erratum): InterfaceUnderTest => ({ ...subject, errata: [erratum] })

describe('the verdict under a profile', () => {
  it('counts the rules of this profile', () => {
    const expected = gating('1.0.0-stable').length
    expect(expected).toBeGreaterThan(100)
    expect(expected).toBeLessThan(gating('1.0.0').length)
    const now = verdictUnder('1.0.0-stable', report(), subject)
    expect([now.verdict, now.gating.length]).toEqual(['conformant', expected])
    expect(profileNowText(now)).toBe(
      `\nUnder profile 1.0.0-stable: conformant, ${expected} of ${expected} gating rules passed\n`,
    )
  })

  it('follows only from rules that the profile has', () => {
    const id = firstOf(UPDATE)
    const failing = report({ [id]: 'failed' })
    expect(verdictUnder('1.0.0-stable', failing, subject).verdict).toBe('conformant')
    const now = verdictUnder('1.0.0', failing, subject)
    expect(now.verdict).toBe('nonconformant')
    expect(having(now, 'failed')).toEqual([id])
    expect(profileNowText(now)).toContain(`failed       ${id}`)
  })

  it('is incomplete if the recorded run did not judge a rule, which is named', () => {
    const now = verdictUnder('1.0.0', report({}, UPDATE), subject)
    expect(now.verdict).toBe('incomplete')
    const missing = gating('1.0.0').filter(({ operation }) => operation === UPDATE)
    expect(having(now, 'untested')).toEqual(missing.map(({ id }) => id))
    const ids = missing.map(({ id }) => id).join(', ')
    expect(profileNowText(now)).toContain(
      `  no result    ${missing.length} rules (not part of the recorded run): ${ids}\n`,
    )
  })

  it('follows from rules that were newer than the profile of the run', () => {
    const id = firstOf('listOrders')
    const { [id]: _new, ...older } = subject.profiles['1.0.0']?.rules ?? {}
    const old: Profile = { ...(subject.profiles['1.0.0'] as Profile), name: 'old', rules: older }
    const profiles = { ...subject.profiles, old }
    const failing = report({ [id]: 'failed' })
    const recorded = {
      ...failing,
      rules: failing.rules.map(rule => (rule.id === id ? { ...rule, newSince: 'old' } : rule)),
    }
    expect(verdictUnder('old', recorded, { ...subject, profiles }).verdict).toBe('conformant')
    expect(verdictUnder('1.0.0', recorded, { ...subject, profiles }).verdict).toBe('nonconformant')
  })

  it.each<[string, Parameters<typeof withErratum>[0]['change'], string]>([
    ['withdrawn', 'withdrawn', 'conformant'],
    ['demoted', 'demoted', 'conformant'],
    ['corrected', 'corrected', 'nonconformant'],
  ])('applies errata: a failed rule that is %s', (_name, change, verdict) => {
    const id = firstOf('cancelOrder')
    const facts = { rule: called(id).id, date: '2026-12-31', reason: 'the suite was wrong' }
    const erratum =
      change === 'demoted' ? { ...facts, change, level: 'advisory' as const } : { ...facts, change }
    const now = verdictUnder('1.0.0', report({ [id]: 'failed' }), withErratum(erratum))
    expect(now.verdict).toBe(verdict)
    expect(profileNowText(now)).toContain(`erratum      ${id} ${change}: the suite was wrong (2026-12-31)`)
  })

  it('is partial with a waiver', () => {
    const id = firstOf('cancelOrder')
    const failing = report({ [id]: 'failed' })
    const excuse = { reason: 'known', owner: 'Customer', expires: '2099-12-31' }
    const waived = {
      ...failing,
      rules: failing.rules.map(rule => (rule.id === id ? { ...rule, expectedFailure: excuse } : rule)),
    }
    const now = verdictUnder('1.0.0', waived, subject)
    expect([now.verdict, now.waived.map(rule => rule.id)]).toEqual(['partial', [id]])
  })
})
