import { join } from 'node:path'
import { styleText } from 'node:util'
import { contextTable, contextTitles } from '../contexts.ts'
import { printable } from '../printable.ts'
import { type Open, type Reading, readingOf, type Standing, standings } from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import {
  causeText,
  expectedText,
  newerText,
  serverErrorsText,
  serverErrorText,
  standingWords,
  targetText,
  verdictSentence,
  warningsOf,
} from '../words.ts'
import { type Format, failures, type Paint, withoutEffect } from './failures.ts'

export interface TextOptions {
  readonly colour: boolean
  /** Whether to print every rule, including those that passed. */
  readonly verbose: boolean
}

const colours: Readonly<Record<Standing, Format>> = {
  passed: 'green',
  failed: 'red',
  cantTell: 'yellow',
  untested: 'yellow',
  inapplicable: 'dim',
  advice: 'dim',
  expected: 'dim',
  newer: 'dim',
}
const marks: Readonly<Record<Standing, string>> = {
  passed: '✓',
  failed: '✗',
  cantTell: '?',
  untested: '○',
  inapplicable: '-',
  advice: '!',
  expected: '!',
  newer: '!',
}
const verdictColours: Readonly<Record<Report['verdict'], 'green' | 'yellow' | 'red'>> = {
  conformant: 'green',
  partial: 'green',
  incomplete: 'yellow',
  nonconformant: 'red',
  unreachable: 'red',
}

/** Standings of a gating rule that keep its operation from being marked as passed. */
const URGENT = ['failed', 'cantTell', 'untested'] as const

/** First line of a run: what is judged, and what is needed to repeat it. */
export function headline(
  report: Pick<Report, 'suite' | 'target' | 'store' | 'profile' | 'gate' | 'seed'>,
): string {
  const { suite, profile, gate, seed } = report
  return `${suite.name} ${suite.version} · ${printable(targetText(report))} · profile ${profile} · gate ${gate} · seed ${seed}`
}

/** A run for the terminal: warnings, what to fix first, counts by operation, missing needs, and the verdict last. */
export function summaryText(report: Report, options: TextOptions): string {
  const paint = painter(options.colour)
  const reading = readingOf(report)
  const reached = report.verdict !== 'unreachable'
  const sections = [
    warnings(report, paint),
    ...failures(report, reading, paint, options.verbose),
    serverErrors(report, paint),
    reached ? byOperation(report, reading, paint, options.verbose) : '',
    reached && options.verbose ? byContext(report, reading, paint) : '',
    reached ? openText('No result:', reading.open, paint, options.verbose) : '',
    withoutEffect(`Advice not followed (no effect with --gate ${report.gate}):`, reading.advice, paint),
    withoutEffect('Failed, but newer than the profile (no effect on the verdict):', reading.newer, paint),
    expected(reading, paint),
    reached ? openText('Not applicable:', reading.inapplicable, paint, options.verbose) : '',
    options.verbose ? times(report) : '',
    reached ? newerText(report) : '',
    verdictLine(report, reading, paint),
  ]
  return `${sections.filter(section => section !== '').join('\n\n')}\n`
}

/** What matters most in as many lines: the verdict, what to fix first, and what has no result. */
export function screenText(report: Report, colour: boolean, lines: number): string {
  const paint = painter(colour)
  const reading = readingOf(report)
  const sections = [
    verdictLine(report, reading, paint),
    warnings(report, paint),
    ...failures(report, reading, paint, false),
    serverErrors(report, paint),
    report.verdict === 'unreachable' ? '' : openText('No result:', reading.open, paint, false),
  ]
  const all = sections
    .filter(section => section !== '')
    .join('\n\n')
    .split('\n')
  return all.length <= lines ? all.join('\n') : [...all.slice(0, lines - 1), paint('dim', '…')].join('\n')
}

const painter =
  (colour: boolean): Paint =>
  (format, text) =>
    colour ? styleText(format, text, { validateStream: false }) : text

const warnings = (report: Report, paint: Paint): string =>
  warningsOf(report)
    .map(warning => paint('yellow', `! ${printable(warning)}`))
    .join('\n')

const verdictLine = (report: Report, reading: Reading, paint: Paint): string =>
  paint(['bold', verdictColours[report.verdict]], printable(verdictSentence(report, reading)))

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const paint = painter(false)
  const reading = readingOf(report)
  const sections = [
    printable(verdictSentence(report, reading)),
    report.verdict === 'unreachable' ? '' : openText('No result:', reading.open, paint, false, ''),
    warnings(report, paint),
  ]
  return sections.filter(section => section !== '').join('\n\n')
}

/** Last line of a run: how much was done, and where the reports are. */
export function closingLine({ rules, requests, durationMs }: Report, folder: string): string {
  const judged = `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`
  return `${judged}, ${requests} requests, ${(durationMs / 1000).toFixed(1)} s. Reports: ${join(folder, 'conformance.json')} and other formats.`
}

