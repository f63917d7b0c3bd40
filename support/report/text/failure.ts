import { type Exchange, header } from '../../http/exchange.ts'
import { sectionOf } from '../../interface/description.ts'
import type { ReportedRule } from '../report.ts'
import { printable } from './printable.ts'

/** Headers of a response that bear on what is judged. */
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
 * A failure for a person at a terminal: the sentence, its level and §, expected and got, the requests as `curl`, what came
 * back. No colour; nothing in it that could steer a terminal.
 */
export function failureText(rule: ReportedRule, exchanges: readonly Exchange[]): string {
  const { expected, actual, message, counterexample, usually } = rule
  const lines = [
    `${rule.title}`,
    `  ${rule.id} · ${rule.level} · ${sectionOf(rule.clause)}`,
    ...(expected && actual
      ? [`  expected  ${printable(expected)}`, `  got       ${printable(actual)}`]
      : [`  ${printable(message ?? '')}`]),
    ...(counterexample
      ? [
          `  smallest  ${printable(counterexample.value)}  (after ${counterexample.shrinks} shrinks, path ${counterexample.path})`,
        ]
      : []),
    ...exchanges.slice(0, EXCHANGES_SHOWN).flatMap(exchange => exchangeLines(exchange)),
    ...(exchanges.length > EXCHANGES_SHOWN
      ? [`  … and ${exchanges.length - EXCHANGES_SHOWN} more exchanges, in exchanges.har`]
      : []),
    ...(usually ? [`  usually   ${usually}`] : []),
  ]
  return lines.join('\n')
}

function exchangeLines({ request, response, problem, step }: Exchange): string[] {
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
