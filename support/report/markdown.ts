import { sectionOf } from '../interface/description.ts'
import { printable } from './printable.ts'
import { byOperation, type FailureGroup, type Reading, readingOf, standings } from './reading.ts'
import type { Report } from './report.ts'
import {
  besideFacts,
  capital,
  commandFor,
  failureFacts,
  type Group,
  latencyText,
  listsOf,
  newerText,
  notMet,
  OBSERVED,
  REFERENCE,
  serverErrorsOf,
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
  const judged = target.reference ? `${capital(REFERENCE)}. ` : ''
  const name = plain(storeText(store))
  const [open, ...others] = listsOf(report, reading)
  const full = (finding: FailureGroup) => failure(report, finding, reading)
  return `${[
    `## ${icons[report.verdict]} ${judged}${plain(verdictSentence(report, reading))}`,
    `${name && `${name} at `}${code(target.baseUrl)} · profile ${profile} · gate ${gate} · seed ${seed} · ${requests} requests in ${durationMs} ms · ${suite.name} ${suite.version}`,
    ...warningsOf(report).map(warning => `> ⚠️ ${plain(warning)}`),
    ...violations.slice(0, 1).map(full),
    violations
      .slice(1)
      .map(rules => groupLine({ rules, text: rules[0].message ?? '' }))
      .join('\n'),
    details('These failures in full', violations.slice(1).map(full)),
    serverErrors(report),
    report.verdict === 'unreachable' ? '' : counts(report, reading),
    open.groups.length === 0 ? '' : [`### ${open.title}`, ...open.groups.map(groupLine)].join('\n'),
    ...others.map(({ title, groups }) => details(title, groups.map(groupLine))),
    details(
      OBSERVED,
      report.observations.map(({ title, saw }) => `- ${plain(title)} ${code(saw)}`),
    ),
    details(
      'Response times',
      report.latency.map(each => `- ${latencyText(each)}`),
    ),
    newerText(report),
  ]
    .filter(section => section !== '')
    .join('\n\n')}\n`
}

function counts(report: Report, { tally, standingOf }: Reading): string {
  const columns = [...standings]
    .reverse()
    .filter(each => report.rules.some(rule => standingOf(rule) === each))
  return table(
    ['operation', ...columns.map(each => standingWords[each])],
    byOperation(report).map(([operation, own]) => {
      const numbers = new Map(tally(own))
      return [operation, ...columns.map(each => String(numbers.get(each) ?? ''))]
    }),
  )
}

/** A violation. Rules of other operations that failed in the same way are listed only by id. */
function failure(report: Report, finding: FailureGroup, reading: Reading): string {
  const [rule] = finding
  const exchange = report.exchanges[rule.exchanges[0] ?? -1]
  const facts = [...failureFacts(rule), ...besideFacts(finding, reading)]
  return [
    `### ✗ ${plain(notMet(rule))}`,
    `${code(rule.id)} · ${rule.level} · ${sectionOf(rule.clause)}`,
    ...facts.map(([label, text]) => `- ${label} ${plain(text)}`),
    `- again ${code(commandFor(report, rule))}`,
    ...(exchange ? ['', fenced(exchange.request.curl), ''] : []),
  ].join('\n')
}

function fenced(text: string): string {
  const fence = text.includes('```') ? '`````' : '```'
  return `${fence}sh\n${printable(text)}\n${fence}`
}

/** Names every rule, so that the reader sees which ones cause exit code 3. */
const groupLine = ({ rules, text }: Group): string =>
  `- ${rules.length} × ${plain(text)}: ${rules.map(({ id }) => code(id)).join(', ')}`

function serverErrors(report: Report): string {
  const { title, kinds } = serverErrorsOf(report)
  return title === ''
    ? ''
    : [
        `### ${title}`,
        ...kinds.map(({ text, first }) => `- ${plain(text)}: ${code(first?.request.curl ?? '')}`),
      ].join('\n')
}

/** A folded part. Nothing if it has no lines. */
export const details = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<details><summary>${title} (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`

/** `plain` escapes the bar, so that text cannot end its cell. A code span has no escapes, so ids with a bar are not shown as code. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
