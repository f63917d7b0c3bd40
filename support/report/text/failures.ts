import type { styleText } from 'node:util'
import { type Exchange, header } from '../../http/exchange.ts'
import { sectionOf } from '../../interface/description.ts'
import { commandFor } from '../command.ts'
import { printable } from '../printable.ts'
import type { Finding, Reading } from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import { notMet } from '../words.ts'

export type Format = Parameters<typeof styleText>[0]
export type Paint = (format: Format, text: string) => string

/** Findings that are shown with their evidence. The others have one line each. */
const SHOWN = 8

/** The violations. Rules of other operations that failed in the same way are listed only by id. */
export function failures(report: Report, { violations }: Reading<ReportedRule>, paint: Paint): string[] {
  const inFull = violations.slice(0, SHOWN).map(([rule, ...others]) => {
    const shown = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
    const [headline = '', ...rest] = failureText(rule, shown).split('\n')
    return [
      `${paint(['bold', 'red'], '✗')} ${paint('bold', headline)}`,
      ...rest,
      ...(others.length > 0 ? [`  also      ${others.map(({ id }) => id).join(', ')}`] : []),
      `  again     ${printable(commandFor(report, rule))}`,
    ].join('\n')
  })
  const left = violations.slice(SHOWN).flat()
  if (left.length === 0) return inFull
  const lines = left.map(
    ({ id, message = '' }) =>
      `${paint('red', '✗')} ${paint('bold', `Not met: ${id}`)}: ${printable(message)}`,
  )
  return [
    ...inFull,
    [...lines, paint('dim', '  (conformance.md and conformance.html show these in full)')].join('\n'),
  ]
}

/** Findings without effect on the verdict: one line each. */
export function withoutEffect(
  title: string,
  findings: readonly Finding<ReportedRule>[],
  paint: Paint,
): string {
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
