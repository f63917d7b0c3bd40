import { sectionOf } from '../interface/description.ts'
import { alike, type Group } from './alike.ts'
import { commandFor } from './command.ts'
import type { Report, ReportedRule } from './report.ts'
import { BUNDLED, isGating, setAside, verdictSentence } from './sentence.ts'
import { printable } from './text/printable.ts'

/** Text of a store within Markdown: nothing in it is markup, HTML or a mention. */
export const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]()#+!|<>~@&-]/g, '\\$&')
    // GitHub makes links of addresses that stand alone.
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** A code span that holds any text: fenced by more backticks than it contains. */
export function code(text: string): string {
  // A span of nothing would be the opening fence of the next one.
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

/** Reads well as a comment on a pull request. */
export function markdown(report: Report): string {
  const { profile, gate, seed, suite, target, requests, durationMs } = report
  return `${[
    `## ${icons[report.verdict]} ${plain(verdictSentence(report))}`,
    `${code(target.baseUrl)}${target.reference ? `, ${BUNDLED}` : ''} · profile ${profile} · gate ${gate} · seed ${seed} · ${requests} requests in ${durationMs} ms · ${suite.name} ${suite.version}`,
    report.verdict === 'unreachable' ? '' : table(report),
    ...alike(report.rules.filter(rule => rule.outcome === 'failed' && isGating(report, rule))).map(group =>
      failure(report, group),
    ),
    stale(report),
    notJudged(report),
    details('Expected failures, which do not count', expectedLines(report)),
    details('Advice, which does not count', adviceLines(report)),
    details(
      'What this store does where the interface is silent',
      report.observations.map(({ title, saw }) => `- ${plain(title)} ${code(saw)}`),
    ),
    ...report.warnings.map(warning => `> ⚠️ ${plain(warning)}`),
  ]
    .filter(section => section !== '')
    .join('\n\n')}\n`
}

function table(report: Report): string {
  const rows = Object.keys(report.description.operations).flatMap(operation => {
    const rules = report.rules.filter(rule => rule.operation === operation)
    const count = (outcome: ReportedRule['outcome']) =>
      rules.filter(rule => rule.outcome === outcome).length || ''
    return rules.length === 0
      ? []
      : [
          `| ${operation} | ${count('passed')} | ${count('failed')} | ${count('cantTell')} | ${count('untested')} | ${count('inapplicable')} |`,
        ]
  })
  return [
    '| operation | passed | failed | could not be told | not tested | not applicable |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n')
}

/** The same rule of other operations, failing in the same way, is named and not shown again. */
function failure(report: Report, [rule, ...others]: Group): string {
  const exchange = report.exchanges[rule.exchanges[0] ?? -1]
  return [
    `### ${plain(rule.title)}`,
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

function notJudged(report: Report): string {
  const rules = report.rules.filter(
    rule => isGating(report, rule) && (rule.outcome === 'untested' || rule.outcome === 'cantTell'),
  )
  const counts = new Map<string, number>()
  for (const { need, message = '' } of rules)
    counts.set(need || message, (counts.get(need || message) ?? 0) + 1)
  if (counts.size === 0 || report.verdict === 'unreachable') return ''
  return ['### Not judged', ...[...counts].map(([why, count]) => `- ${count} × ${plain(why)}`)].join('\n')
}

function stale({ expectedFailures }: Report): string {
  if (!expectedFailures || expectedFailures.stale.length === 0) return ''
  return [
    '### Out of date among the expected failures',
    ...expectedFailures.stale.map(({ message }) => `- ${plain(message)}`),
  ].join('\n')
}

const expectedLines = (report: Report): string[] =>
  setAside(report).map(({ rule, text }) => `- ${code(rule.id)} ${plain(`${rule.message ?? ''}; ${text}`)}`)

const adviceLines = (report: Report): string[] =>
  alike(
    report.rules.filter(
      rule => rule.outcome === 'failed' && !isGating(report, rule) && !rule.expectedFailure,
    ),
  ).map(group => `- ${group.map(({ id }) => code(id)).join(', ')} ${plain(group[0].message ?? '')}`)

const details = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<details><summary>${title} (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`
