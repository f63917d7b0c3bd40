import { styleText } from 'node:util'
import { operationIds } from '../../interface/operations.ts'
import { outcomes } from '../../judge/outcome.ts'
import type { Report, ReportedRule } from '../report.ts'
import { isGating, setAside, verdictSentence } from '../sentence.ts'
import { advice, failures } from './failures.ts'
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
  return `${suite.name} ${suite.version} · ${target.baseUrl} · profile ${profile} · gate ${gate} · seed ${seed}`
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
    missing(report, paint),
    stale(report, paint),
    report.warnings.map(warning => paint('yellow', `! ${printable(warning)}`)).join('\n'),
    paint(['bold', verdictColours[report.verdict]], printable(verdictSentence(report))),
  ]
  return `${sections.filter(section => section !== '').join('\n\n')}\n`
}

function byOperation(report: Report, paint: Paint, verbose: boolean): string {
  return operationIds
    .flatMap(operation => {
      const rules = report.rules.filter(rule => rule.operation === operation)
      if (rules.length === 0) return []
      const worst =
        WORST.find(outcome => rules.some(rule => rule.outcome === outcome && isGating(report, rule))) ??
        'passed'
      const counts = [...outcomes].reverse().flatMap(outcome => {
        const of = rules.filter(rule => rule.outcome === outcome)
        const counting = outcome === 'failed' ? of.filter(rule => isGating(report, rule)) : of
        const aside = of.length - counting.length
        return [
          ...(counting.length > 0 ? [paint(colours[outcome], `${counting.length} ${names[outcome]}`)] : []),
          ...(aside > 0 ? [paint('dim', `${aside} failed without counting`)] : []),
        ]
      })
      const line = `${paint(colours[worst], marks[worst])} ${operation.padEnd(16)} ${counts.join(', ')}`
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

/** What was not tested, by what would be needed; what could not be told, by its cause. */
function missing(report: Report, paint: Paint): string {
  const groups = new Map<string, number>()
  const failed = new Set<string | undefined>(
    report.rules.filter(rule => rule.outcome === 'failed').map(({ id }) => id),
  )
  for (const rule of report.rules) {
    if (!isGating(report, rule) || (rule.outcome !== 'untested' && rule.outcome !== 'cantTell')) continue
    const why =
      rule.outcome === 'untested'
        ? `To test it, ${rule.need || rule.message}`
        : failed.has(rule.behind)
          ? 'Open until what failed is mended'
          : `Open: ${rule.message}`
    groups.set(why, (groups.get(why) ?? 0) + 1)
  }
  if (groups.size === 0 || report.verdict === 'unreachable') return ''
  const lines = [...groups].map(
    ([why, count]) => `  ${String(count).padStart(3)} ${count === 1 ? 'rule ' : 'rules'}  ${printable(why)}`,
  )
  return [paint('yellow', 'Not judged:'), ...lines].join('\n')
}
