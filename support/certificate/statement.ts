import { z } from 'zod'
import { outcomeCounts, type ReportFile } from '../report/report.ts'
import { profileDigest, sha256, suiteDigest } from './digest.ts'
import type { Recording } from './recording.ts'
import { arrayOf, count, digest } from './strict-json.ts'

export const REPORT = 'report.json'
export const RECORDING = 'recording.json'
export const ENVELOPE = 'envelope.json'
const PREDICATE_TYPE = 'https://store-conformance.example/certificate/v1'

/** The files of a certificate, by name. */
export type CertificateFiles = ReadonlyMap<string, Uint8Array>

const time = z.iso.datetime()

/** in-toto Statement v1, with the certificate as its predicate. */
export const statementFile = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  /** The report and the recording with their digests. */
  subject: arrayOf(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: digest }) })),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.strictObject({
    verdict: z.string(),
    store: z.strictObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
    baseUrl: z.string(),
    reference: z.literal(true).optional(),
    profile: z.strictObject({ name: z.string(), revision: count, digest }),
    gate: z.string(),
    suite: z.strictObject({ name: z.literal('store-conformance'), version: z.string(), digest }),
    seed: count,
    startedAt: time,
    finishedAt: time,
    counts: outcomeCounts.strict(),
    requests: count,
  }),
})

export type Statement = z.infer<typeof statementFile>
export type Predicate = Statement['predicate']

const iso = (ms: number): string => new Date(ms).toISOString()

/** Everything in it follows from the report and the recording. */
export function predicateOf(
  report: ReportFile,
  { settings, startedAt }: Pick<Recording, 'settings' | 'startedAt'>,
): Predicate {
  const { verdict, store, profile, revision, rules, suite, counts, requests, durationMs } = report
  return {
    verdict,
    store,
    baseUrl: settings.baseUrl,
    reference: settings.reference,
    profile: { name: profile, revision, digest: profileDigest(rules) },
    gate: settings.gate,
    suite: { ...suite, digest: suiteDigest() },
    seed: settings.seed,
    startedAt: iso(startedAt),
    finishedAt: iso(startedAt + durationMs),
    counts,
    requests,
  }
}

export const statementOf = (predicate: Predicate, files: CertificateFiles): Statement => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [REPORT, RECORDING].map(name => ({ name, digest: { sha256: sha256(files.get(name) ?? '') } })),
  predicateType: PREDICATE_TYPE,
  predicate,
})
