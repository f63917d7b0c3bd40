import { type Needs, needsOf, turnOf } from '../access/needs.ts'
import { isGating } from '../judge/gating.ts'
import type { Rule } from '../judge/rule.ts'
import { countOutcomes } from '../judge/verdict.ts'
import { SUITE_VERSION } from '../report/package-root.ts'
import { type Report, type ReportFile, reportJson, reportSchema } from '../report/report.ts'
import { sha256, suiteDigest } from './digest.ts'
import { ReplayMismatch } from './inputs.ts'
import { type Recording, type RecordingFile, recordingFile } from './recording.ts'
import { brief, expectMembers, NotCheckable, OtherShape, Refused } from './refused.ts'
import { replayRun } from './replay.ts'
import { type CertificateFiles, RECORDING, REPORT, type Subject } from './statement.ts'
import { strictJson } from './strict-json.ts'

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

/** The file of a certificate, or of evidence, that says what the other files are. */
interface Head {
  readonly file: string
  /** Of its content. */
  readonly place: string
  readonly subject: Subject
  readonly origin: Origin
}

/**
 * The recording and the report, which agree with each other and with the head. Whether the report follows from the recording is another
 * question.
 * @param challenge the one that the customer sent
 * @throws {Refused}
 * @throws {NotCheckable} if another version of the suite wrote them in another form
 */
export function readRun(
  files: CertificateFiles,
  head: Head,
  challenge: string | undefined,
): { readonly recording: Recording; readonly report: ReportFile } {
  const { file, place, subject, origin } = head
  if (subject.map(({ name }) => name).join() !== [REPORT, RECORDING].join())
    throw new Refused(`${place}: subject`, `does not name ${REPORT} and ${RECORDING}`)
  for (const { name, digest } of subject)
    if (sha256(fileCalled(files, name)) !== digest.sha256)
      throw new Refused(name, `does not have the digest that ${place} names`)
  const { recording, report } = ofVersion(origin.suite, () => {
    const read = readRecording(files, file)
    return { recording: read, report: readReport(files, read) }
  })
  if (origin.challenge !== undefined && recording.settings.seed !== 0)
    throw new Refused(`${RECORDING}: settings.seed`, 'is not 0, although the values follow from a challenge')
  if (challenge !== undefined && origin.challenge !== challenge)
    throw new Refused(`${place}: challenge`, 'is not the challenge that was given')
  return { recording, report }
}

/** A version that this one does not know may write other members. */
function ofVersion<Result>(suite: Origin['suite'], read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof OtherShape && suite.digest !== suiteDigest())
      throw new NotCheckable(otherSuite(suite))
    throw error
  }
}

/** The recording with its bodies. @param head name of the file that is neither the report nor part of the recording */
function readRecording(files: CertificateFiles, head: string): Recording {
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
  const numbers = new Map<string, Set<number>>()
  for (const event of events) {
    const of = event.kind === 'state' ? event.kind : `${event.kind} of "${event.scenario}"`
    const known = numbers.get(of) ?? new Set()
    numbers.set(of, known.add(event.nth))
  }
  const total = [...numbers.values()].reduce((sum, { size }) => sum + size, 0)
  for (const [of, known] of numbers)
    for (let nth = 0; nth < known.size; nth += 1)
      if (!known.has(nth)) throw new Refused(`${RECORDING}: events`, `do not have number ${nth} (${of})`)
  if (total < events.length) throw new Refused(`${RECORDING}: events`, 'have a number twice')
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

function readReport(files: CertificateFiles, { settings, startedAt, events }: Recording): ReportFile {
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
  const report = await replayRun(recording, challenge).catch(error => {
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

/**
 * What the outcome of a rule depends on.
 * - `recomputed`: it follows from the recorded exchanges alone.
 * - `told`: it also depends on the states of orders, which no response shows and the vendor claimed (provider states or named ids).
 * - `asserted`: it depends on the API key, which the recording does not have.
 */
export type Basis = 'recomputed' | 'told' | 'asserted'

export const basisMeanings: Readonly<Record<Basis, string>> = {
  recomputed: 'it follows from the recorded exchanges',
  told: 'it also depends on which orders the vendor called pending or shipped',
  asserted: 'it depends on the API key, which is not recorded',
}

/** @param asserted ids of the rules that depend on whether a response held the key */
export function basisOf({ id, given }: Pick<Rule, 'id' | 'given'>, asserted: ReadonlySet<string>): Basis {
  if (asserted.has(id)) return 'asserted'
  return isTold(needsOf(given)) ? 'told' : 'recomputed'
}

/** No field of an order says that it is pending (§3). The stock of a pet is in the inventory. */
const isTold = (needs: Needs): boolean =>
  Boolean(needs.extraOrders) || !['stock', 'end', undefined].includes(turnOf(needs))

/** The rules whose outcome depends on whether a response contained the key, for which the customer has only the vendor's word. */
export async function assertedRules(
  origin: Origin,
  recording: Recording,
  { rules }: Pick<Report, 'rules'>,
): Promise<ReadonlySet<string>> {
  const turned = recording.events.map(event => {
    if (event.kind !== 'exchange') return event
    const { echoesKey, ...rest } = event
    return echoesKey ? rest : { ...rest, echoesKey: true as const }
  })
  const other = await replayRun({ ...recording, events: turned }, origin.challenge)
  return new Set(rules.flatMap(({ id, outcome }, at) => (other.rules[at]?.outcome === outcome ? [] : [id])))
}
