import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { DEFAULT_PROFILE, profiles } from '../interface/verdict.ts'
import { shellWord } from '../wire/curl.ts'
import * as value from './values.ts'

/**
 * @param variable without one, the setting is only a flag
 * @param flag without one, it is a secret: command lines are public
 * @param target the one that uses it; for another one it is a mistake. `named`: base or staging
 * @param also what takes it besides `run`, `doctor` and Vitest: `restore`, and `judge`, the functions of the package. `common`: the help
 *   shows it without --all
 */
const row = <Schema extends z.ZodType, const Also extends string>(
  schema: Schema,
  variable: string | undefined,
  flag: string | undefined,
  target: 'base' | 'staging' | 'named' | 'any',
  also: Also,
  meaning: string,
) => ({ schema, variable, flag, target, also, meaning })

const NONE = undefined
const profileNames = Object.keys(profiles)
const STATES = 'https://store.example/provider-states'

/** Every setting, in the order of the help. */
// biome-ignore format: a table
export const settings = {
  target: row(value.choice('reference', 'base', 'staging').optional(), 'STORE_TARGET', '--target <name>', 'any', 'restore',
    'reference, base or staging (default: base if a base URL is set)'),
  orReference: row(value.onOrOff.default(false), NONE, '--or-reference', 'any', '',
    'judge the bundled reference store if no store is named'),
  baseUrl: row(value.baseAddress.optional(), 'STORE_BASE_URL', '--base-url <url>', 'base', 'restore judge common',
    'address of the store with its version prefix'),
  start: row(value.text.optional(), 'STORE_START', '--start <command>', 'base', 'common',
    'command that starts the store for the run'),
  waitMs: row(value.duration(24, 'h').optional(), 'STORE_WAIT', '--wait <time>', 'named', '',
    'how long to wait for the first answer (default 30s with --start, else 0)'),
  stagingBaseUrl: row(value.baseAddress.optional(), 'STORE_STAGING_BASE_URL', '--staging-base-url <url>', 'staging', 'restore',
    'address of the staging store, instead of the base URL (--target staging)'),
  apiKey: row(value.secret.optional(), 'STORE_API_KEY', NONE, 'base', 'restore judge',
    'the API key'),
  stagingApiKey: row(value.secret.optional(), 'STORE_STAGING_API_KEY', NONE, 'staging', 'restore',
    'the API key of the staging store, instead of the API key (--target staging)'),
  apiKeyFile: row(value.keyFile.optional(), NONE, '--api-key-file <path>', 'named', 'restore common',
    'file that contains the API key (the key itself is never a flag)'),
  revokedApiKey: row(value.secret.optional(), 'STORE_REVOKED_API_KEY', NONE, 'named', 'judge',
    'a revoked key, which the store must reject (optional)'),
  // Used as it is: for some servers a slash at the end makes a difference.
  statesUrl: row(value.address(STATES).optional(), 'STORE_STATES_URL', '--states-url <url>', 'named', 'judge common',
    'provider states endpoint, which arranges orders and pets for the run'),
  statesToken: row(value.secret.optional(), 'STORE_STATES_TOKEN', NONE, 'named', 'judge',
    'bearer token for the provider states endpoint'),
  statesModule: row(value.moduleFile.optional(), 'STORE_STATES_MODULE', '--states-module <path>', 'named', 'judge',
    'ES module that exports setup(state, params) and optionally teardown(state, params)'),
  pendingOrders: row(value.orderIds.optional(), 'STORE_PENDING_ORDERS', '--pending-orders <ids>', 'named', 'judge common',
    'orders that may be cancelled, comma-separated (a full verdict needs 3)'),
  shippedOrders: row(value.orderIds.optional(), 'STORE_SHIPPED_ORDERS', '--shipped-orders <ids>', 'named', 'judge common',
    'orders that have shipped, comma-separated (a full verdict needs 1)'),
  pets: row(value.petIds.optional(), 'STORE_PETS', '--pets <ids>', 'named', 'judge common',
    'pets whose stock may be changed and is restored, or any (a full verdict needs 2)'),
  readOnly: row(value.onOrOff.default(false), 'STORE_READ_ONLY', '--read-only', 'any', 'judge common',
    'send only GET requests'),
  profile: row(value.choice(...profileNames).default(DEFAULT_PROFILE), 'STORE_PROFILE', '--profile <name>', 'any', 'judge',
    `${profileNames.join(' or ')}: a published set of rules (default ${DEFAULT_PROFILE})`),
  storeName: row(value.text.optional(), 'STORE_NAME', '--store-name <name>', 'any', 'judge',
    'name of the store, for the reports'),
  storeVersion: row(value.text.optional(), 'STORE_VERSION', '--store-version <version>', 'any', 'judge',
    'version or build of the store, for the reports'),
  gate: row(value.choice('required', 'implied', 'advisory').default('implied'), 'STORE_GATE', '--gate <level>', 'any', 'judge',
    'required, implied or advisory: the levels that decide the verdict (default implied)'),
  seed: row(value.wholeNumber(0, 2 ** 31 - 1).default(() => randomInt(2 ** 31)), 'STORE_SEED', '--seed <number>', 'any', 'judge',
    'seed of the generated values (default: random; every run prints it)'),
  timeoutMs: row(value.duration(10, 'm').default(10_000), 'STORE_TIMEOUT', '--timeout <time>', 'any', 'restore judge',
    'time limit of a request (default 10s); a setup may take three times as long'),
  maxDurationMs: row(value.duration(24, 'h').default(600_000), 'STORE_MAX_DURATION', '--max-duration <time>', 'any', 'judge',
    'time limit of the run (default 10m); the rest is then untested'),
  concurrency: row(value.wholeNumber(1, 256).default(8), 'STORE_CONCURRENCY', '--concurrency <number>', 'any', 'restore judge',
    'highest number of simultaneous requests, and of connections (default 8)'),
  clientCert: row(value.pemFile.optional(), 'STORE_CLIENT_CERT', '--client-cert <file>', 'named', 'restore judge',
    'client certificate for a store that asks for one (PEM)'),
  clientKey: row(value.pemFile.optional(), 'STORE_CLIENT_KEY', '--client-key <file>', 'named', 'restore judge',
    'private key of the client certificate (PEM)'),
  rate: row(value.rate.optional(), 'STORE_RATE', '--rate <number>', 'any', 'restore judge common',
    'highest number of requests per second (default: no limit)'),
  headers: row(value.headers.optional(), 'STORE_HEADERS', '--header <name=value>', 'any', 'restore judge',
    'header to add to every request, for gateways and tenants; may be repeated'),
  reportsDir: row(value.text.default('reports'), 'STORE_REPORTS_DIR', '--out <folder>', 'any', 'restore common',
    'folder for the reports (default reports)'),
  only: row(value.selectors.optional(), NONE, '--only <selectors>', 'any', 'judge common',
    'judge only these rules: ids, globs or operations, comma-separated'),
  skip: row(value.selectors.optional(), NONE, '--skip <selectors>', 'any', 'judge',
    'judge all rules except these'),
  expectedFailures: row(value.failuresFile.optional(), 'STORE_EXPECTED_FAILURES', '--expected-failures <file>', 'any', 'judge common',
    'accepted failures (YAML: rule, operation, reason, owner, expires)'),
}

