import { type KeyObject, randomBytes } from 'node:crypto'
import { isGatingLevel } from '../judge/gating.ts'
import { type Report, reportJson } from '../report/report.ts'
import { printEnvelope, signed } from './dsse.ts'
import type { RecordedRun } from './record-run.ts'
import { ENVELOPE, predicateOf, RECORDING, REPORT, type Statement, statementOf } from './statement.ts'
import { suiteDigest } from './suite-digest.ts'

/** The files of a certificate, by name. */
export type CertificateFiles = ReadonlyMap<string, Uint8Array>

export interface IssueOptions {
  readonly keys: readonly KeyObject[]
  readonly challenge?: string | undefined
  readonly validDays: number
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
}

const DAY = 86_400_000

/** A customer's challenge: 256 random bits, which the vendor cannot know before. */
export const newChallenge = (): string => randomBytes(32).toString('hex')

/** Why a run does not lead to a certificate, one reason per entry. Empty if it does. */
export function obstacles(
  report: Pick<Report, 'verdict' | 'reason' | 'rules' | 'gate' | 'expectedFailures'>,
): string[] {
  const { verdict, reason, rules, gate, expectedFailures } = report
  if (verdict === 'conformant') return []
  if (verdict === 'partial' && expectedFailures?.stale.length === 0) return []
  const open = rules.filter(
    ({ level, outcome, expectedFailure, newSince }) =>
      isGatingLevel(level, gate) &&
      outcome !== 'passed' &&
      outcome !== 'inapplicable' &&
      expectedFailure === undefined &&
      newSince === undefined,
  )
  return [
    `the verdict is ${verdict}${reason ? `: ${reason}` : ''}`,
    ...(expectedFailures?.stale.map(({ message }) => message) ?? []),
    ...open.map(({ id, outcome, message, need }) =>
      [`${id} is ${outcome}`, message, need].filter(Boolean).join(': '),
    ),
  ]
}

/** The certificate of a recorded run that has no obstacles. */
export function issue(
  run: RecordedRun,
  { keys, challenge, validDays, issuedAt }: IssueOptions,
): { readonly files: CertificateFiles; readonly statement: Statement } {
  const { recording, replayed } = run
  const { files, bodies } = recordedFiles(run)
  const predicate = predicateOf({
    report: replayed,
    recording,
    suiteDigest: suiteDigest(),
    errata: replayed.description.errata,
    challenge,
    issuedAt,
    validUntil: issuedAt + validDays * DAY,
  })
  const statement = statementOf(predicate, files)
  const payload = Buffer.from(`${JSON.stringify(statement, undefined, 2)}\n`)
  const envelope = keys.reduce(signed, { payload, signatures: [] })
  return {
    statement,
    files: new Map<string, Uint8Array>([
      [ENVELOPE, Buffer.from(printEnvelope(envelope))],
      ...files,
      ...bodies,
    ]),
  }
}

/** The report and the recording, and the bodies, by the names of their files. */
export function recordedFiles({ recording: { bodies, ...file }, replayed }: RecordedRun): {
  readonly files: CertificateFiles
  readonly bodies: CertificateFiles
} {
  return {
    files: new Map([
      [REPORT, Buffer.from(reportJson(replayed))],
      [RECORDING, Buffer.from(`${JSON.stringify(file)}\n`)],
    ]),
    bodies: new Map([...bodies].sort().map(([digest, bytes]) => [`bodies/${digest}`, bytes] as const)),
  }
}
