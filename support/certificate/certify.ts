import type { KeyObject } from 'node:crypto'
import { type Report, reportJson } from '../report/report.ts'
import { startReference } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { limitOf } from './archive.ts'
import { printEnvelope, signed } from './dsse.ts'
import { notReproducible, type RecordedRun, type RecordOptions, recordRun } from './record.ts'
import { orRefused, Refused } from './refused.ts'
import {
  type CertificateFiles,
  ENVELOPE,
  EVIDENCE,
  type EvidenceFile,
  NOTICE,
  predicateOf,
  profileOfReport,
  RECORDING,
  REPORT,
  type Statement,
  statementOf,
  subjectOf,
  suiteOf,
} from './statement.ts'
import { jsonFile } from './strict-json.ts'
import { verifyCertificate, verifyEvidence } from './verify.ts'
import { idleWaivers } from './waivers.ts'

export interface CertifyOptions extends Omit<RecordOptions, 'reference'> {
  readonly keys: readonly KeyObject[]
  readonly validDays: number
}

export type Certified =
  | { readonly report: Report; readonly files: CertificateFiles; readonly statement: Statement }
  | {
      readonly report: Report
      readonly obstacles: readonly string[]
      /** The recorded run, if it can be judged again. */
      readonly evidence?: CertificateFiles
    }

/** Judges the store, and certifies it if nothing is missing. The certificate, or the evidence, has been verified before it is returned. */
export async function certifyStore(
  given: Configuration,
  { keys, challenge, validDays, ...options }: CertifyOptions,
): Promise<Certified> {
  const reference = given.target === 'reference' ? await startReference() : undefined
  const configuration = {
    ...given,
    ...(reference && { ...reference.options, target: 'base' as const }),
    ...(challenge === undefined ? {} : { seed: 0 }),
  }
  try {
    const run = await recordRun(configuration, {
      ...options,
      ...(reference && { env: reference.options.env, reference: true }),
      challenge,
    })
    const { report } = run
    const { expectedFailures } = configuration
    const missing = [...obstacles(report), ...(expectedFailures ? idleWaivers(expectedFailures, report) : [])]
    const without = (problem: string | undefined) => ({
      report,
      obstacles: problem === undefined ? missing : [...missing, problem],
    })
    if (!('recording' in run)) return without(run.problem)
    const now = Date.now()
    const issued = missing.length > 0 ? undefined : issue(run, { keys, validDays, issuedAt: now })
    const files = issued?.files ?? evidenceOf(run)
    const beyond = limitOf([...files].map(([name, { length }]) => ({ name, size: length })))
    if (beyond !== undefined) return without(`nobody could verify it: it ${beyond}`)
    const verified = await orRefused<object>(
      issued ? verifyCertificate(files, { keys: [], challenge, now }) : verifyEvidence(files, challenge),
    )
    if (verified instanceof Refused) return without(notReproducible(verified))
    return issued ? { report, ...issued } : { report, obstacles: missing, evidence: files }
  } finally {
    await reference?.close()
  }
}

const DAY = 86_400_000

/** Why a run does not lead to a certificate. The summary of the run names the rules. Empty if it leads to one. */
function obstacles({ verdict, reason, expectedFailures }: Report): string[] {
  const stale = expectedFailures?.stale ?? []
  if (verdict === 'conformant' || (verdict === 'partial' && expectedFailures && stale.length === 0)) return []
  return [`the verdict is ${verdict}${reason ? `: ${reason}` : ''}`, ...stale.map(({ message }) => message)]
}

/** The certificate of a recorded run that has no obstacles. @param issuedAt milliseconds since the epoch */
export function issue(
  run: RecordedRun,
  { keys, validDays, issuedAt }: Pick<CertifyOptions, 'keys' | 'validDays'> & { readonly issuedAt: number },
): { readonly files: CertificateFiles; readonly statement: Statement } {
  const { recording, replayed } = run
  const files = recordedFiles(run)
  const predicate = predicateOf({
    report: replayed,
    recording,
    issuedAt,
    validUntil: issuedAt + validDays * DAY,
  })
  const statement = statementOf(predicate, files)
  const envelope = keys.reduce(signed, { payload: jsonFile(statement), signatures: [] })
  return { statement, files: new Map([[ENVELOPE, printEnvelope(envelope)], ...files]) }
}

/** The report and the recording, and the bodies, by the names of their files. */
function recordedFiles({ recording, replayed }: RecordedRun): CertificateFiles {
  const { bodies, challenge: _challenge, ...file } = recording
  return new Map([
    [REPORT, Buffer.from(reportJson(replayed))],
    [RECORDING, Buffer.from(`${JSON.stringify(file)}\n`)],
    ...[...bodies].sort().map(([digest, bytes]) => [`bodies/${digest}`, bytes] as const),
  ])
}

/** The recorded run, whatever its outcomes are. */
export function evidenceOf(run: RecordedRun): CertificateFiles {
  const { replayed, recording } = run
  const files = recordedFiles(run)
  const file: EvidenceFile = {
    format: 'store-conformance-evidence/1',
    notice: NOTICE,
    subject: subjectOf(files),
    profile: profileOfReport(replayed),
    suite: suiteOf(replayed),
    challenge: recording.challenge,
  }
  return new Map([[EVIDENCE, jsonFile(file)], ...files])
}
