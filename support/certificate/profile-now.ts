import { isGating } from '../judge/gating.ts'
import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import type { Outcome } from '../judge/outcome.ts'
import { isNew, profileOf } from '../judge/selection.ts'
import { type Verdict, verdictOf } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import type { Report } from '../report/report.ts'
import { plural, verdictWords } from '../report/words.ts'
import { errataLines } from './text.ts'

/** A rule of a profile, as the recorded run judged it. */
interface Judged {
  readonly id: string
  readonly outcome: Outcome
  readonly message?: string | undefined
}

/** What the recorded run proves under a profile, which may be another one than the run had. */
export interface ProfileNow {
  readonly profile: string
  readonly verdict: Verdict
  /** Rules that decide the verdict. */
  readonly gating: readonly Judged[]
  /** Failures that a waiver sets aside. */
  readonly waived: readonly Judged[]
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
      const { outcome, expectedFailure, message } = known.get(rule.id) ?? notRecorded
      return { rule, id: rule.id, outcome, message, ...(expectedFailure ? { expectedFailure } : {}) }
    })
  return {
    profile: name,
    verdict: verdictOf(judged, { gate, partial: false }),
    gating: judged.filter(({ rule: { level }, expectedFailure }) =>
      isGating({ level, expectedFailure }, gate),
    ),
    waived: judged.filter(({ expectedFailure }) => expectedFailure),
    errata: subject.errata.filter(({ rule }) => Object.hasOwn(profile.rules, rule)),
  }
}

const notRecorded = {
  outcome: 'untested',
  message: 'not part of the recorded run',
  expectedFailure: undefined,
} as const

/** What `verify --profile` prints. */
export function profileNowText({ profile, verdict, gating, waived, errata }: ProfileNow): string {
  const having = (...outcomes: readonly Outcome[]) =>
    gating.filter(({ outcome }) => outcomes.includes(outcome))
  const withReason = (what: string, rules: readonly Judged[]) =>
    rules.map(({ id, message }) => `  ${what} ${id}${message ? `: ${message}` : ''}`)
  const [passed, inapplicable] = [having('passed').length, having('inapplicable').length]
  const open = having('untested', 'cantTell')
  const lines = [
    '',
    `Under profile ${profile}: ${verdictWords[verdict].toLowerCase()}, ${passed} of ${plural(gating.length, 'gating rule')} passed${inapplicable === 0 ? '' : `, ${inapplicable} not applicable`}`,
    ...withReason('failed      ', having('failed')),
    ...[...new Set(open.map(({ message }) => message))].map(reason => {
      const ids = open.filter(({ message }) => message === reason).map(({ id }) => id)
      return `  no result    ${plural(ids.length, 'rule')} (${reason}): ${ids.join(', ')}`
    }),
    ...withReason('waived      ', waived),
    ...errataLines(errata),
  ]
  return `${lines.map(line => printable(line)).join('\n')}\n`
}
