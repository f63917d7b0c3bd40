import { z } from 'zod'
import { canonical } from '../http/decimal.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'
import { DEFAULT_PROFILE, profileNames } from '../interface/profiles.ts'

/**
 * Every setting once: its variable, its flag, its meaning. The command's flags, `.env.example` and the help are made from this.
 * A setting without a flag must not be on a command line (command lines are public); one without a variable is of one run.
 */
export interface SettingInfo {
  readonly variable?: string
  readonly flag?: string
  /** How the flag's value is called in the help; a flag without takes none. */
  readonly value?: string
  readonly meaning: string
  readonly example?: string
}

export const settingInfos = {
  target: {
    variable: 'STORE_TARGET',
    flag: '--target',
    value: 'name',
    meaning: 'reference, base or staging (default: base where a base URL is set, else reference)',
    example: 'base',
  },
  baseUrl: {
    variable: 'STORE_BASE_URL',
    flag: '--base-url',
    value: 'url',
    meaning: 'address of the store with its version prefix',
    example: 'https://store.example/v1',
  },
  stagingBaseUrl: {
    variable: 'STORE_STAGING_BASE_URL',
    flag: '--staging-base-url',
    value: 'url',
    meaning: 'the same for staging (--target staging)',
    example: 'https://staging.store.example/v1',
  },
  apiKey: { variable: 'STORE_API_KEY', meaning: 'the API key', example: 'change-me' },
  stagingApiKey: {
    variable: 'STORE_STAGING_API_KEY',
    meaning: 'the API key for staging',
    example: 'change-me-too',
  },
  apiKeyFile: {
    flag: '--api-key-file',
    value: 'path',
    meaning: 'file that holds the API key (never the key itself: command lines are public)',
  },
  revokedApiKey: {
    variable: 'STORE_REVOKED_API_KEY',
    meaning: 'a key that must be refused (optional)',
    example: 'was-valid-once',
  },
  statesUrl: {
    variable: 'STORE_STATES_URL',
    flag: '--states-url',
    value: 'url',
    meaning: 'provider states endpoint, which arranges orders and pets for the run',
    example: 'https://store.example/provider-states',
  },
  statesToken: {
    variable: 'STORE_STATES_TOKEN',
    meaning: 'bearer token for the provider states endpoint',
    example: 'states-secret',
  },
  statesModule: {
    variable: 'STORE_STATES_MODULE',
    flag: '--states-module',
    value: 'path',
    meaning: 'ES module that exports setup(state, params) and optionally teardown(state, params)',
    example: './states.mjs',
  },
  pendingOrders: {
    variable: 'STORE_PENDING_ORDERS',
    flag: '--pending-orders',
    value: 'ids',
    meaning: 'orders that may be cancelled, comma-separated (a full verdict needs 3)',
    example: '1001,1002,1003',
  },
  shippedOrders: {
    variable: 'STORE_SHIPPED_ORDERS',
    flag: '--shipped-orders',
    value: 'ids',
    meaning: 'orders that have shipped, comma-separated (a full verdict needs 2)',
    example: '2001,2002',
  },
  pets: {
    variable: 'STORE_PETS',
    flag: '--pets',
    value: 'ids',
    meaning: 'pets whose stock may be changed and is put back, or any (a full verdict needs 2)',
    example: '1,2',
  },
  readOnly: {
    variable: 'STORE_READ_ONLY',
    flag: '--read-only',
    meaning: 'send nothing but GET',
    example: 'false',
  },
  profile: {
    variable: 'STORE_PROFILE',
    flag: '--profile',
    value: 'name',
    meaning: `${profileNames.join(' or ')}: a published set of rules (default ${DEFAULT_PROFILE})`,
    example: '1.0.0',
  },
  storeName: {
    variable: 'STORE_NAME',
    flag: '--store-name',
    value: 'name',
    meaning: 'name of the store, for the reports',
    example: 'Acme Store',
  },
  storeVersion: {
    variable: 'STORE_VERSION',
    flag: '--store-version',
    value: 'version',
    meaning: 'version or build of the store, for the reports',
    example: '3.2',
  },
  gate: {
    variable: 'STORE_GATE',
    flag: '--gate',
    value: 'level',
    meaning: 'required, implied or advisory: what decides the verdict (default implied)',
    example: 'implied',
  },
  seed: {
    variable: 'STORE_SEED',
    flag: '--seed',
    value: 'number',
    meaning: 'seed of what is generated (default: random, always printed)',
    example: '42',
  },
  runs: {
    variable: 'STORE_RUNS',
    flag: '--runs',
    value: 'number',
    meaning: 'generated cases for each property (default 20)',
    example: '20',
  },
  timeoutMs: {
    variable: 'STORE_TIMEOUT_MS',
    flag: '--timeout',
    value: 'ms',
    meaning: 'limit of a request in milliseconds (default 10000)',
    example: '10000',
  },
  concurrency: {
    variable: 'STORE_CONCURRENCY',
    flag: '--concurrency',
    value: 'number',
    meaning: 'requests in flight at most (default 8)',
    example: '8',
  },
  reportsDir: {
    variable: 'STORE_REPORTS_DIR',
    flag: '--out',
    value: 'folder',
    meaning: 'where the reports go (default reports)',
    example: 'reports',
  },
  only: {
    flag: '--only',
    value: 'selectors',
    meaning: 'only these rules: ids, globs or operations, comma-separated',
  },
  skip: { flag: '--skip', value: 'selectors', meaning: 'all rules but these' },
  expectedFailures: {
    flag: '--expected-failures',
    value: 'file',
    meaning: 'known failures that do not count (YAML: rule, operation, reason, owner, expires)',
  },
} as const satisfies Record<string, SettingInfo>

