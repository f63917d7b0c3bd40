import { styleText } from 'node:util'
import { outcomes } from '../../judge/outcome.ts'
import type { Report, ReportedRule } from '../report.ts'
import { BUNDLED, isGating, setAside, verdictSentence } from '../sentence.ts'
import { advice, failures } from './failures.ts'
import { notJudged } from './not-judged.ts'
import type { Format, Paint } from './paint.ts'
import { printable } from './printable.ts'

export interface TextOptions {
  readonly colour: boolean
  /** Print every rule, those that passed too. */
  readonly verbose: boolean
}

const names: Readonly<Record<ReportedRule['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  cantTell: 'could not be told',
  inapplicable: 'not applicable',
  untested: 'not tested',
}
const colours: Readonly<Record<ReportedRule['outcome'], Format>> = {
  passed: 'green',
  failed: 'red',
  cantTell: 'yellow',
  inapplicable: 'dim',
  untested: 'yellow',
}
const verdictColours: Readonly<Record<Report['verdict'], 'green' | 'yellow' | 'red'>> = {
  conformant: 'green',
  partial: 'green',
  incomplete: 'yellow',
  nonconformant: 'red',
  unreachable: 'red',
}
/** What makes of an operation something other than passed. */
const WORST = ['failed', 'cantTell', 'untested'] as const
const marks: Readonly<Record<ReportedRule['outcome'], string>> = {
  passed: '✓',
  failed: '✗',
  cantTell: '?',
  inapplicable: '-',
  untested: '○',
}

/** What stands before a run: enough to repeat it. */
export function headline(report: Pick<Report, 'suite' | 'target' | 'profile' | 'gate' | 'seed'>): string {
  const { suite, target, profile, gate, seed } = report
  return `${suite.name} ${suite.version} · ${target.baseUrl}${target.reference ? `, ${BUNDLED}` : ''} · profile ${profile} · gate ${gate} · seed ${seed}`
}

/** A run for a person at a terminal: operation by operation, what failed, what to provide, and the verdict last. */
export function summaryText(report: Report, options: TextOptions): string {
  const paint = (format: Format, text: string) =>
    options.colour ? styleText(format, text, { validateStream: false }) : text
  const sections = [
    report.verdict === 'unreachable' ? '' : byOperation(report, paint, options.verbose),
    ...failures(report, paint),
    advice(report, paint),
    expected(report, paint),
    notJudged(report, paint),
    stale(report, paint),
    report.warnings.map(warning => paint('yellow', `! ${printable(warning)}`)).join('\n'),
    paint(['bold', verdictColours[report.verdict]], printable(verdictSentence(report))),
  ]
  return `${sections.filter(section => section !== '').join('\n\n')}\n`
}

function byOperation(report: Report, paint: Paint, verbose: boolean): string {
  return Object.keys(report.description.operations)
    .flatMap(operation => {
      const rules = report.rules.filter(rule => rule.operation === operation)
      if (rules.length === 0) return []
      const worst =
        WORST.find(outcome => rules.some(rule => rule.outcome === outcome && isGating(report, rule))) ??
        'passed'
      const aside = rules.filter(rule => rule.outcome === 'failed' && !isGating(report, rule))
      const counts = [...outcomes].reverse().flatMap(outcome => {
        const { length } = rules.filter(rule => rule.outcome === outcome && !aside.includes(rule))
        return length > 0 ? [paint(colours[outcome], `${length} ${names[outcome]}`)] : []
      })
      const line = `${paint(colours[worst], marks[worst])} ${operation.padEnd(16)} ${[...counts, ...notCounting(aside, paint)].join(', ')}`
      return verbose
        ? [
            line,
            ...rules.map(
              rule => `    ${paint(colours[rule.outcome], marks[rule.outcome])} ${rule.id}  ${rule.title}`,
            ),
          ]
        : [line]
    })
    .join('\n')
}

/** Failures that the verdict does not rest on, by why it does not. */
function notCounting(failed: readonly ReportedRule[], paint: Paint): string[] {
  const known = failed.filter(({ expectedFailure }) => expectedFailure).length
  const advisory = failed.filter(rule => rule.level === 'advisory' && !rule.expectedFailure).length
  const implied = failed.length - known - advisory
  return [
    ...(known > 0 ? [`${known} failed as expected`] : []),
    ...(implied > 0 ? [`${implied} implied not kept`] : []),
    ...(advisory > 0 ? [`${advisory} advisory not kept`] : []),
  ].map(words => paint('dim', words))
}

/** What failed and is known to. */
function expected(report: Report, paint: Paint): string {
  const lines = setAside(report).map(({ rule, text }) => `  ${rule.id}: ${printable(text)}`)
  return lines.length === 0 ? '' : [paint('dim', 'Expected, and set aside:'), ...lines].join('\n')
}

function stale({ expectedFailures }: Report, paint: Paint): string {
  const lines = expectedFailures?.stale.map(({ message }) => `  ${printable(message)}`) ?? []
  if (lines.length === 0) return ''
  return [paint('red', 'Out of date among the expected failures (exit 1):'), ...lines].join('\n')
}
