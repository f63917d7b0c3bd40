import type { KeyObject } from 'node:crypto'
import { SUITE_VERSION } from '../report/package-root.ts'
import { type ReportFile, reportSchema } from '../report/report.ts'
import { sha256, suiteDigest } from './digest.ts'
import { isSignedBy, keyId, readEnvelope } from './dsse.ts'
import { judgeAgain } from './judge-again.ts'
import { type Recording, type RecordingFile, recordingFile } from './recording.ts'
import { expectMembers, fileCalled, NotCheckable, Refused } from './refused.ts'
import {
  type CertificateFiles,
  ENVELOPE,
  EVIDENCE,
  type EvidenceFile,
  evidenceFile,
  type Predicate,
  predicateOf,
  profileOfReport,
  RECORDING,
  REPORT,
  statementFile,
  suiteOf,
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
export type Verified = Awaited<ReturnType<typeof verifyCertificate>>

const DAY = 86_400_000
const PREDICATE = `${ENVELOPE}: payload: predicate`

/**
 * Checks everything that can be checked without the store, and judges every rule again.
 * @throws {Refused} with the place where the certificate is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export async function verifyCertificate(files: CertificateFiles, { keys, challenge, now }: VerifyOptions) {
  const envelope = readEnvelope(files)
  const statement = strictJson(envelope.payload, `${ENVELOPE}: payload`, statementFile)
  const { predicate, subject } = statement
  for (const key of keys)
    if (!isSignedBy(envelope, key))
      throw new Refused(`${ENVELOPE}: signatures`, `there is no valid signature of the key ${keyId(key)}`)
  checkTimes(predicate, now)
  if ((predicate.challenge === undefined) === (predicate.seed === undefined))
    throw new Refused(PREDICATE, 'has neither a seed nor a challenge, or both')
  const { recording, report: given } = readRun(files, ENVELOPE, { ...predicate, subject }, challenge)
  checkPredicate(predicate, recording, given)
  const report = await judgeAgain(files, recording)
  return {
    statement,
    recording,
    report,
    /** Ids of the customer's keys that have signed. */
    signers: keys.map(keyId) as readonly string[],
    signatures: envelope.signatures.length,
    /** The requests follow from the customer's own challenge. */
    fresh: challenge !== undefined,
  }
}

/** The statement has to say what follows from the report, and the report has to be that of a conformant store. */
function checkPredicate(predicate: Predicate, recording: Recording, report: ReportFile): void {
  const [issuedAt, validUntil] = [Date.parse(predicate.issuedAt), Date.parse(predicate.validUntil)]
  expectMembers(`${PREDICATE}.`, predicate, predicateOf({ report, recording, issuedAt, validUntil }))
  const waivers = recording.settings.waivers ?? []
  const problem = waiverProblem(waivers, report)
  if (problem !== undefined) throw new Refused(`${REPORT}: rules`, problem)
  const { counts } = report
  const isWaived = waivers.length > 0
  expectMembers(`${REPORT}: `, report, {
    counts: { ...counts, passed: Math.max(1, counts.passed), failed: 0, cantTell: 0, untested: 0 },
    verdict: isWaived ? 'partial' : 'conformant',
    expectedFailures: isWaived ? { file: 'waivers', entries: waivers.length, stale: [] } : undefined,
  })
}

function checkTimes(predicate: Predicate, now: number): void {
  const [started = 0, finished = 0, issued = 0, until = 0] = [
    predicate.startedAt,
    predicate.finishedAt,
    predicate.issuedAt,
    predicate.validUntil,
  ].map(Date.parse)
  if (!(started <= finished && finished <= issued && issued < until))
    throw new Refused(`${PREDICATE}.validUntil`, 'comes before the run, or another time is out of order')
  if (issued > now + DAY)
    throw new Refused(`${PREDICATE}.issuedAt`, `lies in the future (${predicate.issuedAt})`)
  if (until < now)
    throw new Refused(`${PREDICATE}.validUntil`, `the certificate expired on ${predicate.validUntil}`)
}