export type SettingName = keyof typeof settingInfos

/** What the settings were given as: texts, from flags, variables or a program. */
export type RawSettings = { readonly [Name in SettingName]?: string | undefined }

/** `STORE_BASE_URL (--base-url)`: how a mistake names its setting. */
export function nameOf(name: SettingName): string {
  const { variable, flag }: SettingInfo = settingInfos[name]
  return variable && flag ? `${variable} (${flag})` : (variable ?? flag ?? name)
}

const choice = <Value extends string>(...values: readonly Value[]) =>
  z.string().refine((text): text is Value => (values as readonly string[]).includes(text), {
    error: ({ input }) => `${JSON.stringify(input)} is not one of ${values.join(', ')}`,
  })

const wholeNumber = (low: number, high: number) =>
  z.string().transform((text, context) => {
    const value = /^[0-9]{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
    if (value >= low && value <= high) return value
    context.addIssue(`${JSON.stringify(text)} is not a whole number from ${low} to ${high}`)
    return z.NEVER
  })

const address = (example: string, key: string) =>
  z.string().transform((text, context) => {
    const reject = (problem: string) => {
      context.addIssue(problem)
      return z.NEVER
    }
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !/^https?:\/\/[^/]/i.test(text.trim()))
      return reject(`${JSON.stringify(hideUserInfo(text))} is no address; write it as ${example}`)
    if (url.username || url.password) return reject(`carries a user name or password; give ${key}`)
    if (url.search || url.hash || /[?#]\s*$/.test(text))
      return reject(`carries a query or fragment; write it as ${example}`)
    return url.href
  })

/** Of a store: paths are added to it. */
const baseAddress = (key: string) =>
  address('https://store.example/v1', key).transform(href => href.replace(/\/+$/, ''))

/** Whatever stands before an @ may be a password, however the rest is misspelled. */
export const hideUserInfo = (text: string): string => text.replace(/^.*@/s, '…@')

/** Comma-separated, as ids and selectors are. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

const ids = (accepts: (text: string) => boolean, what: string) =>
  z.string().transform((text, context) => {
    const found = list(text)
    const wrong = found.filter(each => !accepts(each))
    for (const each of wrong) context.addIssue(`${JSON.stringify(each)} is no ${what}`)
    const repeated = found.filter(
      (each, at) => found.findIndex(other => canonical(other) === canonical(each)) !== at,
    )
    for (const each of repeated) context.addIssue(`${each} is named twice`)
    if (found.length === 0) context.addIssue('names no id')
    return found
  })

const flagText = z.string().transform((text, context) => {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  context.addIssue(`${JSON.stringify(text)} is neither true nor false`)
  return z.NEVER
})

/** Visible ASCII without spaces: what a bearer credential can be made of (RFC 6750 §2.1 allows fewer). */
const secret = z
  .string()
  .min(1, { error: 'is empty', abort: true })
  .regex(/^[\x21-\x7e]+$/, 'has a space, a line break or another character that no header can carry')

const path = z.string().min(1, 'is empty')

/** A name or version for the reports. */
const shortText = z.string().trim().min(1, 'is empty').max(100, 'has more than 100 characters')

/** Each setting by itself; what concerns several is checked in configuration.ts. */
export const settingsSchema = z.object({
  target: choice('reference', 'base', 'staging').optional(),
  baseUrl: baseAddress('the API key as STORE_API_KEY').optional(),
  stagingBaseUrl: baseAddress('the API key as STORE_STAGING_API_KEY').optional(),
  apiKey: secret.optional(),
  stagingApiKey: secret.optional(),
  apiKeyFile: path.optional(),
  revokedApiKey: secret.optional(),
  // Sent to as it is: whether it ends in a slash makes a difference to some.
  statesUrl: address('https://store.example/provider-states', 'a token as STORE_STATES_TOKEN').optional(),
  statesToken: secret.optional(),
  statesModule: path.optional(),
  pendingOrders: ids(isOrderId, 'order id (an integer of 64 bits, without leading zeros)').optional(),
  shippedOrders: ids(isOrderId, 'order id (an integer of 64 bits, without leading zeros)').optional(),
  pets: z.union([z.literal('any'), ids(isPetId, 'pet id (a JSON number, or any)')]).optional(),
  readOnly: flagText.default(false),
  profile: choice(...profileNames).default(DEFAULT_PROFILE),
  storeName: shortText.optional(),
  storeVersion: shortText.optional(),
  gate: choice('required', 'implied', 'advisory').default('implied'),
  seed: wholeNumber(0, 2 ** 31 - 1).optional(),
  runs: wholeNumber(1, 10_000).default(20),
  timeoutMs: wholeNumber(1, 600_000).default(10_000),
  concurrency: wholeNumber(1, 256).default(8),
  reportsDir: path.default('reports'),
  only: z.string().transform(list).optional(),
  skip: z.string().transform(list).optional(),
  expectedFailures: path.optional(),
})

export type ParsedSettings = z.output<typeof settingsSchema>
