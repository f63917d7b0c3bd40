import { styleText } from 'node:util'
import { type Exchange, header } from '../../http/exchange.ts'
import { sectionOf } from '../../interface/description.ts'
import { printable } from '../printable.ts'
import type { Reading } from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import { besideFacts, commandFor, failureFacts, notMet } from '../words.ts'

export const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text, { validateStream: false })

/**
 * The violations: the first one with its evidence, the others as lines. Rules of other operations that failed in the same way are
 * listed only by id.
 * @param whole whether to show all with their evidence
 */
export function failures(report: Report, reading: Reading, whole: boolean): string[] {
  const { violations } = reading
  const shown = whole ? violations : violations.slice(0, 1)
  const inFull = shown.map(finding => {
    const [rule] = finding
    const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
    const [headline = '', ...rest] = failureText(rule, exchanges).split('\n')
    return [
      `${paint(['bold', 'red'], '✗')} ${paint('bold', headline)}`,
      ...rest,
      ...[...besideFacts(finding, reading), ['again', commandFor(report, rule)] as const].map(factLine),
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

const factLine = ([label, text]: readonly [string, string]): string =>
  `  ${label.padEnd(9)} ${printable(text)}`

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
  return [
    notMet(rule),
    `  ${rule.id} · ${rule.level} · ${sectionOf(rule.clause)}`,
    ...failureFacts(rule).map(factLine),
    ...exchanges.slice(0, EXCHANGES_SHOWN).flatMap(exchangeLines),
    ...(exchanges.length > EXCHANGES_SHOWN
      ? [`  … and ${exchanges.length - EXCHANGES_SHOWN} more exchanges, in exchanges.har`]
      : []),
  ].join('\n')
}

/** A request as `curl`, with its response or its problem. */
export function exchangeLines({ request, response, problem, step }: Exchange): string[] {
  const lines = ['', ...(step ? [`  ${printable(step)}:`] : []), `  $ ${printable(request.curl)}`]
  if (!response) return [...lines, `  ! ${printable(problem?.message ?? 'no response')}`]
  const headers = TELLING.flatMap(name => {
    const value = header(response, name)
    return value === undefined ? [] : [`  < ${name}: ${printable(value)}`]
  })
  const { body, wholeLength = body.length } = response
  const more = body.length > BODY_SHOWN ? `… (${wholeLength - BODY_SHOWN} more characters)` : ''
  const shown = body === '' ? [] : [`  < ${printable(body.slice(0, BODY_SHOWN))}${more}`]
  return [...lines, `  < ${response.status}`, ...headers, ...shown]
}