type Table = typeof settings
export type SettingName = keyof Table

/** Settings before validation: as a program gives them, or as texts of flags and variables. */
export type GivenSettings = { readonly [Name in SettingName]?: unknown }
export type RawSettings = { readonly [Name in SettingName]?: string | undefined }
export type ParsedSettings = z.output<z.ZodObject<{ [Name in SettingName]: Table[Name]['schema'] }>>

/** The settings that a program gives to `judge()`. */
export type ProgramSettings = {
  readonly [Name in SettingName as Table[Name]['also'] extends `${string}judge${string}`
    ? Name
    : never]?: z.input<Table[Name]['schema']>
}

export const allSettings = Object.entries(settings).map(([name, setting]) => ({
  ...setting,
  name: name as SettingName,
  schema: setting.schema as z.ZodType,
  /** The flag without the name of its value. */
  short: setting.flag?.split(' ')[0],
}))

export const settingsOf = (taker: 'run' | 'doctor' | 'restore' | 'judge'): typeof allSettings =>
  allSettings.filter(({ also }) => ['run', 'doctor'].includes(taker) || also.includes(taker))

/** The flags as they are typed in a shell. */
export const writtenFlags = (given: RawSettings): string[] =>
  allSettings.flatMap(({ name, flag, short = '' }) => {
    const { [name]: text } = given
    if (flag === undefined || text === undefined) return []
    return [flag === short ? short : `${short} ${shellWord(text)}`]
  })
