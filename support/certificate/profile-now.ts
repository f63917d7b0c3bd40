import { isGating } from '../judge/gating.ts'
import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import { isNew, profileOf } from '../judge/selection.ts'
import { type Verdict, verdictOf } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { plural, verdictWords } from '../report/words.ts'

/** What the recorded run proves under a profile, which may be another one than the run had. */
export interface ProfileNow {
  readonly profile: string
  readonly verdict: Verdict
  /** Rules that decide the verdict. */
  readonly gating: number
  readonly passed: number
  readonly inapplicable: number
  readonly failed: readonly ReportedRule[]
  /** Rules that decide the verdict and have no result. */
  readonly open: readonly { readonly id: string; readonly message: string }[]
  /** Failures that a waiver sets aside. */
  readonly waived: readonly ReportedRule[]
  readonly errata: InterfaceUnderTest['errata']
}

/**
 * The verdict under a profile, from judgements that were made again. The rules of the profile gate, with the errata of the
 * interface.
 */
export function verdictUnder(
  name: string,
  { rules, gate }: Pick<Report, 'rules' | 'gate'>,
  subject: InterfaceUnderTest,
): ProfileNow {
  const profile = profileOf(subject, name)
  const known = new Map(rules.map(rule => [rule.id, rule]))
  const judged = allRules(subject)
    .filter(rule => !isNew(rule, profile))
    .map(rule => {
      const { outcome = 'untested', expectedFailure, message } = known.get(rule.id) ?? {}
      return {
        rule,
        outcome,
        ...(message === undefined ? {} : { message }),
        ...(expectedFailure ? { expectedFailure } : {}),
      }
    })
  const gating = judged.filter(({ rule: { level }, expectedFailure }) =>
    isGating({ level, expectedFailure }, gate),
  )
  const reported = (id: string) => known.get(id) ?? []
  return {
    profile: name,
    verdict: verdictOf(judged, { gate, partial: false }),
    gating: gating.length,
    passed: gating.filter(({ outcome }) => outcome === 'passed').length,
    inapplicable: gating.filter(({ outcome }) => outcome === 'inapplicable').length,
    failed: gating.filter(({ outcome }) => outcome === 'failed').flatMap(({ rule }) => reported(rule.id)),
    open: gating
      .filter(({ outcome }) => outcome === 'untested' || outcome === 'cantTell')
      .map(({ rule: { id }, message = 'not part of the recorded run' }) => ({
        id,
        message,
      })),
    waived: judged.flatMap(({ rule, expectedFailure }) => (expectedFailure ? reported(rule.id) : [])),
    errata: subject.errata.filter(({ rule }) => Object.hasOwn(profile.rules, rule)),
  }
}

/** What `verify --profile` prints. */
export function profileNowText(now: ProfileNow): string {
  const { profile, verdict, gating, passed, inapplicable, failed, open, waived, errata } = now
  const withReason = (what: string, rules: readonly ReportedRule[]) =>
    rules.map(({ id, message }) => `  ${what} ${id}${message ? `: ${message}` : ''}`)
  const reasons = [...new Set(open.map(({ message }) => message))]
  const lines = [
    '',
    `Under profile ${profile}: ${verdictWords[verdict].toLowerCase()}, ${passed} of ${plural(gating, 'gating rule')} passed${inapplicable === 0 ? '' : `, ${inapplicable} not applicable`}`,
    ...withReason('failed      ', failed),
    ...reasons.map(reason => {
      const ids = open.filter(({ message }) => message === reason).map(({ id }) => id)
      return `  no result    ${plural(ids.length, 'rule')} (${reason}): ${ids.join(', ')}`
    }),
    ...withReason('waived      ', waived),
    ...errata.map(
      ({ rule, change, reason, date }) => `  erratum      ${rule} ${change}: ${reason} (${date})`,
    ),
  ]
  return `${lines.map(line => printable(line)).join('\n')}\n`
}