/** Evidence that is consistent, and whose judgements were made again. */
export type Evidence = Awaited<ReturnType<typeof verifyEvidence>>

/** Whether the files claim to be evidence, and not a certificate. */
export const isEvidence = (files: CertificateFiles): boolean => files.has(EVIDENCE) && !files.has(ENVELOPE)

/**
 * Checks every digest, and judges every rule again.
 * @param challenge the one that the customer sent
 * @throws {Refused} with the place where the evidence is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export async function verifyEvidence(files: CertificateFiles, challenge?: string | undefined) {
  const file = strictJson(fileCalled(files, EVIDENCE), EVIDENCE, evidenceFile)
  const { recording, report: given } = readRun(files, EVIDENCE, file, challenge)
  expectMembers(`${EVIDENCE}: `, file, { profile: profileOfReport(given), suite: suiteOf(given) })
  return { file, recording, report: await judgeAgain(files, recording) }
}

/** Values of a report: for each of the rules, twenty exchanges and a dozen texts. */
const REPORT_VALUES = 50_000

/**
 * The recording, and the report, of which only judging again shows whether it follows from the recording.
 * @param head name of the file that says what the others are
 * @param challenge the one that the customer sent
 */
function readRun(
  files: CertificateFiles,
  head: string,
  { subject, suite, challenge: used }: Pick<EvidenceFile, 'subject' | 'suite' | 'challenge'>,
  challenge: string | undefined,
): { readonly recording: Recording; readonly report: ReportFile } {
  if (subject.map(({ name }) => name).join() !== [REPORT, RECORDING].join())
    throw new Refused(`${head}: subject`, `does not name ${REPORT} and ${RECORDING}`)
  for (const { name, digest } of subject)
    if (sha256(fileCalled(files, name)) !== digest.sha256)
      throw new Refused(name, `does not have the digest that ${head} names`)
  if (challenge !== undefined && used !== challenge)
    throw new Refused(`${head}: challenge`, 'is not the challenge that was given')
  if (suite.digest !== suiteDigest()) throw new NotCheckable(otherSuite(suite))
  const recorded = strictJson(fileCalled(files, RECORDING), RECORDING, recordingFile)
  const report = strictJson(fileCalled(files, REPORT), REPORT, reportSchema, REPORT_VALUES)
  const bodies = bodiesOf(recorded, files, [head, REPORT, RECORDING])
  const recording = { ...recorded, bodies, challenge: used }
  if (used !== undefined && recording.settings.seed !== 0)
    throw new Refused(`${RECORDING}: settings.seed`, 'is not 0, although the values follow from a challenge')
  return { recording, report }
}

/** The bodies by their digests. Each of them is recorded, each recorded one is present, and there is no other file. */
function bodiesOf({ events }: RecordingFile, files: CertificateFiles, except: readonly string[]) {
  const used = new Set<string>()
  events.forEach((event, at) => {
    if (event.kind !== 'exchange') return
    if ((event.response === undefined) === (event.problem === undefined))
      throw new Refused(`${RECORDING}: events[${at}]`, 'has neither a response nor a problem, or both')
    if (event.response?.body !== undefined) used.add(`bodies/${event.response.body}`)
  })
  for (const name of files.keys())
    if (!used.has(name) && !except.includes(name)) throw new Refused(name, 'belongs to no exchange')
  return new Map(
    [...used].map(name => {
      const bytes = fileCalled(files, name)
      const digest = name.replace('bodies/', '')
      if (sha256(bytes) !== digest) throw new Refused(name, 'does not have the digest that is its name')
      return [digest, bytes] as const
    }),
  )
}

/** Whoever can choose the code that judges can choose the verdict, so nothing of another version is believed. */
const otherSuite = ({ version, digest }: EvidenceFile['suite']): string =>
  `It was judged by another version of the suite, not checked here: store-conformance ${version} with the digest ${digest.slice(0, 16)}…; this is ${SUITE_VERSION} with ${suiteDigest().slice(0, 16)}…. Check it with that version: npx store-conformance@${version} verify …. If that has another digest as well, it was judged by code that was not published.`
