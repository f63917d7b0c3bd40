import { sectionOf } from '../interface/description.ts'
import { printable } from '../report/printable.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { exchangeLines } from '../report/text/failures.ts'
import { levelMeanings, standingWords } from '../report/words.ts'
import { type Basis, basisMeanings } from './basis.ts'
import type { Recording } from './recording.ts'
import { REPORT } from './statement.ts'

/** A rule that was judged again, with everything that its outcome follows from. */
export function ruleText(
  rule: ReportedRule,
  { exchanges, description }: Pick<Report, 'exchanges' | 'description'>,
  recording: Pick<Recording, 'events'>,
  basis: Basis | undefined,
): string {
  const { id, title, operation, level, clause, because, outcome, usually, counterexample } = rule
  const { method = '', path = '' } = description.operations[operation] ?? {}
  const lines: [string, string | undefined][] = [
    ['operation', `${operation}, ${method} ${path}`],
    ['level', `${level}: ${levelMeanings[level]}`],
    ['because', because],
    ['clause', `${sectionOf(clause)}: ${description.clauses[clause]?.says}`],
    ['outcome', `${standingWords[outcome]}, judged again; ${REPORT} says the same`],
    ['basis', basis && `${basis}: ${basisMeanings[basis]}`],
    ['reason', rule.expected && rule.actual ? undefined : (rule.message ?? rule.need)],
    ['expected', rule.expected],
    ['received', rule.actual],
    ['smallest', counterexample?.value],
    ['usually', usually],
  ]
  const events = recording.events.flatMap((event, at) => (event.kind === 'exchange' ? [{ event, at }] : []))
  const shown = rule.exchanges.flatMap(index => {
    const exchange = exchanges[index]
    const recorded = events[index]
    if (!exchange || !recorded) return []
    const body = recorded.event.response?.body
    return [
      ...exchangeLines(exchange),
      `  = recording.json: events[${recorded.at}]${body === undefined ? '' : `, bodies/${body}`}`,
    ]
  })
  return `${[
    `${id}: ${title}`,
    '',
    ...lines.flatMap(([name, text]) =>
      text === undefined ? [] : [`  ${name.padEnd(10)} ${printable(text)}`],
    ),
    ...(shown.length === 0 ? ['', '  The outcome follows from no exchange.'] : shown),
  ].join('\n')}\n`
}
