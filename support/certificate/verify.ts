import type { KeyObject } from 'node:crypto'
import { SUITE_VERSION } from '../report/package-root.ts'
import { reportSchema } from '../report/report.ts'
import { sha256, suiteDigest } from './digest.ts'
import { isSignedBy, keyId, readEnvelope } from './dsse.ts'
import { judgeAgain } from './judge-again.ts'
import { type RecordingFile, recordingFile } from './recording.ts'
import { expectMembers, fileCalled, NotCheckable, Refused } from './refused.ts'
import {
  type CertificateFiles,
  ENVELOPE,
  type Predicate,
  predicateOf,
  RECORDING,
  REPORT,
  statementFile,
} from './statement.ts'
import { strictJson } from './strict-json.ts'

/** A certificate that is consistent, and whose rules were judged again. */
export type Verified = Awaited<ReturnType<typeof verifyCertificate>>

/** Values of a report: for each of the rules, twenty exchanges and a dozen texts. */
const REPORT_VALUES = 50_000

/**
 * Checks everything that can be checked without the store, and judges every rule again.
 * @param key public key that must have signed
 * @throws {Refused} with the place where the certificate is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export async function verifyCertificate(files: CertificateFiles, key?: KeyObject) {
  const envelope = readEnvelope(files)
  const statement = strictJson(envelope.payload, `${ENVELOPE}: payload`, statementFile)
  const { predicate, subject } = statement
  if (key && !isSignedBy(envelope, key))
    throw new Refused(
      `${ENVELOPE}: signatures`,
      `there is no valid signature of the key ${keyId(key)}; the certificate names ${envelope.keyid}`,
    )
  if (subject.map(({ name }) => name).join() !== [REPORT, RECORDING].join())
    throw new Refused(`${ENVELOPE}: subject`, `does not name ${REPORT} and ${RECORDING}`)
  for (const { name, digest } of subject)
    if (sha256(fileCalled(files, name)) !== digest.sha256)
      throw new Refused(name, 'does not have the digest that is signed')
  if (predicate.suite.digest !== suiteDigest()) throw new NotCheckable(otherSuite(predicate))
  const recorded = strictJson(fileCalled(files, RECORDING), RECORDING, recordingFile)
  const given = strictJson(fileCalled(files, REPORT), REPORT, reportSchema, REPORT_VALUES)
  const recording = { ...recorded, bodies: bodiesOf(recorded, files) }
  expectMembers(`${ENVELOPE}: payload: predicate.`, predicate, predicateOf(given, recording))
  return {
    statement,
    report: await judgeAgain(files, recording),
    /** Id of the key that was checked. */
    signer: key && keyId(key),
  }
}

/** The bodies by their digests. Each of them is recorded, each recorded one is present, and there is no other file. */
function bodiesOf({ events }: RecordingFile, files: CertificateFiles): ReadonlyMap<string, Uint8Array> {
  const used = new Set<string>()
  events.forEach((event, at) => {
    if (event.kind !== 'exchange') return
    if ((event.response === undefined) === (event.problem === undefined))
      throw new Refused(`${RECORDING}: events[${at}]`, 'has neither a response nor a problem, or both')
    if (event.response?.body !== undefined) used.add(`bodies/${event.response.body}`)
  })
  for (const name of files.keys())
    if (!used.has(name) && ![ENVELOPE, REPORT, RECORDING].includes(name))
      throw new Refused(name, 'belongs to no exchange')
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
const otherSuite = ({ suite: { version, digest } }: Predicate): string =>
  `It was judged by another version of the suite, which is not checked here: store-conformance ${version} with the digest ${digest.slice(0, 16)}…; this is ${SUITE_VERSION} with ${suiteDigest().slice(0, 16)}…. Check it with that version. If that has another digest as well, it was judged by code that was not published.`
