import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { profileOf } from '../judge/selection.ts'
import type { Report } from '../report/report.ts'
import { type CertificateFiles, obstacles } from './certificate.ts'
import { type Envelope, isSignedBy, keyId, readEnvelope } from './dsse.ts'
import {
  brief,
  checkDigests,
  expectSameReport,
  fileCalled,
  judgeAgain,
  readRecording,
} from './judge-again.ts'
import type { Recording, RecordingFile } from './recording.ts'
import { NotCheckable, Refused } from './refused.ts'
import { ENVELOPE, RECORDING, REPORT, type Statement, statementFile, statementOf } from './statement.ts'
import { strictJson } from './strict-json.ts'

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
  /** The recording answers the customer's own challenge. */
  readonly fresh: boolean
  /** The certificate was made with the same code. */
  readonly isSameSuite: boolean
}

const DAY = 86_400_000

/**
 * Checks everything that can be checked without the store, and judges every rule again.
 * @throws {Refused} with the place where the certificate is not what it says
 * @throws {NotCheckable} if this version of the suite cannot reproduce its rules
 */
export async function verifyCertificate(files: CertificateFiles, options: VerifyOptions): Promise<Verified> {
  const { envelope, statement, recording, signers } = checkCertificate(files, options)
  const { report, isSameSuite } = await judgeAgain(recording, statement.predicate)
  if (!isSameSuite) checkErrata(statement, report)
  checkReport(files, report, statement, isSameSuite)
  checkStatement(files, statement, recording, report)
  return {
    statement,
    recording,
    report,
    signers,
    signatures: envelope.signatures.length,
    isSameSuite,
    // The values depend on the digest of the suite as well, so a vendor who could choose the digest could choose the values.
    fresh: options.challenge !== undefined && isSameSuite,
  }
}

/**
 * Everything that is checked before the judging.
 * @throws {Refused}
 */
export function checkCertificate(files: CertificateFiles, { keys, challenge, now }: VerifyOptions) {
  const read = readFiles(files)
  const signers = checkSignatures(read.envelope, keys)
  checkChallenge(read.statement, read.recording, challenge)
  checkTimes(read.statement, now)
  return { ...read, signers }
}

/** Everything in the files, each checked against its digest. */
function readFiles(files: CertificateFiles) {
  const envelope = readEnvelope(fileCalled(files, ENVELOPE), ENVELOPE)
  const statement = strictJson(envelope.payload, `${ENVELOPE}: payload`, statementFile)
  checkDigests(files, statement.subject, `${ENVELOPE}: payload`)
  return { envelope, statement, recording: readRecording(files, ENVELOPE) }
}

function checkSignatures(envelope: Envelope, keys: readonly KeyObject[]): string[] {
  return keys.map(key => {
    if (!isSignedBy(envelope, key))
      throw new Refused(`${ENVELOPE}: signatures`, `there is no valid signature of the key ${keyId(key)}`)
    return keyId(key)
  })
}

function checkChallenge(
  { predicate }: Statement,
  { settings }: RecordingFile,
  challenge: string | undefined,
): void {
  const place = `${ENVELOPE}: payload: predicate`
  if ((predicate.challenge === undefined) === (predicate.seed === undefined))
    throw new Refused(place, 'has neither a seed nor a challenge, or both')
  if (predicate.challenge !== undefined && settings.seed !== 0)
    throw new Refused(`${RECORDING}: settings.seed`, 'is not 0, although the values follow from a challenge')
  if (challenge !== undefined && predicate.challenge !== challenge)
    throw new Refused(`${place}.challenge`, 'is not the challenge that was given')
}

function checkTimes({ predicate }: Statement, now: number): void {
  const place = `${ENVELOPE}: payload: predicate`
  const [started, finished, issued, until] = [
    Date.parse(predicate.startedAt),
    Date.parse(predicate.finishedAt),
    Date.parse(predicate.issuedAt),
    Date.parse(predicate.validUntil),
  ]
  if (!(started <= finished && finished <= issued && issued < until))
    throw new Refused(`${place}.validUntil`, 'comes before the run, or another time is out of order')
  if (issued > now + DAY) throw new Refused(`${place}.issuedAt`, `lies in the future (${predicate.issuedAt})`)
  if (until < now)
    throw new Refused(`${place}.validUntil`, `the certificate expired on ${predicate.validUntil}`)
}

/** A certificate follows the errata of its time. @throws {NotCheckable} if this version of the suite has others */
function checkErrata({ predicate: { errata, suite } }: Statement, { description }: Report): void {
  const at = Array.from({ length: Math.max(errata.length, description.errata.length) }).findIndex(
    (_each, nth) => !isDeepStrictEqual(errata[nth], description.errata[nth]),
  )
  if (at < 0) return
  const { rule, change } = description.errata[at] ?? errata[at] ?? {}
  throw new NotCheckable(
    `The errata of this version of the suite are not those of the certificate (${rule} ${change}); use store-conformance ${suite.version}.`,
  )
}

function checkReport(
  files: CertificateFiles,
  report: Report,
  { predicate: { suite } }: Statement,
  isSameSuite: boolean,
): void {
  const [reason] = obstacles(report)
  if (reason !== undefined) throw new Refused(REPORT, `recomputed, it is not conformant: ${reason}`)
  expectSameReport(files, report, { suite, isSameSuite })
}

/** The statement says nothing that does not follow from the recording. */
function checkStatement(
  files: CertificateFiles,
  statement: Statement,
  { settings, startedAt }: Recording,
  report: Report,
): void {
  const { predicate } = statement
  const issuedAt = Date.parse(predicate.issuedAt)
  const derived = statementOf({
    report,
    // A statement must not name a profile with more rules than the recorded run had.
    profile: profileOf(report.description, report.profile),
    settings,
    challenge: predicate.challenge,
    startedAt,
    issuedAt,
    validDays: (Date.parse(predicate.validUntil) - issuedAt) / DAY,
    files,
  }).predicate
  const recomputed = { ...derived, suite: predicate.suite }
  for (const name of Object.keys({ ...recomputed, ...predicate }) as (keyof typeof recomputed)[]) {
    if (!isDeepStrictEqual(recomputed[name], predicate[name])) {
      const [is, has] = [recomputed[name], predicate[name]].map(each => brief(JSON.stringify(each)))
      throw new Refused(`${ENVELOPE}: payload: predicate.${name}`, `is ${has}, and ${is} by the recording`)
    }
  }
}
