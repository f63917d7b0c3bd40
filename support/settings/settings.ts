import { DEFAULT_PROFILE, profileNames } from '../interface/profiles.ts'

/**
 * Every setting: its variable, its flag, its meaning. The flags of the command, `.env.example` and the help are generated from it.
 * A setting without a flag is a secret, because command lines are public. A setting without a variable belongs to one run.
 */
export interface SettingInfo {
  readonly variable?: string
  readonly flag?: string
  /** Name of the flag's value in the help. A flag without it takes no value. */
  readonly value?: string
  /** How its text is read. Default: as it is. */
  readonly kind?: 'list' | 'number' | 'switch' | 'rate' | 'headers' | 'duration'
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
    meaning: 'address of the staging store (--target staging)',
    example: 'https://staging.store.example/v1',
  },
  apiKey: { variable: 'STORE_API_KEY', meaning: 'the API key', example: 'change-me' },
  stagingApiKey: {
    variable: 'STORE_STAGING_API_KEY',
    meaning: 'the API key of the staging store',
    example: 'change-me-too',
  },
  apiKeyFile: {
    flag: '--api-key-file',
    value: 'path',
    meaning: 'file that contains the API key (the key itself is never a flag)',
  },
  revokedApiKey: {
    variable: 'STORE_REVOKED_API_KEY',
    meaning: 'a revoked key, which the store must reject (optional)',
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
    kind: 'list',
    meaning: 'orders that may be cancelled, comma-separated (a full verdict needs 3)',
    example: '1001,1002,1003',
  },
  shippedOrders: {
    variable: 'STORE_SHIPPED_ORDERS',
    flag: '--shipped-orders',
    value: 'ids',
    kind: 'list',
    meaning: 'orders that have shipped, comma-separated (a full verdict needs 2)',
    example: '2001,2002',
  },
  pets: {
    variable: 'STORE_PETS',
    flag: '--pets',
    value: 'ids',
    kind: 'list',
    meaning: 'pets whose stock may be changed and is restored, or any (a full verdict needs 2)',
    example: '1,2',
  },
  readOnly: {
    variable: 'STORE_READ_ONLY',
    flag: '--read-only',
    kind: 'switch',
    meaning: 'send only GET requests',
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
    meaning: 'required, implied or advisory: the levels that decide the verdict (default implied)',
    example: 'implied',
  },
  seed: {
    variable: 'STORE_SEED',
    flag: '--seed',
    value: 'number',
    kind: 'number',
    meaning: 'seed of the generated values (default: random; every run prints it)',
    example: '42',
  },
  runs: {
    variable: 'STORE_RUNS',
    flag: '--runs',
    value: 'number',
    kind: 'number',
    meaning: 'generated cases for each property (default 20)',
    example: '20',
  },
  timeoutMs: {
    variable: 'STORE_TIMEOUT_MS',
    flag: '--timeout',
    value: 'ms',
    kind: 'number',
    meaning: 'time limit of a request in milliseconds (default 10000)',
    example: '10000',
  },
  statesTimeoutMs: {
    variable: 'STORE_STATES_TIMEOUT_MS',
    flag: '--states-timeout',
    value: 'ms',
    kind: 'number',
    meaning: 'time limit of one setup, and of all teardowns, in milliseconds (default 30000)',
    example: '30000',
  },
  maxDurationMs: {
    variable: 'STORE_MAX_DURATION',
    flag: '--max-duration',
    value: 'time',
    kind: 'duration',
    meaning: 'time limit of the run, as 10m, 90s or in milliseconds; the rest is then untested (default 10m)',
    example: '10m',
  },
  concurrency: {
    variable: 'STORE_CONCURRENCY',
    flag: '--concurrency',
    value: 'number',
    kind: 'number',
    meaning: 'highest number of simultaneous requests (default 8)',
    example: '8',
  },
  clientCert: {
    variable: 'STORE_CLIENT_CERT',
    flag: '--client-cert',
    value: 'file',
    meaning: 'client certificate for a store that asks for one (PEM)',
    example: 'client.pem',
  },
  clientKey: {
    variable: 'STORE_CLIENT_KEY',
    flag: '--client-key',
    value: 'file',
    meaning: 'private key of the client certificate (PEM)',
    example: 'client-key.pem',
  },
  rate: {
    variable: 'STORE_RATE',
    flag: '--rate',
    value: 'n/s',
    kind: 'rate',
    meaning: 'highest number of requests per second, as 20/s (default: no limit)',
    example: '20/s',
  },
  headers: {
    variable: 'STORE_HEADERS',
    flag: '--header',
    value: 'name=value',
    kind: 'headers',
    meaning: 'header to add to every request, for gateways and tenants; may be repeated',
    example: 'X-Tenant=acme',
  },
  reportsDir: {
    variable: 'STORE_REPORTS_DIR',
    flag: '--out',
    value: 'folder',
    meaning: 'folder for the reports (default reports)',
    example: 'reports',
  },
  only: {
    flag: '--only',
    value: 'selectors',
    kind: 'list',
    meaning: 'judge only these rules: ids, globs or operations, comma-separated',
  },
  skip: { flag: '--skip', value: 'selectors', kind: 'list', meaning: 'judge all rules except these' },
  expectedFailures: {
    flag: '--expected-failures',
    value: 'file',
    meaning: 'accepted failures (YAML: rule, operation, reason, owner, expires)',
  },
} as const satisfies Record<string, SettingInfo>

