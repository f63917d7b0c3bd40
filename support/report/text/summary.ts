import { styleText } from 'node:util'
import { operationIds } from '../../interface/operations.ts'
import { outcomes } from '../../judge/outcome.ts'
import type { Report, ReportedRule } from '../report.ts'
import { isGating, setAside, verdictSentence } from '../sentence.ts'
import { failureText } from './failure.ts'
import { printable } from './printable.ts'

export interface TextOptions {
  readonly colour: boolean
  /** Print every rule, those that passed too. */
  readonly verbose: boolean
  /** What to type to get here again, without `--only`. */
  readonly command: string
}

type Format = Parameters<typeof styleText>[0]

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
    ...failures(report, paint, options),
    advice(report, paint),
    expected(report, paint),
    missing(report, paint),
    stale(report, paint),
    report.warnings.map(warning => paint('yellow', `! ${printable(warning)}`)).join('\n'),
    paint(
      report.verdict === 'conformant' || report.verdict === 'partial' ? ['bold', 'green'] : ['bold', 'red'],
      printable(verdictSentence(report)),
    ),
  ]
  return `${sections.filter(section => section !== '').join('\n\n')}\n`
}

type Paint = (format: Format, text: string) => string

function byOperation(report: Report, paint: Paint, verbose: boolean): string {
  return operationIds
    .flatMap(operation => {
      const rules = report.rules.filter(rule => rule.operation === operation)
      if (rules.length === 0) return []
      const worst =
        WORST.find(outcome => rules.some(rule => rule.outcome === outcome && isGating(report, rule))) ??
        'passed'
      const counts = [...outcomes].reverse().flatMap(outcome => {
        const count = rules.filter(rule => rule.outcome === outcome).length
        return count > 0 ? [paint(colours[outcome], `${count} ${names[outcome]}`)] : []
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

function failures(report: Report, paint: Paint, { command }: TextOptions): string[] {
  return report.rules
    .filter(rule => rule.outcome === 'failed' && isGating(report, rule))
    .map(rule => {
      const shown = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
      const [sentence = '', ...rest] = failureText(rule, shown).split('\n')
      const again = `${command} --only ${rule.id} --seed ${report.seed}`
      return [
        `${paint(['bold', 'red'], '✗')} ${paint('bold', sentence)}`,
        ...rest,
        `  again     ${again}`,
      ].join('\n')
    })
}

/** What failed without counting: one line each. */
function advice(report: Report, paint: Paint): string {
  const rules = report.rules.filter(
    rule => rule.outcome === 'failed' && !isGating(report, rule) && !rule.expectedFailure,
  )
  if (rules.length === 0) return ''
  const lines = rules.map(rule => `  ${rule.id}: ${printable(rule.message ?? '')}`)
  return [paint('dim', `Advice, which does not count (--gate advisory would make it count):`), ...lines].join(
    '\n',
  )
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
  for (const rule of report.rules) {
    if (!isGating(report, rule) || (rule.outcome !== 'untested' && rule.outcome !== 'cantTell')) continue
    const why =
      rule.outcome === 'untested' ? `To test it, ${rule.need || rule.message}` : `Open: ${rule.message}`
    groups.set(why, (groups.get(why) ?? 0) + 1)
  }
  if (groups.size === 0 || report.verdict === 'unreachable') return ''
  const lines = [...groups].map(
    ([why, count]) => `  ${String(count).padStart(3)} ${count === 1 ? 'rule ' : 'rules'}  ${printable(why)}`,
  )
  return [paint('yellow', 'Not judged:'), ...lines].join('\n')
}
