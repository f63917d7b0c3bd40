import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { InterfaceUnderTest } from '../judge/interface.ts'
import type { Challenge } from '../judge/randomness.ts'
import { type Report, reportJson } from '../report/report.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { sha256 } from './bodies.ts'
import { type CertificateFiles, obstacles } from './certificate.ts'
import { type Envelope, isSignedBy, keyId, readEnvelope } from './dsse.ts'
import { type ExchangeEvent, type Recording, type RecordingFile, recordingFile } from './recording.ts'
import { derivedEvent } from './redacted.ts'
import { NotCheckable, Refused } from './refused.ts'
import { type Compare, ReplayMismatch } from './replay.ts'
import { replayRun } from './replay-run.ts'
import { ENVELOPE, RECORDING, REPORT, type Statement, statementFile, statementOf } from './statement.ts'
import { strictJson } from './strict-json.ts'
import { profileDigest, suiteDigest } from './suite-digest.ts'

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
  checkProfile(statement, storeServiceUnderTest)
  const isSameSuite = statement.predicate.suite.digest === suiteDigest()
  const challenge = challengeOf(statement)
  const report = await judgeAgain(recording, challenge).catch(error => {
    if (error instanceof Refused && !isSameSuite) throw otherSuite(statement, error)
    throw error
  })
  checkReport(files, report, isSameSuite)
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
  const fileCalled = (name: string): Uint8Array => {
    const bytes = files.get(name)
    if (bytes) return bytes
    throw new Refused(name, 'is missing')
  }
  const envelope = readEnvelope(fileCalled(ENVELOPE), ENVELOPE)
  const statement = strictJson(envelope.payload, `${ENVELOPE}: payload`, statementFile)
  const names = statement.subject.map(({ name }) => name)
  if (names.join() !== [REPORT, RECORDING].join())
    throw new Refused(`${ENVELOPE}: payload: subject`, `does not name ${REPORT} and ${RECORDING}`)
  for (const { name, digest } of statement.subject)
    if (sha256(fileCalled(name)) !== digest.sha256)
      throw new Refused(name, 'does not have the digest that the statement names')
  const recorded = strictJson(fileCalled(RECORDING), RECORDING, recordingFile)
  const bodies = new Map<string, Uint8Array>()
  for (const [name, bytes] of files) {
    if (name === ENVELOPE || name === REPORT || name === RECORDING) continue
    const digest = /^bodies\/(.*)$/.exec(name)?.[1]
    if (digest === undefined) throw new Refused(name, 'is not a file of a certificate')
    if (sha256(bytes) !== digest) throw new Refused(name, 'does not have the digest that is its name')
    bodies.set(digest, bytes)
  }
  const recording: Recording = { ...recorded, bodies }
  checkNumbers(recording)
  checkBodies(recording)
  return { envelope, statement, recording }
}

/** Each request has its own number, and none is missing. */
function checkNumbers({ events }: RecordingFile): void {
  const numbers = new Map<string, number[]>()
  for (const event of events) {
    const lane = event.kind === 'state' ? event.kind : `${event.kind} of "${event.scenario}"`
    const known = numbers.get(lane)
    if (known) known.push(event.nth)
    else numbers.set(lane, [event.nth])
  }
  for (const [lane, all] of numbers) {
    const wrong = all.sort((one, other) => one - other).findIndex((nth, at) => nth !== at)
    if (wrong >= 0) throw new Refused(`${RECORDING}: events`, `do not have number ${wrong} once (${lane})`)
  }
}