export type SettingName = keyof typeof settingInfos

/** Settings as texts, from flags and variables. */
export type RawSettings = { readonly [Name in SettingName]?: string | undefined }

/** The setting as a mistake names it: `STORE_BASE_URL (--base-url)`. */
export function nameOf(name: SettingName): string {
  const { variable, flag }: SettingInfo = settingInfos[name]
  return variable && flag ? `${variable} (${flag})` : (variable ?? flag ?? name)
}

/** The values of the settings, before validation. A program gives them as they are, flags and variables as texts. */
export type GivenSettings = { readonly [Name in SettingName]?: unknown }

/** Turns the texts into the values they stand for. A text that cannot be converted stays a text, and validation reports it. */
export function valuesOf(raw: RawSettings): GivenSettings {
  const given = Object.entries(raw).filter(([, text]) => text !== undefined) as [SettingName, string][]
  return Object.fromEntries(given.map(([name, text]) => [name, valueFor(name, text)]))
}

function valueFor(name: SettingName, text: string): unknown {
  const { kind }: SettingInfo = settingInfos[name]
  const trimmed = text.trim()
  if (kind === 'number') return /^[0-9]{1,10}$/.test(trimmed) ? Number(trimmed) : text
  if (kind === 'rate') return /^[0-9]{1,4}\/s$/.test(trimmed) ? Number.parseInt(trimmed, 10) : text
  if (kind === 'headers') return headersIn(text)
  if (kind === 'duration') return durationMs(trimmed) ?? text
  if (kind === 'switch') {
    if (/^(true|1|yes|on)$/i.test(trimmed)) return true
    return /^(false|0|no|off)$/i.test(trimmed) ? false : text
  }
  if (kind !== 'list') return text
  return name === 'pets' && trimmed === 'any' ? 'any' : items(text)
}

const UNITS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Undefined if the text is not a time. */
function durationMs(text: string): number | undefined {
  const [, digits, unit = ''] = /^([0-9]{1,9}) ?(ms|s|m|h)?$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 1)
}

const items = (text: string): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

/** `NAME=VALUE` on a line each, or separated by commas. A text that is not a header gets an empty name, which validation reports. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const parts = text.split(/\n|,(?=\s*[\w-]+=)/).filter(each => each.trim() !== '')
  return Object.fromEntries(
    parts.map(part => {
      const [, name = '', value = ''] = /^\s*([^=\s]*)=(.*?)\s*$/.exec(part) ?? []
      return [name, value]
    }),
  )
}
