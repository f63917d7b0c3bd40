import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { printable } from '../printable.ts'
import {
  byOperation,
  contextTable,
  contextTitles,
  type Reading,
  readingOf,
  type Standing,
} from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import {
  type List,
  latencyText,
  listsOf,
  newerText,
  plural,
  serverErrorsOf,
  standingWords,
  targetText,
  verdictSentence,
  warningsOf,
} from '../words.ts'
import { failures, paint } from './failures.ts'

export interface TextOptions {
  readonly colour: boolean
  /** Whether to print every rule, including those that passed. */
  readonly verbose: boolean
}

const marks: Readonly<Record<Standing, readonly [mark: string, colour: Parameters<typeof paint>[0]]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  cantTell: ['?', 'yellow'],
  untested: ['○', 'yellow'],
  inapplicable: ['-', 'dim'],
  advice: ['!', 'dim'],
  expected: ['!', 'dim'],
  newer: ['!', 'dim'],
}
const markOf = (standing: Standing): string => paint(marks[standing][1], marks[standing][0])

const verdictColours: Readonly<Record<Report['verdict'], 'green' | 'yellow' | 'red'>> = {
  conformant: 'green',
  partial: 'green',
  incomplete: 'yellow',
  nonconformant: 'red',
  unreachable: 'red',
}

/** First line of a run: what is judged, and what is needed to repeat it. */
export function headline(
  report: Pick<Report, 'suite' | 'target' | 'store' | 'profile' | 'gate' | 'seed'>,
): string {
  const { suite, profile, gate, seed } = report
  return `${suite.name} ${suite.version} · ${printable(targetText(report))} · profile ${profile} · gate ${gate} · seed ${seed}`
}

/** A run for the terminal: warnings, what to fix first, counts by operation, missing needs, and the verdict last. */
export function summaryText(report: Report, { colour, verbose }: TextOptions): string {
  const reading = readingOf(report)
  const reached = report.verdict !== 'unreachable'
  return `${joined(colour, [
    warnings(report),
    ...failures(report, reading, verbose),
    serverErrors(report),
    reached ? counts(report, reading, verbose) : '',
    reached && verbose ? byContext(report, reading) : '',
    ...listsOf(report, reading).map((list, at) => listText(list, at === 0, verbose)),
    verbose ? times(report) : '',
    reached ? newerText(report) : '',
    verdictLine(report, reading),
  ])}\n`
}

/** What matters most in as many lines: the verdict, what to fix first, and what has no result. */
export function screenText(report: Report, colour: boolean, lines: number): string {
  const reading = readingOf(report)
  const all = joined(colour, [
    verdictLine(report, reading),
    warnings(report),
    ...failures(report, reading, false),
    serverErrors(report),
    listText(listsOf(report, reading)[0], true, false),
  ]).split('\n')
  return all.length <= lines ? all.join('\n') : [...all.slice(0, lines - 1), '…'].join('\n')
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const reading = readingOf(report)
  const open = listText(listsOf(report, reading)[0], true, false)
  return joined(false, [verdictLine(report, reading), open, warnings(report)])
}

/** Text of a store has no control characters, so only our colours are removed. */
function joined(colour: boolean, sections: readonly string[]): string {
  const text = sections.filter(section => section !== '').join('\n\n')
  return colour ? text : stripVTControlCharacters(text)
}

/** Last line of a run: how much was done, and where the reports are. */
export const closingLine = ({ rules, requests, durationMs }: Report, folder: string): string =>
  `${plural(rules.length, 'rule')}, ${requests} requests, ${(durationMs / 1000).toFixed(1)} s. Reports: ${join(folder, 'conformance.json')} and other formats.`

const warnings = (report: Report): string =>
  warningsOf(report)
    .map(warning => paint('yellow', `! ${printable(warning)}`))
    .join('\n')

const verdictLine = (report: Report, reading: Reading): string =>
  paint(['bold', verdictColours[report.verdict]], printable(verdictSentence(report, reading)))

/** The table answers × contexts: a line for each answer. */
function byContext(report: Report, { standingOf }: Reading): string {
  const rows = contextTable(report.rules)
  if (rows.length === 0) return ''
  const width = Math.max(...rows.map(({ plain }) => plain.id.length))
  const line = ({ plain, cells }: (typeof rows)[number]): string => {
    const shown = cells.map(
      (cell, at) =>
        (cell ? markOf(standingOf(cell)) : ' ') + ' '.repeat((contextTitles[at]?.length ?? 0) + 1),
    )
    return `${plain.id.padEnd(width)}  ${shown.join('').trimEnd()}`
  }
  return [`${'Answer'.padEnd(width)}  ${contextTitles.join('  ')}`, ...rows.map(line)].join('\n')
}

/** Standings of a gating rule that keep its operation from being marked as passed. */
const URGENT: readonly Standing[] = ['failed', 'cantTell', 'untested']

function counts(report: Report, reading: Reading, verbose: boolean): string {
  const line = (rule: ReportedRule) => `    ${markOf(reading.standingOf(rule))} ${rule.id}  ${rule.title}`
  return byOperation(report)
    .flatMap(([operation, own]) => {
      const [worst = 'passed'] = reading
        .tally(own.filter(reading.isGating))
        .flatMap(([each]) => (URGENT.includes(each) ? [each] : []))
      const numbers = [...reading.tally(own)]
        .reverse()
        .map(([each, number]) => paint(marks[each][1], `${number} ${standingWords[each]}`))
      return [
        `${markOf(worst)} ${operation.padEnd(16)} ${numbers.join(', ')}`,
        ...(verbose ? own.map(line) : []),
      ]
    })
    .join('\n')
}

/** Ids of a group that are shown without --verbose. */
const NAMED = 4

/** Rules by what the report says of them, so that the user sees what to provide for which rules. */
function listText({ title, groups }: List, urgent: boolean, verbose: boolean): string {
  if (groups.length === 0) return ''
  const lines = groups.flatMap(({ rules, text }) => {
    const ids = (verbose ? rules : rules.slice(0, NAMED)).map(({ id }) => id).join(', ')
    const more =
      verbose || rules.length <= NAMED ? '' : ` and ${rules.length - NAMED} more, in conformance.md`
    return [
      `  ${String(rules.length).padStart(3)} ${rules.length === 1 ? 'rule ' : 'rules'}  ${printable(text)}`,
      paint('dim', `             ${ids}${more}`),
    ]
  })
  return [paint(urgent ? 'yellow' : 'dim', `${title}:`), ...lines].join('\n')
}

function serverErrors(report: Report): string {
  const { title, kinds } = serverErrorsOf(report)
  if (title === '') return ''
  const lines = kinds.flatMap(({ text, first }) => [
    `  ${printable(text)}`,
    ...(first ? [`    $ ${printable(first.request.curl)}`] : []),
  ])
  return [paint('red', `${title}:`), ...lines].join('\n')
}

/** Scenarios that are listed with their times. */
const SLOWEST = 10

/** Response times, which show the owner of a slow store which operation is slow. */
function times({ latency, scenarios }: Report): string {
  if (latency.length === 0) return ''
  const slowest = [...scenarios].sort((a, b) => b.waitedMs - a.waitedMs).slice(0, SLOWEST)
  return [
    'Response times:',
    ...latency.map(each => `  ${latencyText(each)}`),
    '',
    'Slowest scenarios (conformance.json has all):',
    ...slowest.map(
      ({ title, requests, roundTrips, waitedMs }) =>
        `  ${waitedMs} ms, ${plural(requests, 'request')}, ${roundTrips} in a row: ${printable(title)}`,
    ),
  ].join('\n')
}
