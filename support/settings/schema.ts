import { z } from 'zod'
import { canonical } from '../http/decimal.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'
import { DEFAULT_PROFILE, profileNames } from '../interface/profiles.ts'

const quoted = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))

const choice = <Value extends string>(...values: readonly Value[]) =>
  z.enum(values, { error: ({ input }) => `${quoted(input)} is not one of ${values.join(', ')}` })

function wholeNumber(low: number, high: number) {
  const error = ({ input }: { input?: unknown }) =>
    `${quoted(input)} is not a whole number from ${low} to ${high}`
  return z.int({ error }).min(low, { error }).max(high, { error })
}

/** Whatever stands before an @ may be a password, however the rest is misspelled. */
export const hideUserInfo = (text: string): string => text.replace(/^.*@/s, '…@')

const address = (example: string, key: string) =>
  z.string().transform((text, context) => {
    const reject = (problem: string) => {
      context.addIssue(problem)
      return z.NEVER
    }
    if (text.trim() === '') return reject(`is set to nothing; write it as ${example}, or unset it`)
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !/^https?:\/\/[^/]/i.test(text.trim()))
      return reject(`${JSON.stringify(hideUserInfo(text))} is not an address; write it as ${example}`)
    if (url.username || url.password) return reject(`contains a user name or password; give ${key}`)
    if (url.search || url.hash || /[?#]\s*$/.test(text))
      return reject(`contains a query or fragment; write it as ${example}`)
    return url.href
  })

/** The address of a store, without a slash at its end because paths are appended. */
const baseAddress = (key: string) =>
  address('https://store.example/v1', key).transform(href => href.replace(/\/+$/, ''))

/** A program may give an id as a number. Beyond 2^53 a number has lost digits, and names another order than the intended one. */
const idText = z.union([z.string(), z.bigint(), z.number()]).transform((id, context) => {
  if (typeof id !== 'number' || Math.abs(id) <= Number.MAX_SAFE_INTEGER) return String(id)
  context.addIssue(`${id} is a number beyond 2^53; give it as a string or a bigint`)
  return z.NEVER
})

const ids = (accepts: (text: string) => boolean, what: string) =>
  z.array(idText).transform((found, context) => {
    for (const each of found) if (!accepts(each)) context.addIssue(`${JSON.stringify(each)} is not ${what}`)
    const repeated = found.filter(
      (each, at) => found.findIndex(other => canonical(other) === canonical(each)) !== at,
    )
    for (const each of repeated) context.addIssue(`${each} is named twice`)
    if (found.length === 0) context.addIssue('names no id')
    return found
  })

const orderIds = ids(isOrderId, 'an order id (an integer of 64 bits, without leading zeros)')

/** Visible ASCII without spaces: the characters of a bearer credential (RFC 6750 §2.1 allows fewer). */
const secret = z
  .string()
  .min(1, { error: 'is empty', abort: true })
  .regex(/^[\x21-\x7e]+$/, 'has a space, a line break or another character that no header can carry')

const path = z.string().min(1, 'is empty')

/** A name or version for the reports. */
const shortText = z.string().trim().min(1, 'is empty').max(100, 'has more than 100 characters')

const rateError = ({ input }: { input?: unknown }) =>
  `${quoted(input)} is not a rate from 1/s to 1000/s, such as 20/s`
const wholeRate = z.int({ error: rateError }).min(1, { error: rateError }).max(1_000, { error: rateError })

/** Headers that rules are about, or that the connection needs. */
const OWN_HEADERS =
  /^(authorization|host|connection|content-.*|transfer-encoding|accept.*|expect|x-request-id)$/i

/** A value may be a secret, so no message contains it. */
const extraHeaders = z.record(z.string(), z.string()).transform((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) context.addIssue('is not a header; write it as NAME=VALUE')
    else if (OWN_HEADERS.test(name)) context.addIssue(`${name} is a header that the suite sends itself`)
    else if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))
      context.addIssue(`the value of ${name} is empty, or has a character that no header can carry`)
  }
  return headers
})

const LONGEST_RUN_MS = 24 * 3_600_000
const duration = z
  .int({ error: ({ input }) => `${quoted(input)} is not a time, such as 10m, 90s or 5000 (milliseconds)` })
  .min(1, 'is not above 0')
  .max(LONGEST_RUN_MS, 'is more than 24 hours')

/** Checks each setting by itself. configuration.ts checks combinations. */
export const settingsSchema = z.object({
  target: choice('reference', 'base', 'staging').optional(),
  baseUrl: baseAddress('the API key as STORE_API_KEY').optional(),
  stagingBaseUrl: baseAddress('the API key as STORE_STAGING_API_KEY').optional(),
  apiKey: secret.optional(),
  stagingApiKey: secret.optional(),
  apiKeyFile: path.optional(),
  revokedApiKey: secret.optional(),
  // Used as it is: for some servers a slash at the end makes a difference.
  statesUrl: address('https://store.example/provider-states', 'a token as STORE_STATES_TOKEN').optional(),
  statesToken: secret.optional(),
  statesModule: path.optional(),
  pendingOrders: orderIds.optional(),
  shippedOrders: orderIds.optional(),
  pets: z.union([z.literal('any'), ids(isPetId, 'a pet id (a JSON number, or any)')]).optional(),
  readOnly: z.boolean({ error: ({ input }) => `${quoted(input)} is neither true nor false` }).default(false),
  profile: choice(...profileNames).default(DEFAULT_PROFILE),
  storeName: shortText.optional(),
  storeVersion: shortText.optional(),
  gate: choice('required', 'implied', 'advisory').default('implied'),
  seed: wholeNumber(0, 2 ** 31 - 1).optional(),
  runs: wholeNumber(1, 10_000).default(20),
  timeoutMs: wholeNumber(1, 600_000).default(10_000),
  statesTimeoutMs: wholeNumber(1, 600_000).default(30_000),
  maxDurationMs: duration.default(600_000),
  concurrency: wholeNumber(1, 256).default(8),
  clientCert: path.optional(),
  clientKey: path.optional(),
  rate: wholeRate.optional(),
  headers: extraHeaders.optional(),
  reportsDir: path.default('reports'),
  only: z.array(z.string()).optional(),
  skip: z.array(z.string()).optional(),
  expectedFailures: path.optional(),
})

export type ParsedSettings = z.output<typeof settingsSchema>
