import { type Block, paragraph, section } from './document.ts'
import { filterForm, pageOf } from './html/page.ts'
import { pictures } from './html/pictures.ts'
import { markdown } from './markdown.ts'
import { standingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { causeSection, documentOf } from './sections.ts'
import { type TerminalOptions, terminal } from './terminal.ts'
import { targetText, verdicts } from './words.ts'

/** A run for the terminal: each cause of a failure in full, what has no result, advice in a line each, and the verdict last. */
export function summaryText(report: Report, options: TerminalOptions = {}): string {
  const all = documentOf(report)
  const rest = options.whole ? [...all.rules, ...all.observed] : []
  const problems = [...all.warnings, ...all.causes, ...all.open, ...all.advice]
  const end = [...all.effects, ...all.index, ...all.verdict]
  return `${terminal([...problems, ...rest, ...end], options)}\n`
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const { verdict, warnings, open } = documentOf(report)
  return terminal([...verdict, ...open, ...warnings])
}

/** A failure as text, without colours: what is not met, expected and got, the requests and responses. */
export const failureText = (rule: ReportedRule, report: Report): string =>
  terminal(causeSection({ standing: standingOf(rule, report.gate), rules: [rule], waiting: 0 }, report), {
    whole: true,
  })

/** What pages and comments show alike: first what has to be fixed. */
const mainBlocks = (all: ReturnType<typeof documentOf>): Block[] => [
  ...all.verdict,
  ...all.about,
  ...all.effects,
  ...all.warnings,
  ...all.index,
  ...section('Failures', all.causes, { id: 'failed', note: String(all.causes.length) }),

  ...all.open,
  ...all.advice,
  ...all.observed,
]

/** The report as a comment on a pull request: on one screen, the rest folded. */
export const reportMarkdown = (report: Report): string => markdown(mainBlocks(documentOf(report)))

/** The report as a page, with all rules. */
export function reportHtml(report: Report): string {
  const all = documentOf(report)
  const rules: Block[] = all.rules.length === 0 ? [] : [filterForm(), ...all.rules]
  return pageOf(`${verdicts[report.verdict].words}: ${targetText(report)}`, [
    ...mainBlocks(all),
    ...section('Requests and response times', pictures(report), { id: 'times' }),
    ...section('All rules', rules, { id: 'rules' }),
    ...paragraph('For programs: conformance.json. All exchanges: exchanges.har.'),
  ])
}
