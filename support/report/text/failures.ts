import type { styleText } from 'node:util'
import { type Exchange, header } from '../../http/exchange.ts'
import { sectionOf } from '../../interface/description.ts'
import { commandFor } from '../command.ts'
import { printable } from '../printable.ts'
import type { Finding, Reading } from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import { notMet, plural } from '../words.ts'

export type Format = Parameters<typeof styleText>[0]
export type Paint = (format: Format, text: string) => string

/**
 * The violations: the first one with its evidence, the others as lines. Rules of other operations that failed in the same way are
 * listed only by id.
 * @param whole whether to show all with their evidence
 */
export function failures(
  report: Report,
  { violations, waitingFor }: Reading,
  paint: Paint,
  whole: boolean,
): string[] {
  const shown = whole ? violations : violations.slice(0, 1)
  const inFull = shown.map(([rule, ...others]) => {
    const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
    const [headline = '', ...rest] = failureText(rule, exchanges).split('\n')
    const waiting = waitingFor.get(rule.id) ?? []
    return [
      `${paint(['bold', 'red'], '✗')} ${paint('bold', headline)}`,
      ...rest,
      ...(others.length > 0 ? [`  also      ${others.map(({ id }) => id).join(', ')}`] : []),
      ...(waiting.length > 0
        ? [`  waiting   ${plural(waiting.length, 'rule waits', 'rules wait')} for it`]
        : []),
      `  again     ${printable(commandFor(report, rule))}`,
    ].join('\n')
  })
  const lines = violations
    .slice(shown.length)
    .flat()
    .map(
      ({ id, message = '' }) =>
        `${paint('red', '✗')} ${paint('bold', `Not met: ${id}`)}: ${printable(message)}`,
    )
  const where = paint('dim', '  (--verbose, conformance.md and conformance.html show these in full)')
  return lines.length === 0 ? inFull : [...inFull, [...lines, where].join('\n')]
}

/** Findings without effect on the verdict: one line each. */
export function withoutEffect(title: string, findings: readonly Finding[], paint: Paint): string {
  if (findings.length === 0) return ''
  const lines = findings.map(
    group => `  ${group.map(({ id }) => id).join(', ')}: ${printable(group[0].message ?? '')}`,
  )
  return [paint('dim', title), ...lines].join('\n')
}

/** Response headers that rules judge or that explain a response. */
const TELLING = [
  'content-type',
  'content-length',
  'content-encoding',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
]

const BODY_SHOWN = 600
const EXCHANGES_SHOWN = 3

/**
 * A failure as text: the expectation that is not met, its level and §, expected and got, the requests as `curl`, the responses.
 * Contains no colours and no characters that control a terminal.
 */
export function failureText(rule: ReportedRule, exchanges: readonly Exchange[]): string {
  const { expected, actual, message, counterexample, usually } = rule
  const lines = [
    notMet(rule),
    `  ${rule.id} · ${rule.level} · ${sectionOf(rule.clause)}`,
    ...(expected && actual
      ? [`  expected  ${printable(expected)}`, `  got       ${printable(actual)}`]
      : [`  ${printable(message ?? '')}`]),
    ...(counterexample
      ? [`  smallest  ${printable(counterexample.value)}  (${foundWith(counterexample)})`]
      : []),
    ...exchanges.slice(0, EXCHANGES_SHOWN).flatMap(exchange => exchangeLines(exchange)),
    ...(exchanges.length > EXCHANGES_SHOWN
      ? [`  … and ${exchanges.length - EXCHANGES_SHOWN} more exchanges, in exchanges.har`]
      : []),
    ...(usually ? [`  usually   ${usually}`] : []),
  ]
  return lines.join('\n')
}

const foundWith = ({ shrinks, runSeed }: NonNullable<ReportedRule['counterexample']>): string =>
  `after ${shrinks} ${shrinks === 1 ? 'shrink' : 'shrinks'}${runSeed === undefined ? '' : `, seed ${runSeed}`}`

/** A request as `curl`, with its response or its problem. */
export function exchangeLines({ request, response, problem, step }: Exchange): string[] {
  const lines = ['', ...(step ? [`  ${printable(step)}:`] : []), `  $ ${printable(request.curl)}`]
  if (!response) return [...lines, `  ! ${printable(problem?.message ?? 'no response')}`]
  const headers = TELLING.flatMap(name => {
    const value = header(response, name)
    return value === undefined ? [] : [`  < ${name}: ${printable(value)}`]
  })
  const body = response.body === '' ? [] : [`  < ${cut(response.body, response.wholeLength)}`]
  return [...lines, `  < ${response.status}`, ...headers, ...body]
}

const cut = (text: string, length = text.length): string =>
  text.length > BODY_SHOWN
    ? `${printable(text.slice(0, BODY_SHOWN))}… (${length - BODY_SHOWN} more characters)`
    : printable(text)
