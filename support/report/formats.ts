import type { Exchange } from '../http/exchange.ts'
import { paragraph, section } from './document.ts'
import { evidence } from './findings.ts'
import { pageOf } from './html/page.ts'
import { markdown } from './markdown.ts'
import type { Report, ReportedRule } from './report.ts'
import { documentOf } from './sections.ts'
import { terminal } from './terminal.ts'
import { count, notMet, targetText, verdicts } from './words.ts'

/**
 * A run for the terminal: warnings, what to fix first, missing needs, counts by operation, and the verdict last.
 * @param verbose whether to print every rule, including those that passed
 */
export function summaryText(
  report: Report,
  { colour, verbose }: { readonly colour: boolean; readonly verbose: boolean },
): string {
  const { warnings, findings, judged, effects, verdict } = documentOf(report, verbose ? 'whole' : 'short')
  const where =
    findings.length < 2 || verbose
      ? []
      : paragraph('--verbose, conformance.md and conformance.html show these in full.')
  return `${terminal([...warnings, ...findings, ...where, ...judged, ...effects, verdict], { colour, whole: verbose })}\n`
}

/** What is printed of a run that Ctrl-C stopped: the reports have the rest. */
export function stoppedText(report: Report, { colour }: { readonly colour: boolean }): string {
  const { warnings, effects, verdict } = documentOf(report, 'short')
  return `${terminal([...warnings, ...effects, verdict], { colour })}\n`
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const { verdict, warnings, open } = documentOf(report, 'short')
  return terminal([verdict, ...open, ...warnings])
}

/** A failure as text, without colours: the expectation that is not met, expected and got, the requests and responses. */
export const failureText = (rule: ReportedRule, exchanges: readonly Exchange[]): string =>
  terminal(section(notMet(rule), evidence(rule, exchanges, 'short'), { finding: 'failed' }))

/** The report as a comment on a pull request. */
export function reportMarkdown(report: Report): string {
  const { verdict, about, effects, warnings, findings, judged } = documentOf(report, 'comment')
  return markdown([verdict, ...about, ...effects, ...warnings, ...findings, ...judged])
}

/** The report as a page: first what has to be fixed, then everything else. */
export function reportHtml(report: Report): string {
  const { verdict, about, effects, warnings, findings, judged } = documentOf(report, 'whole')
  return pageOf(`${verdicts[report.verdict].words}: ${targetText(report)}`, [
    verdict,
    ...about,
    ...effects,
    ...warnings,
    ...section(findings.length === 1 ? 'Fix this' : 'Fix this first', findings, {
      id: 'failed',
      note: count(findings.length),
    }),
    ...judged,
    ...paragraph('For programs: conformance.json. All exchanges: exchanges.har.'),
  ])
}
