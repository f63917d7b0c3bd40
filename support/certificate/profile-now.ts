import { isGating } from '../judge/gating.ts'
import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import type { Outcome } from '../judge/outcome.ts'
import { isNew, profileOf } from '../judge/selection.ts'
import { verdictOf } from '../judge/verdict.ts'
import { facts, paragraph } from '../report/document.ts'
import { groupBy } from '../report/reading.ts'
import type { Report } from '../report/report.ts'
import { plural, verdictWords } from '../report/words.ts'
import { erratumText, printed } from './text.ts'

/** What the recorded run proves under a profile, which may be another one than the run had. */
export type ProfileNow = ReturnType<typeof verdictUnder>

/**
 * The verdict under a profile, from judgements that were made again. The rules of the profile gate, with the errata of the
 * interface.
 */
export function verdictUnder(
  name: string,
  { rules, gate }: Pick<Report, 'rules' | 'gate'>,
  subject: InterfaceUnderTest,
) {
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
    /** Rules that decide the verdict. */
    gating: judged.filter(({ rule: { level }, expectedFailure }) =>
      isGating({ level, expectedFailure }, gate),
    ),
    /** Failures that a waiver sets aside. */
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
  const withReason = (what: string, rules: ProfileNow['gating']) =>
    rules.map(({ id, message }) => [what, message ? `${id}: ${message}` : id] as const)
  const aside = having('inapplicable').length
  const passed = `${having('passed').length} of ${plural(gating.length, 'gating rule')} passed`
  const open = [...groupBy(having('untested', 'cantTell'), ({ message }) => message)].map(
    ([reason, rules]) =>
      `${plural(rules.length, 'rule')} (${reason}): ${rules.map(({ id }) => id).join(', ')}`,
  )
  return `\n${printed([
    ...paragraph(
      `Under profile ${profile}: ${verdictWords[verdict].toLowerCase()}, ${passed}${aside === 0 ? '' : `, ${aside} not applicable`}`,
    ),
    ...facts([
      ...withReason('failed', having('failed')),
      ...open.map(text => ['no result', text] as const),
      ...withReason('waived', waived),
      ...errata.map(each => ['erratum', erratumText(each)] as const),
    ]),
  ])}`
}
