import type { Challenge } from '../judge/randomness.ts'
import { type Report, reportJson, reportSchema } from '../report/report.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { sha256 } from './bodies.ts'
import type { CertificateFiles } from './certificate.ts'
import { type ExchangeEvent, type Recording, type RecordingFile, recordingFile } from './recording.ts'
import { derivedEvent } from './redacted.ts'
import { NotCheckable, Refused } from './refused.ts'
import { type Compare, ReplayMismatch } from './replay.ts'
import { replayRun } from './replay-run.ts'
import { RECORDING, REPORT, type Subject } from './statement.ts'
import { strictJson } from './strict-json.ts'
import { profileDigest, suiteDigest } from './suite-digest.ts'

/** With what a recording was made, as a certificate or evidence says. */
export interface Origin {
  readonly profile: { readonly name: string; readonly digest: string }
  readonly suite: { readonly version: string; readonly digest: string }
  readonly challenge?: string | undefined
}

/** @throws {Refused} if there is no such file */
export function fileCalled(files: CertificateFiles, name: string): Uint8Array {
  const bytes = files.get(name)
  if (bytes) return bytes
  throw new Refused(name, 'is missing')
}

/** The report and the recording have the digests that a file names. @param place of the subject in that file */
export function checkDigests(files: CertificateFiles, subject: Subject, place: string): void {
  if (subject.map(({ name }) => name).join() !== [REPORT, RECORDING].join())
    throw new Refused(`${place}: subject`, `does not name ${REPORT} and ${RECORDING}`)
  for (const { name, digest } of subject)
    if (sha256(fileCalled(files, name)) !== digest.sha256)
      throw new Refused(name, `does not have the digest that ${place} names`)
}

/** The recording with its bodies. @param head name of the file that is neither the report nor part of the recording */
export function readRecording(files: CertificateFiles, head: string): Recording {
  const recorded = strictJson(fileCalled(files, RECORDING), RECORDING, recordingFile)
  const bodies = new Map<string, Uint8Array>()
  for (const [name, bytes] of files) {
    if (name === head || name === REPORT || name === RECORDING) continue
    const digest = /^bodies\/(.*)$/.exec(name)?.[1]
    if (digest === undefined) throw new Refused(name, 'is not a file of a certificate')
    if (sha256(bytes) !== digest) throw new Refused(name, 'does not have the digest that is its name')
    bodies.set(digest, bytes)
  }
  const recording: Recording = { ...recorded, bodies }
  checkNumbers(recording)
  checkBodies(recording)
  return recording
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

export const brief = (text = 'nothing'): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/**
 * Replays the recording, and judges every rule.
 * @throws {Refused} with the first place at which the recording is not that of a run
 * @throws {NotCheckable} if it may be that of another version of the suite
 */
export async function judgeAgain(
  recording: Recording,
  origin: Origin,
): Promise<{
  readonly report: Report
  /** The recording was made with the same code. */
  readonly isSameSuite: boolean
}> {
  checkProfile(origin)
  const isSameSuite = origin.suite.digest === suiteDigest()
  try {
    return { report: await replayRun(recording, sameRequest, challengeOf(origin)), isSameSuite }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const refused =
      error instanceof ReplayMismatch
        ? new Refused(error.place, problem)
        : new Refused(RECORDING, `cannot be replayed: ${problem}`)
    throw isSameSuite ? refused : otherSuite(origin, refused)
  }
}

export const challengeOf = ({ challenge, suite }: Origin): Challenge | undefined =>
  challenge === undefined ? undefined : { challenge, suite: suite.digest }

function checkProfile({ profile, suite }: Origin): void {
  const { profiles } = storeServiceUnderTest
  const own = Object.hasOwn(profiles, profile.name) ? profiles[profile.name] : undefined
  if (own && profileDigest(own) === profile.digest) return
  throw new NotCheckable(
    `This version of the suite has no profile ${profile.name} with the digest ${profile.digest.slice(0, 12)}…; use store-conformance ${suite.version}.`,
  )
}

const otherSuite = ({ suite }: Origin, { place, message }: Refused): NotCheckable =>
  new NotCheckable(
    `It was made by store-conformance ${suite.version} (${suite.digest.slice(0, 12)}…), whose run this version does not reproduce: ${place}: ${message}. Use that version.`,
  )

interface Made extends Pick<Origin, 'suite'> {
  readonly isSameSuite: boolean
}

/**
 * The report has to be the recomputed one, to the last byte. Another version of the suite may word it differently.
 * @throws {Refused} with the first line that differs
 * @throws {NotCheckable} if it is by another version of the suite, and has other outcomes
 */
export function expectSameReport(
  files: CertificateFiles,
  report: Report,
  { suite, isSameSuite }: Made,
): void {
  const bytes = fileCalled(files, REPORT)
  const given = Buffer.from(bytes).toString('utf8')
  const recomputed = reportJson(report)
  if (given === recomputed) return
  if (isSameSuite) {
    const lines = recomputed.split('\n')
    const at = given.split('\n').findIndex((line, nth) => line !== lines[nth])
    throw new Refused(
      `${REPORT}: line ${at + 1}`,
      `is ${brief(given.split('\n')[at]?.trim())}, and ${brief(lines[at]?.trim())} when it is recomputed`,
    )
  }
  const was = new Map(
    strictJson(bytes, REPORT, reportSchema).rules.map(({ id, outcome }) => [id, outcome] as const),
  )
  const other = report.rules.find(({ id, outcome }) => was.get(id) !== outcome)
  if (!other && was.size === report.rules.length) return
  const difference = other
    ? `${other.id} is ${was.get(other.id) ?? 'not judged'}, and this version of the suite says ${other.outcome}`
    : `it has ${was.size} rules, and this version of the suite has ${report.rules.length}`
  throw new NotCheckable(`${REPORT}: ${difference}. Use store-conformance ${suite.version}, which made it.`)
}
