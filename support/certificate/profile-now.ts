import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import { isNew, profileOf } from '../judge/selection.ts'
import { verdictOf } from '../judge/verdict.ts'
import { reported } from '../report/compose.ts'
import { facts, paragraph } from '../report/document.ts'
import type { Report } from '../report/report.ts'
import { documentOf } from '../report/sections.ts'
import { erratumText, printed } from './text.ts'

/**
 * What the recorded run proves under a profile, which may be another one than the run had, from judgements that were made again. The
 * rules of the profile gate, with the errata of the interface.
 */
export function reportUnder(name: string, report: Report, subject: InterfaceUnderTest): Report {
  const profile = profileOf(subject, name)
  const known = new Map(report.rules.map(rule => [rule.id, rule]))
  const rules = allRules(subject)
    .filter(rule => !isNew(rule, profile))
    .map(rule => {
      const missing = {
        rule,
        outcome: 'untested',
        message: 'not part of the recorded run',
        exchanges: [],
      } as const
      const { newSince: _older, ...judged } = known.get(rule.id) ?? reported(missing)
      return { ...judged, level: rule.level }
    })
  const verdict = verdictOf(rules, { gate: report.gate, partial: false })
  return { ...report, profile: name, rules, verdict }
}

/** What `verify --profile` prints. */
export function profileNowText(report: Report, { errata, profiles }: InterfaceUnderTest): string {
  const { findings, judged, verdict } = documentOf(report, 'short')
  const own = errata.filter(({ rule }) => Object.hasOwn(profiles[report.profile]?.rules ?? {}, rule))
  return `\n${printed([
    ...paragraph(`Under profile ${report.profile}:`),
    ...findings,
    ...judged,
    ...facts(own.map(each => ['erratum', erratumText(each)] as const)),
    verdict,
  ])}`
}
