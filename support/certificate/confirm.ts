import { operations } from '../interface/operations.ts'
import { isGatingLevel } from '../judge/gating.ts'
import type { Judgement } from '../judge/judgement.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { Verified } from './verify.ts'

/** The certificate beside a run on the store that the customer uses. */
export interface Confirmation {
  readonly report: Report
  /** Rules that the certificate judged, and that this run could judge. */
  readonly judged: number
  /** Rules that have the outcome of the certificate. */
  readonly same: number
  /** Rules that passed in the certificate and fail now. */
  readonly drift: readonly ReportedRule[]
  /** Rules with a waiver that pass now. */
  readonly fixed: readonly ReportedRule[]
  /** Rules of the certificate that could not be determined or tested now. */
  readonly open: readonly ReportedRule[]
  /** Rules of the certificate that only provider states can show. */
  readonly inapplicable: readonly ReportedRule[]
  /** Ids of the rules without which nothing is confirmed: those about reading the lists. */
  readonly missing: readonly string[]
  readonly outcome: 'confirmed' | 'drift' | 'incomplete' | 'unreachable'
}

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
export function compareWith(certificate: Certificate, report: Report): Confirmation {
  const now = new Map(report.rules.map(rule => [rule.id, rule]))
  const pairs = judgedIn(certificate).flatMap(was => {
    const is = now.get(was.id)
    return is ? [{ was: was.outcome, is }] : []
  })
  const having = (was: string, is: string) =>
    pairs.filter(each => each.was === was && each.is.outcome === is).map(each => each.is)
  const drift = having('passed', 'failed')
  const fixed = having('failed', 'passed')
  const is = (...outcomes: readonly string[]) =>
    pairs.map(each => each.is).filter(({ outcome }) => outcomes.includes(outcome))
  const open = is('cantTell', 'untested')
  const judged = is('passed', 'failed').length
  const missing = READS.filter(id => now.get(id)?.outcome !== 'passed')
  const isComplete = open.length === 0 && missing.length === 0 && report.reason === undefined
  return {
    report,
    judged,
    same: judged - drift.length - fixed.length,
    drift,
    fixed,
    open,
    inapplicable: is('inapplicable'),
    missing,
    outcome:
      report.verdict === 'unreachable'
        ? 'unreachable'
        : drift.length > 0
          ? 'drift'
          : isComplete
            ? 'confirmed'
            : 'incomplete',
  }
}
