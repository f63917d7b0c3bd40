import type { Level } from '../interface/description.ts'
import { isGatingLevel } from '../judge/gating.ts'
import type { Report, ReportedRule } from './report.ts'

/** Whether a rule takes part in the verdict of this report. */
export const isGating = (
  report: Pick<Report, 'gate'>,
  rule: Pick<ReportedRule, 'level' | 'expectedFailure'>,
): boolean => rule.expectedFailure === undefined && isGatingLevel(rule.level as Level, report.gate as Level)

/** Why a failure is borne with, by whom and until when. */
export const excuseText = ({
  reason,
  owner,
  expires,
}: NonNullable<ReportedRule['expectedFailure']>): string =>
  `expected failure: ${reason} (${owner}, until ${expires})`

/** Failures that are set aside, each with the number of rules that wait for it. */
export function setAside(report: Report): { rule: ReportedRule; text: string }[] {
  return report.rules.flatMap(rule => {
    const { expectedFailure, behind, id } = rule
    if (!expectedFailure || report.rules.some(each => each.id === behind)) return []
    const waiting = report.rules.filter(each => each.behind === id).length
    const also = waiting === 0 ? '' : `; ${waiting} ${waiting === 1 ? 'rule waits' : 'rules wait'} for it`
    return [{ rule, text: `${excuseText(expectedFailure)}${also}` }]
  })
}

/** What an address is, where it is no store of the reader's. */
export const BUNDLED = 'the bundled reference store'

/** So many entries of the file of expected failures have to go. */
export const outOfDate = (entries: number): string =>
  entries === 1 ? 'an expected failure is out of date' : `${entries} expected failures are out of date`

/** The verdict in one line that a person understands. */
export function verdictSentence(report: Report): string {
  const gating = report.rules.filter(rule => isGating(report, rule))
  const count = (...outcomes: ReportedRule['outcome'][]) =>
    gating.filter(({ outcome }) => outcomes.includes(outcome)).length
  const of = (number: number, verb: readonly [one: string, many: string]) =>
    `${number} of ${gating.length} gating rules ${number === 1 ? verb[0] : verb[1]}`
  const reason = report.reason ? ` ${report.reason}` : ''
  switch (report.verdict) {
    case 'unreachable':
      return `Nothing could be judged: ${report.reason ?? 'the store was not reached'}`
    case 'nonconformant': {
      const stale = report.expectedFailures?.stale.length ?? 0
      const { reason: alone = '' } = report
      if (count('failed') === 0) return `Not conformant: ${alone.charAt(0).toLowerCase()}${alone.slice(1)}`
      const also = stale > 0 ? `, and ${outOfDate(stale)}` : ''
      return `Not conformant: ${of(count('failed'), ['is violated', 'are violated'])}${also}.${reason}`
    }
    case 'incomplete': {
      const parts = [
        count('untested') > 0 ? `${of(count('untested'), ['was not tested', 'were not tested'])}` : '',
        count('cantTell') > 0 ? `${of(count('cantTell'), ['could not be told', 'could not be told'])}` : '',
      ].filter(part => part !== '')
      return `Incomplete: nothing is violated, but ${parts.join(' and ') || 'no gating rule passed'}.${reason}`
    }
    case 'partial': {
      const aside = report.rules.filter(
        rule => rule.expectedFailure && isGatingLevel(rule.level, report.gate),
      ).length
      if (aside > 0)
        return `Partial: ${gating.length === 1 ? 'one gating rule holds' : `${gating.length} gating rules hold`} and ${aside} ${aside === 1 ? 'is' : 'are'} set aside as ${aside === 1 ? 'an expected failure' : 'expected failures'}; that is no verdict on the whole interface.`
      return `Partial: ${gating.length === 1 ? 'the one gating rule of this selection holds' : `the ${gating.length} gating rules of this selection hold`}; that is no verdict on the whole interface.`
    }
    case 'conformant': {
      const aside = count('inapplicable')
      return `Conformant: ${aside > 0 ? `${count('passed')} gating rules hold, ${aside} do not apply here` : `all ${gating.length} gating rules hold`}.`
    }
  }
}