/** The table answers × contexts: a line for each answer. */
function byContext(report: Report, reading: Reading, paint: Paint): string {
  const rows = contextTable(report.rules)
  if (rows.length === 0) return ''
  const width = Math.max(...rows.map(({ plain }) => plain.id.length))
  const line = ({ plain, cells }: (typeof rows)[number]): string =>
    `${plain.id.padEnd(width)}  ${cells
      .map((cell, at) => {
        const standing = cell && reading.standingOf(cell)
        const shown = standing === undefined ? ' ' : paint(colours[standing], marks[standing])
        return shown + ' '.repeat((contextTitles[at]?.length ?? 0) + 1)
      })
      .join('')
      .trimEnd()}`
  return [`${'Answer'.padEnd(width)}  ${contextTitles.join('  ')}`, ...rows.map(line)].join('\n')
}

function byOperation(report: Report, reading: Reading, paint: Paint, verbose: boolean): string {
  return Object.keys(report.description.operations)
    .flatMap(operation => {
      const rules = report.rules.filter(rule => rule.operation === operation)
      if (rules.length === 0) return []
      const of = (rule: ReportedRule) => reading.standingOf(rule)
      const worst =
        URGENT.find(each => rules.some(rule => of(rule) === each && reading.isGating(rule))) ?? 'passed'
      const counts = [...standings].reverse().flatMap(standing => {
        const { length } = rules.filter(rule => of(rule) === standing)
        return length > 0 ? [paint(colours[standing], `${length} ${standingWords[standing]}`)] : []
      })
      const line = `${paint(colours[worst], marks[worst])} ${operation.padEnd(16)} ${counts.join(', ')}`
      if (!verbose) return [line]
      return [
        line,
        ...rules.map(rule => `    ${paint(colours[of(rule)], marks[of(rule)])} ${rule.id}  ${rule.title}`),
      ]
    })
    .join('\n')
}

function expected(reading: Reading, paint: Paint): string {
  const lines = reading.expected.map(each => `  ${each.rule.id}: ${printable(expectedText(each))}`)
  return lines.length === 0 ? '' : [paint('dim', 'Expected failures, set aside:'), ...lines].join('\n')
}

/** Ids of a group that are shown without --verbose. */
const NAMED = 4

/** Rules without a result by cause, so that the user sees what to provide for which rules. */
function openText(
  title: string,
  groups: readonly Open[],
  paint: Paint,
  verbose: boolean,
  hint = ' (--verbose)',
): string {
  if (groups.length === 0) return ''
  const lines = groups.flatMap(group => {
    const { rules, gating } = group
    const ids = (verbose ? rules : rules.slice(0, NAMED)).map(({ id }) => id).join(', ')
    const more = verbose || rules.length <= NAMED ? '' : ` and ${rules.length - NAMED} more${hint}`
    const weight = gating === 0 && rules[0]?.outcome !== 'inapplicable' ? ' (no effect on the verdict)' : ''
    return [
      `  ${String(rules.length).padStart(3)} ${rules.length === 1 ? 'rule ' : 'rules'}  ${printable(causeText(group))}${weight}`,
      paint('dim', `             ${ids}${more}`),
    ]
  })
  const urgent = groups.some(
    ({ gating, rules }) => gating > 0 && rules.some(({ outcome }) => outcome !== 'inapplicable'),
  )
  return [paint(urgent ? 'yellow' : 'dim', title), ...lines].join('\n')
}

/** Kinds of server errors that are listed. */
const LISTED = 8

function serverErrors(report: Report, paint: Paint): string {
  const title = serverErrorsText(report)
  if (title === '') return ''
  const lines = report.serverErrors.slice(0, LISTED).flatMap(each => {
    const first = report.exchanges[each.exchanges[0] ?? -1]
    return [
      `  ${printable(serverErrorText(each))}`,
      ...(first ? [`    $ ${printable(first.request.curl)}`] : []),
    ]
  })
  const more = report.serverErrors.length - LISTED
  return [
    paint('red', `${title}:`),
    ...lines,
    ...(more > 0 ? [`  and ${more} more requests, in conformance.json`] : []),
  ].join('\n')
}

/** Scenarios that are listed with their times. */
const SLOWEST = 10

/** Response times, which show the owner of a slow store which operation is slow. */
function times({ latency, scenarios }: Report): string {
  if (latency.length === 0) return ''
  const row = (name: string, ...cells: readonly (string | number)[]) =>
    `  ${name.padEnd(17)}${cells.map(cell => String(cell).padStart(11)).join('')}`
  const slowest = [...scenarios].sort((a, b) => b.waitedMs - a.waitedMs).slice(0, SLOWEST)
  return [
    'Response times in milliseconds:',
    row('', 'requests', 'p50', 'p90', 'p99', 'max'),
    ...latency.map(each =>
      row(each.operation, each.requests, each.p50Ms, each.p90Ms, each.p99Ms, each.maxMs),
    ),
    '',
    'Slowest scenarios (conformance.json has all):',
    row('', 'requests', 'in a row', 'ms'),
    ...slowest.map(
      ({ title, requests, roundTrips, waitedMs }) =>
        `${row('', requests, roundTrips, waitedMs)}  ${printable(title)}`,
    ),
  ].join('\n')
}
