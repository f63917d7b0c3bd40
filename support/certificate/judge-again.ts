import { isGating } from '../judge/gating.ts'
import { countOutcomes } from '../judge/verdict.ts'
import { type Report, type ReportFile, reportJson, reportSchema } from '../report/report.ts'
import { SUITE_VERSION } from '../report/version.ts'
import { sha256 } from './bodies.ts'
import type { CertificateFiles } from './certificate.ts'
import { type ExchangeEvent, type Recording, type RecordingFile, recordingFile } from './recording.ts'
import { derivedEvent } from './redacted.ts'
import { brief, expectMembers, NotCheckable, Refused } from './refused.ts'
import { type Compare, ReplayMismatch } from './replay.ts'
import { replayRun } from './replay-run.ts'
import { RECORDING, REPORT, type Subject } from './statement.ts'
import { strictJson } from './strict-json.ts'
import { suiteDigest } from './suite-digest.ts'

/** With what a recording was made, as a certificate or evidence says. */
export interface Origin {
  readonly suite: { readonly version: string; readonly digest: string }
  readonly challenge?: string | undefined
}

/** @throws {Refused} if there is no such file */
export function fileCalled(files: CertificateFiles, name: string): Uint8Array {
  const bytes = files.get(name)
  if (bytes) return bytes
  throw new Refused(name, 'is missing')
}

/** Values of a report: for each of the rules, twenty exchanges and a dozen texts. */
const REPORT_VALUES = 50_000

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

/**
 * The report of a file, which agrees with the recording. Whether it follows from it is another question.
 * @throws {Refused}
 */
export function readReport(files: CertificateFiles, { settings, startedAt, events }: Recording): ReportFile {
  const report = strictJson(fileCalled(files, REPORT), REPORT, reportSchema, REPORT_VALUES)
  const { baseUrl, reference, storeName, storeVersion } = settings
  const requests = events.filter(({ kind }) => kind === 'exchange').length
  const store = {
    ...(storeName === undefined ? {} : { name: storeName }),
    ...(storeVersion === undefined ? {} : { version: storeVersion }),
  }
  const { profile, gate, seed } = settings
  expectMembers(`${REPORT}: `, report, {
    profile,
    gate,
    seed,
    target: { baseUrl, ...(reference ? { reference } : {}) },
    store: Object.keys(store).length > 0 ? store : undefined,
    startedAt: new Date(startedAt).toISOString(),
    requests,
    counts: countOutcomes(report.rules.filter(rule => isGating(rule, gate))),
  })
  const ids = new Set(report.rules.map(({ id }) => id))
  if (ids.size < report.rules.length) throw new Refused(`${REPORT}: rules`, 'has an id twice')
  const lost = report.rules.find(({ exchanges }) => exchanges.some(each => each >= requests))
  if (lost) throw new Refused(`${REPORT}: rules`, `${lost.id} names an exchange that is not recorded`)
  return report
}

/**
 * Replays the recording, and judges every rule. The report has to be the recomputed one, to the last byte.
 * @throws {Refused} with the first place at which the recording is not that of a run
 * @throws {NotCheckable} if it is that of another version of the suite
 */
export async function judgeAgain(
  files: CertificateFiles,
  recording: Recording,
  { suite, challenge }: Origin,
): Promise<Report> {
  if (suite.digest !== suiteDigest()) throw new NotCheckable(otherSuite(suite))
  const report = await replayRun(recording, sameRequest, challenge).catch(error => {
    const problem = error instanceof Error ? error.message : String(error)
    throw error instanceof ReplayMismatch
      ? new Refused(error.place, problem)
      : new Refused(RECORDING, `cannot be replayed: ${problem}`)
  })
  const given = Buffer.from(fileCalled(files, REPORT)).toString('utf8').split('\n')
  const lines = reportJson(report).split('\n')
  const at = Array.from({ length: Math.max(given.length, lines.length) }).findIndex(
    (_each, nth) => given[nth] !== lines[nth],
  )
  if (at < 0) return report
  throw new Refused(
    `${REPORT}: line ${at + 1}`,
    `is ${brief(given[at]?.trim())}, and ${brief(lines[at]?.trim())} when it is recomputed`,
  )
}

/** Whoever can choose the code that judges can choose the verdict, so nothing of another version is believed. */
const otherSuite = ({ version, digest }: Origin['suite']): string =>
  `It was judged by another version of the suite, not checked here: store-conformance ${version} with the digest ${digest.slice(0, 16)}…; this is ${SUITE_VERSION} with ${suiteDigest().slice(0, 16)}…. Check it with that version: npx store-conformance@${version} verify …. If that has another digest as well, it was judged by code that was not published.`