/** Every recorded body is present, and no other. */
function checkBodies({ events, bodies }: Recording): void {
  const used = new Set<string>()
  events.forEach((event, at) => {
    if (event.kind !== 'exchange') return
    if ((event.response === undefined) === (event.problem === undefined))
      throw new Refused(`${RECORDING}: events[${at}]`, 'has neither a response nor a problem, or both')
    const digest = event.response?.body
    if (digest === undefined) return
    used.add(digest)
    if (!bodies.has(digest)) throw new Refused(`bodies/${digest}`, 'is missing')
  })
  for (const digest of bodies.keys())
    if (!used.has(digest)) throw new Refused(`bodies/${digest}`, 'belongs to no exchange')
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

function checkProfile({ predicate: { profile, suite } }: Statement, { profiles }: InterfaceUnderTest): void {
  const own = Object.hasOwn(profiles, profile.name) ? profiles[profile.name] : undefined
  if (own && profileDigest(own) === profile.digest) return
  throw new NotCheckable(
    `This version of the suite has no profile ${profile.name} with the digest ${profile.digest.slice(0, 12)}…; use store-conformance ${suite.version}.`,
  )
}

const challengeOf = ({ predicate: { challenge, suite } }: Statement): Challenge | undefined =>
  challenge === undefined ? undefined : { challenge, suite: suite.digest }

function otherSuite({ predicate: { suite } }: Statement, { place, message }: Refused): NotCheckable {
  return new NotCheckable(
    `The certificate was made by store-conformance ${suite.version} (${suite.digest.slice(0, 12)}…), whose run this version does not reproduce: ${place}: ${message}. Use that version.`,
  )
}

/** Every request has to be the recorded one, to the last byte. */
const sameRequest: Compare = (event, asked, place) => {
  const derived = derivedEvent(asked)
  const { scenario, operation, step, on, repeatable, request } = event
  const recorded: Partial<ExchangeEvent> = {
    scenario,
    ...(operation === undefined ? {} : { operation }),
    step,
    on,
    repeatable,
    request,
  }
  for (const name of Object.keys({ ...recorded, ...derived }) as (keyof typeof derived)[]) {
    const [is, has] = [derived[name], recorded[name]].map(each => JSON.stringify(each))
    if (is !== has)
      throw new ReplayMismatch(`${place}.${name}`, `recorded is ${brief(has)}, the run sends ${brief(is)}`)
  }
}

const brief = (text = 'nothing'): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

async function judgeAgain(recording: Recording, challenge: Challenge | undefined): Promise<Report> {
  try {
    return await replayRun(recording, sameRequest, challenge)
  } catch (error) {
    if (error instanceof ReplayMismatch) throw new Refused(error.place, error.message)
    throw new Refused(RECORDING, `cannot be replayed: ${error instanceof Error ? error.message : error}`)
  }
}

/** The report has to be the recomputed one, to the last byte. */
function checkReport(files: CertificateFiles, report: Report, isSameSuite: boolean): void {
  const [reason] = obstacles(report)
  if (reason !== undefined) throw new Refused(REPORT, `recomputed, it is not conformant: ${reason}`)
  const given = Buffer.from(files.get(REPORT) ?? '').toString('utf8')
  const recomputed = reportJson(report)
  if (given === recomputed || !isSameSuite) return
  const lines = recomputed.split('\n')
  const at = given.split('\n').findIndex((line, nth) => line !== lines[nth])
  throw new Refused(
    `${REPORT}: line ${at + 1}`,
    `is ${brief(given.split('\n')[at]?.trim())}, and ${brief(lines[at]?.trim())} when it is recomputed`,
  )
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
  const profile = storeServiceUnderTest.profiles[predicate.profile.name]
  if (!profile) return
  const derived = statementOf({
    report,
    profile,
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

/** The rules whose outcome depends on whether a response contained the key, for which the customer has only the vendor's word. */
export async function assertedRules({
  statement,
  recording,
  report: { rules },
}: Pick<Verified, 'statement' | 'recording' | 'report'>): Promise<ReadonlySet<string>> {
  const turned = recording.events.map(event => {
    if (event.kind !== 'exchange') return event
    const { echoesKey, ...rest } = event
    return echoesKey ? rest : { ...rest, echoesKey: true as const }
  })
  const other = await replayRun({ ...recording, events: turned }, () => undefined, challengeOf(statement))
  return new Set(rules.flatMap(({ id, outcome }, at) => (other.rules[at]?.outcome === outcome ? [] : [id])))
}
