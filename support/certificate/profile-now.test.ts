import { describe, expect, it } from 'vitest'
import type { Erratum, Profile } from '../interface/description.ts'
import { allRules } from '../judge/interface.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { reportOf } from '../report/testing/fixtures.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { profileNowText, reportUnder } from './profile-now.ts'

const rules = allRules(subject)
const firstOf = (operation: string) =>
  rules.find(each => each.operation === operation && each.level === 'required')?.id ?? expect.fail(operation)

/** A report in which every rule passed, except this one. */
const failing = (id: string): Report =>
  reportOf({
    judgements: rules.map(rule => ({
      rule,
      outcome: rule.id === id ? ('failed' as const) : ('passed' as const),
      exchanges: [],
    })),
  })

describe('the verdict under a profile', () => {
  it('follows only from rules that the profile has', () => {
    const stableRules = Object.values(subject.profiles['1.0.0-stable']?.rules ?? {})
    const expected = stableRules.filter(level => level !== 'advisory').length
    expect(expected).toBeGreaterThan(100)
    const id = firstOf('updateInventory')
    const stable = reportUnder('1.0.0-stable', failing(id), subject)
    const text = profileNowText(stable, subject)
    expect(text).toMatch(/^\nUnder profile 1\.0\.0-stable:\n/)
    expect(text).toContain(`\nConformant: all ${expected} gating rules passed.\n`)
    const whole = reportUnder('1.0.0', failing(id), subject)
    expect(whole.verdict).toBe('nonconformant')
    expect(profileNowText(whole, subject)).toContain(`\n  ${id} · `)
  })

  it('follows from rules that were newer than the profile of the run', () => {
    const id = firstOf('listOrders')
    const { [id]: _new, ...older } = subject.profiles['1.0.0']?.rules ?? {}
    const old: Profile = { ...(subject.profiles['1.0.0'] as Profile), name: 'old', rules: older }
    const profiles = { ...subject.profiles, old }
    const whole = failing(id)
    const newSince = (rule: ReportedRule) => (rule.id === id ? { ...rule, newSince: 'old' } : rule)
    const recorded = { ...whole, rules: whole.rules.map(newSince) }
    expect(reportUnder('old', recorded, { ...subject, profiles }).verdict).toBe('conformant')
    expect(reportUnder('1.0.0', recorded, { ...subject, profiles }).verdict).toBe('nonconformant')
  })

  const rule = firstOf('cancelOrder')
  const facts = { rule, date: '2026-12-31', reason: 'the suite was wrong' }
  it.each<[Erratum, verdict: string]>([
    [{ ...facts, change: 'withdrawn' }, 'conformant'],
    [{ ...facts, change: 'demoted', level: 'advisory' }, 'conformant'],
    [{ ...facts, change: 'corrected' }, 'nonconformant'],
  ])('applies errata: %j', (erratum, verdict) => {
    const corrected = { ...subject, errata: [erratum] }
    const now = reportUnder('1.0.0', failing(rule), corrected)
    expect(now.verdict).toBe(verdict)
    expect(profileNowText(now, corrected)).toMatch(
      new RegExp(`^erratum +${rule} ${erratum.change}: the suite was wrong \\(2026-12-31\\)$`, 'm'),
    )
  })
})
