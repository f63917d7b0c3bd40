import { printable } from '../report/printable.ts'
import { readingOf } from '../report/reading.ts'
import type { ReportedRule } from '../report/report.ts'
import { failureText } from '../report/text/failures.ts'
import { causeText, plural } from '../report/words.ts'
import type { Confirmation } from './confirm.ts'
import type { Verified } from './verify.ts'

/** Drifted rules that are shown with their requests, and those that are shown with a line. */
const IN_FULL = 5
const IN_LINES = 20
/** Reasons why rules are not confirmed, and ids that each of them names. */
const REASONS = 8
const NAMED = 3

/** What `verify --confirm` prints of the run on the store that the customer uses. */
export function confirmedText(
  confirmation: Confirmation,
  { statement, report: certified }: Verified,
): string {
  const { report, same, drift, fixed, open, inapplicable, judged, outcome } = confirmation
  const { baseUrl, store } = statement.predicate
  const address = report.target.baseUrl
  if (outcome === 'unreachable') return `\nNot confirmed: ${printable(report.reason ?? '')}\n`
  const notes = [
    ...(address === baseUrl ? [] : [`The certificate is about ${baseUrl}, and this run about ${address}.`]),
    ...(['name', 'version'] as const).flatMap(name => {
      const [was, is] = [store?.[name], report.store?.[name]]
      return is === undefined || was === is
        ? []
        : [`The certificate is about the store ${name} ${was ?? '(none)'}, and this run about ${is}.`]
    }),
    ...report.warnings,
  ]
  const all = judged + open.length + inapplicable.length
  const lines = [
    '',
    printable(
      `Compared with ${address}: ${plural(all, 'rule')}, ${plural(report.requests, 'request')}, ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed}`,
    ),
    ...notes.map(note => `Note: ${printable(note)}`),
    `  ${count(same)} the same: they have the outcome of the certificate`,
    `  ${count(drift.length)} drift: they passed in the certificate and fail now`,
    ...(fixed.length === 0
      ? []
      : [`  ${count(fixed.length)} better: they failed in the certificate, with a waiver, and pass now`]),
    `  ${count(open.length)} not confirmed: they have no result now`,
    ...reasonLines(open, report.rules, certified.gate),
    ...(inapplicable.length === 0
      ? []
      : [`  ${count(inapplicable.length)} not applicable: only provider states can show them`]),
    ...reasonLines(inapplicable, report.rules, certified.gate),
    ...driftLines(confirmation),
    ...incompleteLines(confirmation),
  ]
  return `${lines.join('\n')}\n`
}

const count = (number: number): string => String(number).padStart(4)

function reasonLines(
  some: readonly ReportedRule[],
  rules: readonly ReportedRule[],
  gate: Confirmation['report']['gate'],
): string[] {
  const wanted = new Set(some.map(({ id }) => id))
  const reading = readingOf({ gate, rules })
  const groups = [...reading.open, ...reading.inapplicable]
    .map(group => ({ ...group, rules: group.rules.filter(({ id }) => wanted.has(id)) }))
    .filter(group => group.rules.length > 0)
  const lines = groups.slice(0, REASONS).map(group => {
    const ids = group.rules.slice(0, NAMED).map(({ id }) => id)
    const more = group.rules.length > NAMED ? ', …' : ''
    // A confirmation arranges nothing, and a customer cannot fix the store.
    const reason = causeText(group)
      .replace(', or give a states endpoint (--states-url)', '')
      .replace(', fix it first', '')
    return `       ${count(group.rules.length)} ${printable(reason)}: ${ids.join(', ')}${more}`
  })
  return groups.length > REASONS
    ? [...lines, `            and ${plural(groups.length - REASONS, 'other reason')}`]
    : lines
}

/** Why the store is not confirmed, or not in full, although no rule drifted. */
function incompleteLines({ outcome, missing, open, judged, report }: Confirmation): string[] {
  if (outcome !== 'incomplete') return []
  const why = report.reason ?? `no result for ${missing.join(', ')}`
  return report.reason !== undefined || missing.length > 0
    ? ['', `Not confirmed: ${printable(why)}`]
    : ['', `Not confirmed in full: ${open.length} of ${plural(judged + open.length, 'rule')} have no result`]
}

function driftLines({ drift, report }: Confirmation): string[] {
  const inFull = drift.slice(0, IN_FULL).flatMap(rule => {
    const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
    return ['', `✗ Drift: ${failureText(rule, exchanges)}`]
  })
  const further = drift.slice(IN_FULL)
  const lines = further
    .slice(0, IN_LINES)
    .map(({ id, message = '' }) => `✗ Drift: ${id}: ${printable(message)}`)
  const left = further.length - IN_LINES
  return [
    ...inFull,
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...(left > 0 ? [`and ${plural(left, 'other rule')} (--out writes all of them)`] : []),
  ]
}
