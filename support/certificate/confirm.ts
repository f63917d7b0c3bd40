import { operations } from '../interface/operations.ts'
import { canGate } from '../judge/gating.ts'
import { list, paragraph, section, warnings } from '../report/document.ts'
import { finding } from '../report/findings.ts'
import { readingOf } from '../report/reading.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { documentOf } from '../report/sections.ts'
import { terminal } from '../report/terminal.ts'
import { plural } from '../report/words.ts'
import { openRun } from '../run/run.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { RecordOptions } from './record.ts'
import type { Verified } from './verify.ts'

/** The certificate beside a run on the store that the customer uses. */
export type Confirmation = ReturnType<typeof compareWith>

/** The rules on which a certificate stands. */
const judgedIn = ({ rules, gate }: Report): readonly ReportedRule[] =>
  rules.filter(rule => canGate(rule, gate) && (rule.outcome === 'passed' || rule.outcome === 'failed'))

/** Without these, nothing was confirmed that a customer would notice first. */
const READS: readonly string[] = Object.values(operations).flatMap(({ method, harmless }) =>
  method === 'GET' ? [harmless.rule] : [],
)

/**
 * Judges the rules of the certificate on the store that the configuration names. Nothing is changed there except what the
 * configuration names.
 * @throws {Misconfigured} if the undo journal cannot be used
 */
export async function confirmCertificate(
  { report: certified }: Pick<Verified, 'report'>,
  configuration: Configuration,
  { began, judged, ...options }: Pick<RecordOptions, 'signal' | 'undoPath' | 'began' | 'judged'>,
): Promise<Confirmation> {
  const ids = judgedIn(certified).map(({ id }) => id)
  const { profile, gate } = certified
  const run = await openRun(subject, { ...configuration, profile, gate, only: ids }, options)
  began?.(run)
  return compareWith(certified, await run.finish({ judged }))
}

/** @param report of the run on the store that the customer uses */
export function compareWith(certificate: Report, report: Report) {
  const certified = new Map(judgedIn(certificate).map(({ id, outcome }) => [id, outcome]))
  const now = (...outcomes: readonly string[]) =>
    report.rules.filter(({ id, outcome }) => certified.has(id) && outcomes.includes(outcome))
  const drift = now('failed').filter(({ id }) => certified.get(id) === 'passed')
  const fixed = now('passed').filter(({ id }) => certified.get(id) === 'failed')
  const open = now('cantTell', 'untested')
  const judged = now('passed', 'failed').length
  const passed = new Set(report.rules.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id))
  const missing = READS.filter(id => !passed.has(id))
  const isComplete = open.length === 0 && missing.length === 0 && report.reason === undefined
  const reached = drift.length > 0 ? 'drift' : isComplete ? 'confirmed' : 'incomplete'
  const outcome: typeof reached | 'unreachable' = report.verdict === 'unreachable' ? 'unreachable' : reached
  return {
    report,
    /** Rules that the certificate judged, and that this run could judge. */
    judged,
    /** Rules that have the outcome of the certificate. */
    same: judged - drift.length - fixed.length,
    /** Rules that passed in the certificate and fail now. */
    drift,
    /** Rules with a waiver that pass now. */
    fixed,
    /** Rules of the certificate that could not be determined or tested now. */
    open,
    /** Rules of the certificate that this run cannot show, for example because no revoked key was given. */
    inapplicable: now('inapplicable'),
    missing,
    outcome,
  }
}

/** Drifted rules that are shown with their requests. */
const IN_FULL = 5
/** Drifted rules that are named. */
const NAMED = 40

/** What `verify --confirm` prints of the run on the store that the customer uses. */
export function confirmedText(
  confirmation: Confirmation,
  { statement }: Pick<Verified, 'statement'>,
): string {
  const { same, drift, fixed, open, inapplicable, judged, outcome, missing } = confirmation
  // A confirmation arranges nothing.
  const rules = confirmation.report.rules.map(({ need, ...rule }) =>
    need === undefined
      ? rule
      : { ...rule, need: need.replace(', or give a states endpoint (--states-url)', '') },
  )
  const report = { ...confirmation.report, rules }
  const { baseUrl, store } = statement.predicate
  if (outcome === 'unreachable') return `\n${terminal(paragraph(`Not confirmed: ${report.reason ?? ''}`))}\n`
  const run = documentOf(report, 'short')
  const of = { ...readingOf(report), report, detail: 'short' } as const
  const seconds = (report.durationMs / 1000).toFixed(1)
  const all = plural(judged + open.length + inapplicable.length, 'rule')
  const other = (what: string, was = '(none)', is = was) =>
    was === is ? [] : [`The certificate is about ${what} ${was}, and this run about ${is}.`]
  const counts = [
    `${same} the same: they have the outcome of the certificate`,
    `${drift.length} drift: they passed in the certificate and fail now`,
    `${fixed.length} better: they failed in the certificate, with a waiver, and pass now`,
    `${open.length} not confirmed: they have no result now`,
    `${inapplicable.length} not applicable: this run cannot show them, see the reasons`,
  ]
  const why = report.reason ?? (missing.length > 0 ? `no result for ${missing.join(', ')}` : undefined)
  const without = `${open.length} of ${plural(judged + open.length, 'rule')} have no result`
  const unnamed = drift.length - NAMED
  return `\n${terminal([
    ...section(
      `Compared with ${report.target.baseUrl}: ${all}, ${plural(report.requests, 'request')}, ${seconds} s, seed ${report.seed}`,
      list(counts.map(text => ({ text }))),
    ),
    ...warnings([
      ...other('the address', baseUrl, report.target.baseUrl),
      ...other('the store name', store?.name, report.store?.name),
      ...other('the store version', store?.version, report.store?.version),
    ]),
    ...run.warnings,
    ...run.judged,
    ...section('Drift', [
      ...drift.slice(0, NAMED).flatMap((rule, at) => finding(rule, of, at >= IN_FULL)),
      ...paragraph(unnamed > 0 ? `and ${plural(unnamed, 'other rule')} (--out writes reports)` : ''),
    ]),
    // No rule drifted, but the store is not confirmed, or not in full.
    ...paragraph(
      outcome === 'incomplete' ? (why ? `Not confirmed: ${why}` : `Not confirmed in full: ${without}`) : '',
    ),
  ])}\n`
}
