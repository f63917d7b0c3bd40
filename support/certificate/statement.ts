import { z } from 'zod'
import { outcomeCounts, type ReportFile } from '../report/report.ts'
import { plural } from '../report/words.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { profileDigest, sha256, suiteDigest } from './digest.ts'
import { MAX_WAIVERS, type Recording, type Waiver, waiver } from './recording.ts'
import { arrayOf, count, digest } from './strict-json.ts'
import { lastMomentOf, waitingFor } from './waivers.ts'

export const REPORT = 'report.json'
export const RECORDING = 'recording.json'
export const ENVELOPE = 'envelope.json'
const PREDICATE_TYPE = 'https://store-conformance.example/certificate/v1'

/** In the place of the envelope of a certificate, so that no checker takes evidence for a certificate. */
export const EVIDENCE = 'evidence.json'

/** The files of a certificate, by name. */
export type CertificateFiles = ReadonlyMap<string, Uint8Array>

const time = z.iso.datetime()

const erratum = z.strictObject({
  rule: z.string(),
  date: z.string(),
  reason: z.string(),
  change: z.enum(['withdrawn', 'corrected', 'demoted']),
  level: z.enum(['required', 'implied', 'advisory']).optional(),
})

/** The report and the recording with their digests. */
const subject = arrayOf(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: digest }) }))

export const subjectOf = (files: CertificateFiles) =>
  [REPORT, RECORDING].map(name => ({ name, digest: { sha256: sha256(files.get(name) ?? '') } }))

const profileRef = z.strictObject({ name: z.string(), revision: count, digest })
const suiteRef = z.strictObject({
  name: z.literal('store-conformance'),
  // It is part of a command that `verify` prints.
  version: z.string().regex(/^[0-9A-Za-z.-]{1,60}$/),
  digest,
})

/** in-toto Statement v1, with the certificate as its predicate. */
export const statementFile = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject,
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.strictObject({
    title: z.string(),
    store: z.strictObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
    baseUrl: z.string(),
    reference: z.literal(true).optional(),
    profile: profileRef,
    gate: z.enum(['implied', 'advisory']),
    suite: suiteRef,
    seed: count.optional(),
    challenge: digest.optional(),
    runs: count,
    startedAt: time,
    finishedAt: time,
    issuedAt: time,
    validUntil: time,
    counts: outcomeCounts.strict(),
    requests: count,
    waivers: arrayOf(waiver.extend({ waiting: arrayOf(z.string()) }), MAX_WAIVERS),
    errata: arrayOf(erratum),
  }),
})

export const NOTICE =
  'Evidence of a run, and no certificate: nobody states that the store is conformant, and nothing is signed.'

export const evidenceFile = z.strictObject({
  format: z.literal('store-conformance-evidence/1'),
  notice: z.literal(NOTICE),
  subject,
  profile: profileRef,
  suite: suiteRef,
  challenge: digest.optional(),
})

export type EvidenceFile = z.infer<typeof evidenceFile>
export type Statement = z.infer<typeof statementFile>
export type Predicate = Statement['predicate']

export interface StatementParts {
  readonly report: ReportFile
  readonly recording: Pick<Recording, 'settings' | 'startedAt' | 'challenge'>
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  /** An earlier time counts if a waiver expires then. */
  readonly validUntil: number
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Everything in it follows from the report, the recording and the times. */
export function predicateOf({ report, recording, issuedAt, validUntil }: StatementParts): Predicate {
  const { settings, startedAt, challenge } = recording
  const waivers = (settings.waivers ?? []).map(each => ({ ...each, waiting: waitingFor(each, report) }))
  return {
    title: titleOf(waivers),
    store: report.store,
    baseUrl: settings.baseUrl,
    reference: settings.reference,
    profile: profileOfReport(report),
    gate: settings.gate,
    suite: suiteOf(report),
    seed: challenge === undefined ? settings.seed : undefined,
    challenge,
    runs: settings.runs,
    startedAt: iso(startedAt),
    finishedAt: iso(startedAt + report.durationMs),
    issuedAt: iso(issuedAt),
    validUntil: iso(Math.min(validUntil, lastMomentOf(waivers))),
    counts: report.counts,
    requests: report.requests,
    waivers,
    errata: storeServiceUnderTest.errata.map(each => ({ ...each })),
  }
}

export const statementOf = (predicate: Predicate, files: CertificateFiles): Statement => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: subjectOf(files),
  predicateType: PREDICATE_TYPE,
  predicate,
})

/** This version of the suite: a certificate of another version is not checked. */
export const suiteOf = ({ suite }: Pick<ReportFile, 'suite'>) => ({ ...suite, digest: suiteDigest() })

export const profileOfReport = ({ profile, revision, rules }: ReportFile) => ({
  name: profile,
  revision,
  digest: profileDigest(rules),
})

function titleOf(waivers: readonly (Waiver & { readonly waiting: readonly string[] })[]): string {
  if (waivers.length === 0) return 'conformant'
  const waiting = waivers.reduce((sum, each) => sum + each.waiting.length, 0)
  return `conformant with ${plural(waivers.length, 'waiver')}${waiting === 0 ? '' : `, ${plural(waiting, 'rule')} not judged`}`
}
