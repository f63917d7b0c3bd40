import type { KeyObject } from 'node:crypto'
import type { Report } from '../report/report.ts'
import { type Envelope, isSignedBy, keyId, readEnvelope } from './dsse.ts'
import { fileCalled, judgeAgain, readRun } from './judge-again.ts'
import type { Recording } from './recording.ts'
import { expectMembers, Refused } from './refused.ts'
import {
  type CertificateFiles,
  ENVELOPE,
  EVIDENCE,
  type EvidenceFile,
  evidenceFile,
  predicateOf,
  profileOfReport,
  REPORT,
  type Statement,
  statementFile,
} from './statement.ts'
import { strictJson } from './strict-json.ts'
import { waiverProblem } from './waivers.ts'

export interface VerifyOptions {
  /** Public keys that the customer trusts. Each must have signed. */
  readonly keys: readonly KeyObject[]
  /** The challenge that the customer sent. */
  readonly challenge?: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A certificate that is consistent, and whose judgements were made again. */
export interface Verified {
  readonly statement: Statement
  readonly recording: Recording
  readonly report: Report
  /** Ids of the customer's keys that have signed. */
  readonly signers: readonly string[]
  readonly signatures: number
  /** The requests follow from the customer's own challenge. */
  readonly fresh: boolean
}

const DAY = 86_400_000
const PREDICATE = `${ENVELOPE}: payload: predicate`

/**
 * Checks everything that can be checked without the store, and judges every rule again.
 * @throws {Refused} with the place where the certificate is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export async function verifyCertificate(files: CertificateFiles, options: VerifyOptions): Promise<Verified> {
  const { envelope, statement, recording, signers } = checkCertificate(files, options)
  const report = await judgeAgain(files, recording, statement.predicate)
  const errata = report.description.errata.map(each => ({ ...each }))
  expectMembers(`${PREDICATE}.`, statement.predicate, { errata })
  return {
    statement,
    recording,
    report,
    signers,
    signatures: envelope.signatures.length,
    fresh: options.challenge !== undefined,
  }
}

/**
 * Everything that is checked before the judging: the statement says nothing that does not follow from the report, and the report
 * nothing that contradicts the recording.
 * @throws {Refused}
 */
export function checkCertificate(files: CertificateFiles, { keys, challenge, now }: VerifyOptions) {
  const envelope = readEnvelope(fileCalled(files, ENVELOPE), ENVELOPE)
  const place = `${ENVELOPE}: payload`
  const statement = strictJson(envelope.payload, place, statementFile)
  const signers = checkSignatures(envelope, keys)
  checkTimes(statement, now)
  if ((statement.predicate.challenge === undefined) === (statement.predicate.seed === undefined))
    throw new Refused(PREDICATE, 'has neither a seed nor a challenge, or both')
  const head = { file: ENVELOPE, place, subject: statement.subject, origin: statement.predicate }
  const { recording, report } = readRun(files, head, challenge)
  const { predicate } = statement
  expectMembers(`${PREDICATE}.`, predicate, {
    ...Object.fromEntries(Object.keys(predicate).map(name => [name, undefined])),
    ...predicateOf({
      report,
      recording,
      suiteDigest: predicate.suite.digest,
      errata: predicate.errata,
      challenge: predicate.challenge,
      issuedAt: Date.parse(predicate.issuedAt),
      validUntil: Date.parse(predicate.validUntil),
    }),
  })
  const problem = waiverProblem(recording.settings.waivers ?? [], report)
  if (problem !== undefined) throw new Refused(`${REPORT}: rules`, problem)
  const { counts } = report
  const { waivers } = predicate
  expectMembers(`${REPORT}: `, report, {
    counts: { ...counts, passed: Math.max(1, counts.passed), failed: 0, cantTell: 0, untested: 0 },
    verdict: waivers.length > 0 ? 'partial' : 'conformant',
    expectedFailures:
      waivers.length > 0 ? { file: 'waivers', entries: waivers.length, stale: [] } : undefined,
  })
  return { envelope, statement, recording, signers }
}

function checkSignatures(envelope: Envelope, keys: readonly KeyObject[]): string[] {
  return keys.map(key => {
    if (!isSignedBy(envelope, key))
      throw new Refused(`${ENVELOPE}: signatures`, `there is no valid signature of the key ${keyId(key)}`)
    return keyId(key)
  })
}

function checkTimes({ predicate }: Statement, now: number): void {
  const [started, finished, issued, until] = [
    Date.parse(predicate.startedAt),
    Date.parse(predicate.finishedAt),
    Date.parse(predicate.issuedAt),
    Date.parse(predicate.validUntil),
  ]
  if (!(started <= finished && finished <= issued && issued < until))
    throw new Refused(`${PREDICATE}.validUntil`, 'comes before the run, or another time is out of order')
  if (issued > now + DAY)
    throw new Refused(`${PREDICATE}.issuedAt`, `lies in the future (${predicate.issuedAt})`)
  if (until < now)
    throw new Refused(`${PREDICATE}.validUntil`, `the certificate expired on ${predicate.validUntil}`)
}

/** Evidence that is consistent, and whose judgements were made again. */
export interface Evidence {
  readonly file: EvidenceFile
  readonly recording: Recording
  readonly report: Report
}

/** Whether the files claim to be evidence, and not a certificate. */
export const isEvidence = (files: CertificateFiles): boolean => files.has(EVIDENCE) && !files.has(ENVELOPE)

/**
 * Checks every digest, and judges every rule again.
 * @param challenge the one that the customer sent
 * @throws {Refused} with the place where the evidence is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export async function verifyEvidence(
  files: CertificateFiles,
  challenge?: string | undefined,
): Promise<Evidence> {
  const file = strictJson(fileCalled(files, EVIDENCE), EVIDENCE, evidenceFile)
  const { recording, report: given } = readRun(
    files,
    { file: EVIDENCE, place: EVIDENCE, subject: file.subject, origin: file },
    challenge,
  )
  expectMembers(`${EVIDENCE}: `, file, {
    profile: profileOfReport(given),
    suite: { ...given.suite, digest: file.suite.digest },
  })
  return { file, recording, report: await judgeAgain(files, recording, file) }
}
