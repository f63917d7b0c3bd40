import { operations } from '../interface/operations.ts'
import { isGatingLevel } from '../judge/gating.ts'
import type { Judgement } from '../judge/judgement.ts'
import { failureText } from '../report/formats.ts'
import { readingOf } from '../report/reading.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { causeText, plural } from '../report/words.ts'
import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import { printedLines } from './text.ts'
import type { Verified } from './verify.ts'

/** The certificate beside a run on the store that the customer uses. */
export type Confirmation = ReturnType<typeof compareWith>

type Certificate = Pick<Verified, 'report'>

/** Ids of the rules on which a certificate stands. */
const judgedIn = ({ report: { rules, gate } }: Certificate): readonly ReportedRule[] =>
  rules.filter(
    ({ level, outcome, newSince }) =>
      newSince === undefined && isGatingLevel(level, gate) && (outcome === 'passed' || outcome === 'failed'),
  )

/** Without these, nothing was confirmed that a customer would notice first. */
const READS: readonly string[] = Object.values(operations).flatMap(({ method, harmless }) =>
  method === 'GET' ? [harmless.rule] : [],
)

export interface ConfirmOptions extends Pick<RunOptions, 'signal' | 'undoPath' | 'env' | 'transport'> {
  readonly began?: (run: OpenRun) => void
  readonly judged?: (judgement: Judgement) => void
}

/**
 * Judges the rules of the certificate on the store that the configuration names. Nothing is changed there except what the
 * configuration names.
 * @throws {Misconfigured} if the undo journal cannot be used
 */
export async function confirmCertificate(
  { report: certified }: Certificate,
  configuration: Configuration,
  { began, judged, ...options }: ConfirmOptions = {},
): Promise<Confirmation> {
  const ids = judgedIn({ report: certified }).map(({ id }) => id)
  const { profile, gate } = certified
  const run = await openRun({ ...configuration, profile, gate, only: ids }, { ...options, unannounced: true })
  began?.(run)
  if (!run.unreachable) await run.judgeAll(judged)
  return compareWith({ report: certified }, await run.finish())
}

/** @param report of the run on the store that the customer uses */
export function compareWith(certificate: Certificate, report: Report) {
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
    /** Rules of the certificate that only provider states can show. */
    inapplicable: now('inapplicable'),
    missing,
    outcome,
  }
}

/** Drifted rules that are shown with their requests. */
const IN_FULL = 5
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
  if (outcome === 'unreachable') return printedLines(['', `Not confirmed: ${report.reason ?? ''}`])
  const seconds = (report.durationMs / 1000).toFixed(1)
  const all = plural(judged + open.length + inapplicable.length, 'rule')
  const reasons = (some: readonly ReportedRule[]) => reasonLines(some, report.rules, certified.gate)
  const lines = [
    '',
    `Compared with ${address}: ${all}, ${plural(report.requests, 'request')}, ${seconds} s, seed ${report.seed}`,
    ...(address === baseUrl
      ? []
      : [`Note: The certificate is about ${baseUrl}, and this run about ${address}.`]),
    ...(['name', 'version'] as const).flatMap(name => {
      const [was = '(none)', is] = [store?.[name], report.store?.[name]]
      return is === undefined || was === is
        ? []
        : [`Note: The certificate is about the store ${name} ${was}, and this run about ${is}.`]
    }),
    ...report.warnings.map(warning => `Note: ${warning}`),
    `  ${count(same)} the same: they have the outcome of the certificate`,
    `  ${count(drift.length)} drift: they passed in the certificate and fail now`,
    ...(fixed.length === 0
      ? []
      : [`  ${count(fixed.length)} better: they failed in the certificate, with a waiver, and pass now`]),
    `  ${count(open.length)} not confirmed: they have no result now`,
    ...reasons(open),
    ...(inapplicable.length === 0
      ? []
      : [`  ${count(inapplicable.length)} not applicable: only provider states can show them`]),
    ...reasons(inapplicable),
  ]
  return printedLines(lines) + driftText(confirmation) + incompleteText(confirmation)
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
    return `       ${count(group.rules.length)} ${reason}: ${ids.join(', ')}${more}`
  })
  return groups.length > REASONS
    ? [...lines, `            and ${plural(groups.length - REASONS, 'other reason')}`]
    : lines
}

/** Why the store is not confirmed, or not in full, although no rule drifted. */
function incompleteText({ outcome, missing, open, judged, report }: Confirmation): string {
  if (outcome !== 'incomplete') return ''
  const why = report.reason ?? (missing.length > 0 ? `no result for ${missing.join(', ')}` : undefined)
  const rules = `${open.length} of ${plural(judged + open.length, 'rule')} have no result`
  return printedLines(['', why === undefined ? `Not confirmed in full: ${rules}` : `Not confirmed: ${why}`])
}

function driftText({ drift, report }: Confirmation): string {
  const inFull = drift.slice(0, IN_FULL).map(rule => {
    const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
    return `\n✗ Drift: ${failureText(rule, exchanges)}\n`
  })
  const others = drift.slice(IN_FULL).map(({ id }) => id)
  return others.length === 0
    ? inFull.join('')
    : `${inFull.join('')}\n✗ Drift of ${plural(others.length, 'other rule')} (--out writes reports): ${others.join(', ')}\n`
}
