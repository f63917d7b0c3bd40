import { z } from 'zod'
import { problemKinds } from '../http/exchange.ts'
import { arrayOf, count, digest } from './strict-json.ts'

/** Bytes of a text that somebody wrote freely: a reason, or a message of the store. */
const MAX_TEXT = 4096
const text = z.string().refine(each => Buffer.byteLength(each) <= MAX_TEXT, `has more than ${MAX_TEXT} bytes`)

/** The beginning of a text, as much as a recording may have. */
export const cutToText = (long: string): string =>
  long.slice(0, new TextEncoder().encodeInto(long, new Uint8Array(MAX_TEXT)).read)

export const waiver = z.strictObject({
  rule: z.string().regex(/^[a-z0-9-]{1,200}$/, 'is not the id of a rule'),
  operation: z.string(),
  reason: text,
  owner: text,
  expires: z.iso.date(),
})

/** Waivers of a certificate at most. */
export const MAX_WAIVERS = 1000

/** Generated cases of each property that a certificate needs at least. */
export const LEAST_RUNS = 20

/** As `new URL` writes it: a host beyond ASCII is in Punycode, so that no letter looks like another. */
const ADDRESS =
  /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=-]+)(:[0-9]{1,5})?(\/[!"$->@-[\]-~]*)?(?<!\/)$/

export type Waiver = z.infer<typeof waiver>

const header = z.tuple([z.string(), z.string()])

const recordedRequest = z.strictObject({
  method: z.string(),
  target: z.string(),
  headers: arrayOf(header),
  version: z.literal('1.0').optional(),
  writing: z.enum(['split', 'late', 'chunked']).optional(),
  body: z.string().optional(),
})

const exchangeEvent = z.strictObject({
  kind: z.literal('exchange'),
  scenario: z.string(),
  nth: count,
  operation: z.string().optional(),
  step: z.string(),
  on: z.enum(['any', 'fresh', 'own']),
  repeatable: z.boolean(),
  request: recordedRequest,
  response: z
    .strictObject({ status: z.int().min(100).max(999), headers: arrayOf(header), body: digest.optional() })
    .optional(),
  problem: z.strictObject({ kind: z.enum(problemKinds), message: text }).optional(),
  connection: z.enum(['pool', 'fresh', 'kept']),
  repeatedAfter: text.optional(),
  startedAt: count,
  durationMs: count,
  waitedMs: count,
  echoesKey: z.literal(true).optional(),
})

const stateEvent = z.strictObject({
  kind: z.literal('state'),
  nth: count,
  action: z.enum(['setup', 'teardown']),
  state: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  ids: arrayOf(z.string()).optional(),
  declined: text.optional(),
  unauthorised: z.boolean().optional(),
  error: z.strictObject({ name: text, message: text }).optional(),
})

const strayEvent = z.strictObject({
  kind: z.literal('strayBytes'),
  scenario: z.string(),
  nth: count,
  value: z.boolean(),
})

/** An input of a run, as `recording.json` holds it. Texts of the store are redacted. */
const inputEvent = z.discriminatedUnion('kind', [exchangeEvent, stateEvent, strayEvent])

export type ExchangeEvent = z.infer<typeof exchangeEvent>
export type StateEvent = z.infer<typeof stateEvent>
export type InputEvent = z.infer<typeof inputEvent>

/** The settings that a judgement depends on. The keys are stand-ins. */
export const recordedSettings = z.strictObject({
  baseUrl: z.string().regex(ADDRESS, 'is not an address as new URL writes it, without a slash at its end'),
  reference: z.literal(true).optional(),
  apiKey: z.string(),
  revokedApiKey: z.string().optional(),
  provider: z.string().optional(),
  pendingOrders: arrayOf(z.string()).optional(),
  shippedOrders: arrayOf(z.string()).optional(),
  pets: z.union([z.literal('any'), arrayOf(z.string())]).optional(),
  profile: z.string(),
  /** A certificate with the gate `required` would be weaker than the default. */
  gate: z.enum(['implied', 'advisory']),
  seed: count.max(2 ** 31 - 1),
  runs: count.min(LEAST_RUNS, `is below ${LEAST_RUNS}, the minimum of generated cases`).max(10_000),
  timeoutMs: count.max(600_000),
  concurrency: count.min(1).max(256),
  storeName: text.optional(),
  storeVersion: text.optional(),
  waivers: arrayOf(waiver, MAX_WAIVERS).readonly().optional(),
})

export const recordingFile = z.strictObject({
  format: z.literal('store-conformance-recording/1'),
  startedAt: count.max(8_640_000_000_000_000),
  settings: recordedSettings,
  events: arrayOf(inputEvent),
})

export type RecordedSettings = z.infer<typeof recordedSettings>
export type RecordingFile = z.infer<typeof recordingFile>

/** Everything that a run learned from outside, and the bodies by their SHA-256. */
export interface Recording extends RecordingFile {
  readonly bodies: ReadonlyMap<string, Uint8Array>
  /** The challenge that its values follow from, instead of the seed. It is in the statement, or in `evidence.json`. */
  readonly challenge: string | undefined
}
