import type { Report } from '../report.ts'
import { outOfDate } from '../sentence.ts'
import type { Facts } from './facts.ts'
import { count, plural } from './text.ts'
import { type Outcome, verdictWords } from './words.ts'

/** The verdict, and what it rests on, in a sentence. */
export function verdictSentence({ report, gating }: Facts): string {
  const of = (...outcomes: Outcome[]) => gating.filter(({ outcome }) => outcomes.includes(outcome)).length
  const failed = of('failed')
  const open = of('untested', 'cantTell')
  const judged = of('passed', 'failed')
  const word = verdictWords[report.verdict]
  switch (report.verdict) {
    case 'conformant':
      return `${word}: ${allOf(judged)} kept`
    case 'partial':
      return `${word}: ${allOf(judged, 'selected ')} kept`
    case 'nonconformant':
      if (failed === 0) return `${word}: ${outOfDate(report.expectedFailures?.stale.length ?? 0)}`
      return `${word}: ${count(failed)} of ${rules(gating.length)} ${failed === 1 ? 'is' : 'are'} violated`
    case 'unreachable':
      return `${word}: nothing could be judged`
    case 'incomplete':
      if (open > 0)
        return `${word}: nothing failed that gates, but ${count(open)} of ${rules(gating.length)} could not be tested or told`
      return judged > 0 ? `${word}: the run was stopped` : `${word}: no gating rule was judged`
  }
}

const rules = (number: number): string => plural(number, 'gating rule')

const allOf = (number: number, kind = ''): string =>
  number === 1 ? `the one ${kind}gating rule is` : `all ${count(number)} ${kind}gating rules that apply are`

const gateWords = {
  required: 'required alone',
  implied: 'implied and required',
  advisory: 'advisory, implied and required',
} as const

/** Which levels decide; the first word is the setting. */
export const gateWordsOf = ({ gate }: Pick<Report, 'gate'>): string => gateWords[gate]

/** What else a reader of the verdict has to know. */
export function verdictRemarks({ report, gating, failed }: Facts): readonly string[] {
  const violated = gating.filter(({ outcome }) => outcome === 'failed').length
  const silent = gating.filter(({ outcome }) => outcome === 'untested' || outcome === 'cantTell').length
  const ungated = failed.filter(rule => !gating.includes(rule) && !rule.expectedFailure)
  const aside = failed.filter(rule => rule.expectedFailure).length
  const stale = report.expectedFailures?.stale.length ?? 0
  const inapplicable = gating.filter(({ outcome }) => outcome === 'inapplicable').length
  return [
    ...(aside > 0
      ? [`${plural(aside, 'failure')} ${aside === 1 ? 'is' : 'are'} expected and set aside.`]
      : []),
    ...(report.verdict === 'partial'
      ? [
          `${aside > 0 ? 'So this' : 'A selection of rules was run, so this'} says nothing about the interface as a whole.`,
        ]
      : []),
    ...(stale > 0 && (violated > 0 || report.verdict !== 'nonconformant')
      ? [`${plural(stale, 'expected failure')} out of date: that counts as a violation.`]
      : []),
    ...(report.verdict === 'nonconformant' && silent > 0
      ? [`${plural(silent, violated > 0 ? 'more gating rule' : 'gating rule')} could not be tested or told.`]
      : []),
    ...(ungated.length > 0
      ? [
          `${plural(ungated.length, 'rule')} that ${ungated.length === 1 ? 'does' : 'do'} not gate failed as well.`,
        ]
      : []),
    ...(inapplicable > 0 && report.verdict !== 'unreachable'
      ? [
          `${plural(inapplicable, 'gating rule')} ${inapplicable === 1 ? 'does' : 'do'} not apply to this run.`,
        ]
      : []),
  ]
}
