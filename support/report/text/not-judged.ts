import type { Report, ReportedRule } from '../report.ts'
import { isGating } from '../sentence.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

/** What was not tested, by what would be needed; what could not be told, by its cause. */
export function notJudged(report: Report, paint: Paint): string {
  const failed = new Set<string | undefined>(
    report.rules.filter(rule => rule.outcome === 'failed').map(({ id }) => id),
  )
  const groups = new Map<string, { readonly one: string; readonly many: string; count: number }>()
  for (const rule of report.rules) {
    if (!isGating(report, rule) || (rule.outcome !== 'untested' && rule.outcome !== 'cantTell')) continue
    const { one, many } = wayOut(rule, failed)
    const group = groups.get(one) ?? { one, many, count: 0 }
    group.count += 1
    groups.set(one, group)
  }
  if (groups.size === 0 || report.verdict === 'unreachable') return ''
  const lines = [...groups.values()].map(
    ({ one, many, count }) =>
      `  ${String(count).padStart(3)} ${count === 1 ? 'rule ' : 'rules'}  ${printable(count === 1 ? one : many)}`,
  )
  return [paint('yellow', 'Not judged:'), ...lines].join('\n')
}

/** What would have a rule judged, in the words for one rule and for many. */
function wayOut(
  { outcome, need, message, behind }: ReportedRule,
  failed: ReadonlySet<string | undefined>,
): { readonly one: string; readonly many: string } {
  const asked = need || message
  if (outcome === 'untested') return { one: `To test it, ${asked}`, many: `To test them, ${asked}` }
  const open = failed.has(behind) ? 'Open until what failed is mended' : `Open: ${message}`
  return { one: open, many: open }
}
