import { type Block, paragraph, section } from './document.ts'
import { pageOf } from './html/page.ts'
import { requestsPicture, timesPicture } from './html/pictures.ts'
import { markdown } from './markdown.ts'
import { standingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { causeSection, documentOf } from './sections.ts'
import { terminal } from './terminal.ts'
import { targetText, verdicts } from './words.ts'

interface Options {
  readonly colour: boolean
  /** Columns of the terminal. Without them, lines are not wrapped. */
  readonly width?: number | undefined
  /** Whether to print every rule, including those that passed, and advice in full. */
  readonly verbose?: boolean
}

/** A run for the terminal: each cause of a failure in full, what has no result, advice in a line each, and the verdict last. */
export function summaryText(report: Report, { verbose = false, ...options }: Options): string {
  const all = documentOf(report)
  const rest = verbose ? [...all.rules, ...all.inapplicable, ...all.observed, ...all.times] : []
  return `${terminal(
    [
      ...all.warnings,
      ...all.causes,
      ...all.serverErrors,
      ...all.open,
      ...all.advice,
      ...rest,
      ...all.counts,
      ...all.effects,
      ...all.index,
      ...all.verdict,
    ],
    { ...options, whole: verbose },
  )}\n`
}

/** What is printed of a run that Ctrl-C stopped: the reports have the rest. */
export function stoppedText(report: Report, options: Options): string {
  const { warnings, effects, verdict } = documentOf(report)
  return `${terminal([...warnings, ...effects, ...verdict], options)}\n`
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const { verdict, warnings, open } = documentOf(report)
  return terminal([...verdict, ...open, ...warnings])
}

/** A failure as text, without colours: what is not met, expected and got, the requests and responses. */
export const failureText = (rule: ReportedRule, report: Report): string =>
  terminal(
    causeSection({ standing: standingOf(rule, report.gate), rules: [rule], waiting: 0 }, report, false),
  )

/** What pages and comments show alike: first what has to be fixed. */
const mainBlocks = (all: ReturnType<typeof documentOf>): Block[] => [
  ...all.verdict,
  ...all.about,
  ...all.effects,
  ...all.warnings,
  ...all.index,
  ...section('Failures', all.causes, { id: 'failed', note: String(all.causes.length) }),
  ...all.serverErrors,
  ...all.open,
  ...all.advice,
  ...section('Rules by operation', all.counts, { id: 'counts' }),
  ...all.inapplicable,
  ...all.observed,
]

/** The report as a comment on a pull request: on one screen, the rest folded. */
export function reportMarkdown(report: Report): string {
  const all = documentOf(report)
  return markdown([...mainBlocks(all), ...section('Response times', all.times, { closed: true })])
}

const pictures = (report: Report): Block[] =>
  report.exchanges.length === 0 || report.latency.length === 0
    ? []
    : [requestsPicture(report), timesPicture(report)].map(picture => ({ as: 'picture', picture }))

/** The report as a page, with all rules. */
export function reportHtml(report: Report): string {
  const all = documentOf(report)
  return pageOf(`${verdicts[report.verdict].words}: ${targetText(report)}`, [
    ...mainBlocks(all),
    ...section('Requests and response times', pictures(report), { id: 'times' }),
    ...section('All rules', all.rules, { id: 'rules', filters: all.filters }),
    ...paragraph('For programs: conformance.json. All exchanges: exchanges.har.'),
  ])
}
