import { sectionOf } from '../interface/description.ts'
import { commandFor } from './command.ts'
import { printable } from './printable.ts'
import { type Finding, type Open, type Reading, readingOf, type Standing } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import {
  capital,
  causeText,
  expectedText,
  newerText,
  notMet,
  OBSERVED,
  REFERENCE,
  serverErrorsText,
  serverErrorText,
  standingWords,
  storeText,
  verdictSentence,
  warningsOf,
} from './words.ts'

/** Text of a store within Markdown, escaped so that none of it is markup, HTML or a mention. */
export const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]()#+!|<>~@&-]/g, '\\$&')
    // GitHub turns plain addresses into links.
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** A code span that holds any text: fenced by more backticks than it contains. */
export function code(text: string): string {
  // Two backticks without text would be the opening fence of another span.
  const shown = text.trim() === '' ? '(nothing)' : printable(text)
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`
}

const icons: Readonly<Record<Report['verdict'], string>> = {
  conformant: '✅',
  partial: '☑️',
  nonconformant: '❌',
  incomplete: '⚠️',
  unreachable: '🚫',
}

/** The report as a comment on a pull request. */
export function markdown(report: Report): string {
  const { profile, gate, seed, suite, target, store, requests, durationMs } = report
  const reading = readingOf(report)
  const { violations } = reading
  const reached = report.verdict !== 'unreachable'
  const judged = target.reference ? `${capital(REFERENCE)}. ` : ''
  const name = plain(storeText(store))
  return `${[
    `## ${icons[report.verdict]} ${judged}${plain(verdictSentence(report, reading))}`,
    `${name && `${name} at `}${code(target.baseUrl)} · profile ${profile} · gate ${gate} · seed ${seed} · ${requests} requests in ${durationMs} ms · ${suite.name} ${suite.version}`,
    ...warningsOf(report).map(warning => `> ⚠️ ${plain(warning)}`),
    ...violations.slice(0, 1).map(group => failure(report, group)),
    violations.slice(1).map(findingLine).join('\n'),
    details(
      'These failures in full',
      violations.slice(1).map(group => failure(report, group)),
    ),
    serverErrors(report),
    reached ? table(report, reading) : '',
    reached
      ? openList(
          '### No result',
          reading.open.filter(({ gating }) => gating > 0),
        )
      : '',
    details('Expected failures, without effect on the verdict', reading.expected.map(expectedLine)),
    details('Failed, but newer than the profile', reading.newer.map(findingLine)),
    details('Advice not followed, without effect on the verdict', reading.advice.map(findingLine)),
    reached
      ? details('Advice without a result', reading.open.filter(({ gating }) => gating === 0).map(openLine))
      : '',
    reached ? details('Not applicable', reading.inapplicable.map(openLine)) : '',
    details(
      OBSERVED,
      report.observations.map(({ title, saw }) => `- ${plain(title)} ${code(saw)}`),
    ),
    details('Response times', report.latency.map(latencyLine)),
    newerText(report),
  ]
    .filter(section => section !== '')
    .join('\n\n')}\n`
}

const columns: readonly Standing[] = ['passed', 'failed', 'cantTell', 'untested', 'inapplicable', 'advice']

function table(report: Report, reading: Reading): string {
  const rows = Object.keys(report.description.operations).flatMap(operation => {
    const rules = report.rules.filter(rule => rule.operation === operation)
    const count = (standing: Standing) =>
      rules.filter(rule => reading.standingOf(rule) === standing).length || ''
    return rules.length === 0 ? [] : [`| ${operation} | ${columns.map(count).join(' | ')} |`]
  })
  return [
    `| operation | ${columns.map(each => standingWords[each]).join(' | ')} |`,
    `|---|${columns.map(() => '--:|').join('')}`,
    ...rows,
  ].join('\n')
}

/** A violation. Rules of other operations that failed in the same way are listed only by id. */
function failure(report: Report, [rule, ...others]: Finding): string {
  const exchange = report.exchanges[rule.exchanges[0] ?? -1]
  return [
    `### ✗ ${plain(notMet(rule))}`,
    `${code(rule.id)} · ${rule.level} · ${sectionOf(rule.clause)}`,
    `- expected ${plain(rule.expected ?? '')}`,
    `- got ${plain(rule.actual ?? rule.message ?? '')}`,
    ...(rule.counterexample ? [`- smallest case ${code(rule.counterexample.value)}`] : []),
    ...(others.length > 0 ? [`- also ${others.map(({ id }) => code(id)).join(', ')}`] : []),
    ...(exchange ? ['', fenced(exchange.request.curl)] : []),
    '',
    `Again: ${code(commandFor(report, rule))}`,
  ].join('\n')
}

function fenced(text: string): string {
  const fence = text.includes('```') ? '`````' : '```'
  return `${fence}sh\n${printable(text)}\n${fence}`
}

const openList = (title: string, groups: readonly Open[]): string =>
  groups.length === 0 ? '' : [title, ...groups.map(openLine)].join('\n')

/** Names every rule, so that the reader sees which ones cause exit code 3. */
const openLine = (group: Open): string =>
  `- ${group.rules.length} × ${plain(causeText(group))}: ${group.rules.map(({ id }) => code(id)).join(', ')}`

function serverErrors(report: Report): string {
  const title = serverErrorsText(report)
  if (title === '') return ''
  return [
    `### ${title}`,
    ...report.serverErrors.map(
      each => `- ${plain(serverErrorText(each))}: ${code(curlOf(report, each.exchanges))}`,
    ),
  ].join('\n')
}

const curlOf = ({ exchanges }: Report, [first = -1]: readonly number[]): string =>
  exchanges[first]?.request.curl ?? ''

const latencyLine = ({
  operation,
  requests,
  p50Ms,
  p90Ms,
  p99Ms,
  maxMs,
}: Report['latency'][number]): string =>
  `- ${operation}: ${requests} requests, median ${p50Ms} ms, p90 ${p90Ms} ms, p99 ${p99Ms} ms, at most ${maxMs} ms`

const expectedLine = (each: { readonly rule: ReportedRule; readonly waiting: number }): string =>
  `- ${code(each.rule.id)} ${plain(`${each.rule.message ?? ''}; ${expectedText(each)}`)}`

const findingLine = (group: Finding): string =>
  `- ${group.map(({ id }) => code(id)).join(', ')} ${plain(group[0].message ?? '')}`

const details = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<details><summary>${title} (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`
