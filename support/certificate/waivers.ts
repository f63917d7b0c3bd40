import { type ExpectedFailures, isAbout } from '../judge/expected-failures.ts'
import { canGate } from '../judge/gating.ts'
import type { ReportedRule, ReportFile } from '../report/report.ts'
import type { Waiver } from './recording.ts'

type Judged = Pick<ReportFile, 'rules' | 'gate'>

const isWaived = (rule: ReportedRule, { gate }: Judged): boolean =>
  rule.outcome === 'failed' && canGate(rule, gate)

/**
 * A waiver for each rule that an entry of the file covers, by its id. A rule that passes is covered as well: then the entry is out of
 * date, and the recorded run has to show it.
 */
export function waiversOf({ entries = [] }: Partial<ExpectedFailures>, report: Judged): Waiver[] {
  const covered = entries.flatMap(({ lines: _lines, ...entry }) =>
    report.rules
      .filter(rule => isAbout(entry, rule) && (rule.outcome === 'passed' || isWaived(rule, report)))
      .map(({ id }): [string, Waiver] => [id, { ...entry, rule: id }]),
  )
  // The first entry for a rule counts.
  return [...new Map(covered.reverse()).values()].reverse()
}

/** A waiver that covers nothing would make a certificate look as if more were accepted, or would cover a later failure. */
export const idleWaivers = ({ file, entries }: ExpectedFailures, report: Judged): string[] =>
  entries
    .filter(entry => waiversOf({ entries: [entry] }, report).length === 0)
    .map(
      ({ rule, lines }) =>
        `${file}:${lines[0]}: the waiver of ${rule} covers nothing: no gating rule with this id failed; remove it`,
    )

/** Ids of the gating rules that were not judged because the waived rule has to hold first. */
export const waitingFor = ({ rule: id }: Waiver, report: Judged): string[] =>
  report.rules
    .filter(each => each.outcome !== 'failed' && each.expectedFailure && each.behind === id)
    .filter(each => canGate(each, report.gate))
    .map(each => each.id)

/** The last moment at which every waiver is valid. Infinite without waivers. */
export const lastMomentOf = (waivers: readonly Pick<Waiver, 'expires'>[]): number =>
  Math.min(...waivers.map(({ expires }) => Date.parse(`${expires}T23:59:59.999Z`)))

/** Why these waivers must not be in a certificate. Judging again shows whether the report applied them. */
export function waiverProblem(waivers: readonly Waiver[], report: Judged): string | undefined {
  if (new Set(waivers.map(({ rule }) => rule)).size < waivers.length) return 'a rule has two waivers'
  const byId = new Map(report.rules.map(each => [each.id, each]))
  const idle = waivers.find(({ rule, operation }) => {
    const covered = byId.get(rule)
    return covered?.operation !== operation || !isWaived(covered, report)
  })
  return idle && `the waiver of ${idle.rule} covers no gating rule that failed`
}
