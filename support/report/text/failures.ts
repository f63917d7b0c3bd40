import { alike } from '../alike.ts'
import { commandFor } from '../command.ts'
import type { Report } from '../report.ts'
import { isGating } from '../sentence.ts'
import { failureText } from './failure.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

/** So many with everything that shows them; whoever has more to mend begins with these. */
const SHOWN = 8

/** What failed and counts. The same rule of another operation, failing in the same way, is named and not shown again. */
export function failures(report: Report, paint: Paint): string[] {
  const groups = alike(report.rules.filter(rule => rule.outcome === 'failed' && isGating(report, rule)))
  const inFull = groups.slice(0, SHOWN).map(([rule, ...others]) => {
    const shown = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
    const [sentence = '', ...rest] = failureText(rule, shown).split('\n')
    return [
      `${paint(['bold', 'red'], '✗')} ${paint('bold', sentence)}`,
      ...rest,
      ...(others.length > 0 ? [`  also      ${others.map(({ id }) => id).join(', ')}`] : []),
      `  again     ${printable(commandFor(report, rule))}`,
    ].join('\n')
  })
  const left = groups.slice(SHOWN).flat()
  if (left.length === 0) return inFull
  const lines = left.map(
    ({ id, message = '' }) => `${paint('red', '✗')} ${paint('bold', id)}: ${printable(message)}`,
  )
  return [...inFull, [...lines, paint('dim', '  (these in full: conformance.md)')].join('\n')]
}

/** What failed without counting: one line each. */
export function advice(report: Report, paint: Paint): string {
  const rules = report.rules.filter(
    rule => rule.outcome === 'failed' && !isGating(report, rule) && !rule.expectedFailure,
  )
  if (rules.length === 0) return ''
  const lines = alike(rules).map(group => {
    const [{ message = '' }] = group
    return `  ${group.map(({ id }) => id).join(', ')}: ${printable(message)}`
  })
  return [paint('dim', 'Advice, which does not count (--gate advisory would make it count):'), ...lines].join(
    '\n',
  )
}
