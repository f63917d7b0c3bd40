import { z } from 'zod'
import type { Profile } from '../interface/description.ts'
import type { Report } from '../report/report.ts'
import { sha256 } from './bodies.ts'
import { type RecordedSettings, waiver } from './recording.ts'
import { profileDigest, suiteDigest } from './suite-digest.ts'

export const REPORT = 'report.json'
export const RECORDING = 'recording.json'
export const ENVELOPE = 'envelope.json'
export const PREDICATE_TYPE = 'https://store-conformance.example/certificate/v1'

const count = z.int().min(0)
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.iso.datetime()

/** A customer's challenge: 256 bits in hexadecimal. */
export const challengeText = /^[0-9a-f]{64}$/

const erratum = z.strictObject({
  rule: z.string(),
  date: z.string(),
  reason: z.string(),
  change: z.enum(['withdrawn', 'corrected', 'demoted']),
  level: z.enum(['required', 'implied', 'advisory']).optional(),
})

/** The report and the recording with their digests. */
export const subject = z.array(
  z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: digest }) }),
)

export type Subject = z.infer<typeof subject>

export const subjectOf = (files: ReadonlyMap<string, Uint8Array>): Subject =>
  [REPORT, RECORDING].map(name => ({ name, digest: { sha256: sha256(files.get(name) ?? '') } }))

export const profileRef = z.strictObject({ name: z.string(), revision: count, digest })
export const suiteRef = z.strictObject({ name: z.literal('store-conformance'), version: z.string(), digest })

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
    gate: z
      .enum(['required', 'implied', 'advisory'])
      .refine((gate): boolean => gate !== 'required', 'is weaker than the default'),
    suite: suiteRef,
    seed: count.optional(),
    challenge: z.string().regex(challengeText).optional(),
    startedAt: time,
    finishedAt: time,
    issuedAt: time,
    validUntil: time,
    counts: z.strictObject({
      passed: count,
      failed: count,
      cantTell: count,
      inapplicable: count,
      untested: count,
    }),
    requests: count,
    waivers: z.array(waiver),
    errata: z.array(erratum),
  }),
})

export type Statement = z.infer<typeof statementFile>

export interface StatementParts {
  readonly report: Report
  readonly profile: Profile
  readonly settings: RecordedSettings
  readonly challenge: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly issuedAt: number
  readonly validDays: number
  /** The signed files, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Everything in it follows from the report, the settings and the times. */
export function statementOf(parts: StatementParts): Statement {
  const { report, profile, settings, challenge, startedAt, issuedAt, validDays, files } = parts
  const { waivers = [] } = settings
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjectOf(files),
    predicateType: PREDICATE_TYPE,
    predicate: {
      title: titleOf(waivers.length),
      ...(report.store ? { store: report.store } : {}),
      baseUrl: settings.baseUrl,
      ...(settings.reference ? { reference: true as const } : {}),
      profile: { name: profile.name, revision: profile.revision, digest: profileDigest(profile) },
      gate: settings.gate,
      suite: { ...report.suite, digest: suiteDigest() },
      ...(challenge === undefined ? { seed: settings.seed } : { challenge }),
      startedAt: iso(startedAt),
      finishedAt: iso(startedAt + report.durationMs),
      issuedAt: iso(issuedAt),
      validUntil: iso(issuedAt + validDays * 86_400_000),
      counts: report.counts,
      requests: report.requests,
      waivers: [...waivers],
      errata: report.description.errata.map(each => ({ ...each })),
    },
  }
}

export const titleOf = (waivers: number): string =>
  waivers === 0 ? 'conformant' : `conformant with ${waivers} ${waivers === 1 ? 'waiver' : 'waivers'}`
