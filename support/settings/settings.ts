import type { z } from 'zod'
import { DEFAULT_PROFILE, profileNames } from '../interface/profiles.ts'
import * as value from './values.ts'

/** What takes a setting. `run` and `doctor` take every setting. */
export type Taker = 'run' | 'doctor' | 'restore' | 'judge'

export interface Setting {
  readonly schema: z.ZodType
  /** A setting without a variable belongs to one command. */
  readonly variable?: string
  /** With the name of its value. A setting without a flag is a secret, because command lines are public. */
  readonly flag?: string
  /** A flag that may be repeated: what separates its values in one text. */
  readonly separator?: ',' | '\n'
  readonly meaning: string
  /** Whether most people need it, so that `--help` shows it without `--all`. */
  readonly common?: true
  readonly example?: string
  /** The targets that use it. Default: all. For another target it is a mistake. */
  readonly targets?: readonly ('base' | 'staging')[]
  /** What takes it besides `run` and `doctor`. `judge` stands for the functions of the package. */
  readonly also?: readonly Taker[]
}

const STORES = ['base', 'staging'] as const
const EVERY = ['restore', 'judge'] as const
const JUDGING = ['judge'] as const

/**
 * Every setting, in the order of the help. Flags, variables, help, `.env.example`, the options of
 * `judge()` and the configuration follow from it.
 */
export const settings = {
  target: {
    schema: value.choice('reference', 'base', 'staging').optional(),
    variable: 'STORE_TARGET',
    flag: '--target <name>',
    meaning: 'reference, base or staging (default: base if a base URL is set)',
    example: 'base',
    also: ['restore'],
  },
  orReference: {
    schema: value.onOrOff.default(false),
    flag: '--or-reference',
    meaning: 'judge the bundled reference store if no store is named',
  },
  baseUrl: {
    schema: value.baseAddress('STORE_API_KEY').optional(),
    variable: 'STORE_BASE_URL',
    flag: '--base-url <url>',
    meaning: 'address of the store with its version prefix',
    common: true,
    example: 'https://store.example/v1',
    targets: ['base'],
    also: EVERY,
  },
  start: {
    schema: value.command.optional(),
    variable: 'STORE_START',
    flag: '--start <command>',
    meaning: 'command that starts the store for the run',
    common: true,
    example: 'npm start',
    targets: ['base'],
  },
  waitMs: {
    schema: value.duration('24h').optional(),
    variable: 'STORE_WAIT',
    flag: '--wait <time>',
    meaning: 'how long to wait for the first answer (default 30s with --start, else 0)',
    example: '30s',
    targets: STORES,
  },
  stagingBaseUrl: {
    schema: value.baseAddress('STORE_STAGING_API_KEY').optional(),
    variable: 'STORE_STAGING_BASE_URL',
    flag: '--staging-base-url <url>',
    meaning: 'address of the staging store, instead of the base URL (--target staging)',
    example: 'https://staging.store.example/v1',
    targets: ['staging'],
    also: ['restore'],
  },
  apiKey: {
    schema: value.secret.optional(),
    variable: 'STORE_API_KEY',
    meaning: 'the API key',
    example: 'change-me',
    targets: ['base'],
    also: EVERY,
  },
  stagingApiKey: {
    schema: value.secret.optional(),
    variable: 'STORE_STAGING_API_KEY',
    meaning: 'the API key of the staging store, instead of the API key (--target staging)',
    example: 'change-me-too',
    targets: ['staging'],
    also: ['restore'],
  },
  apiKeyFile: {
    schema: value.path.optional(),
    flag: '--api-key-file <path>',
    meaning: 'file that contains the API key (the key itself is never a flag)',
    common: true,
    targets: STORES,
    also: ['restore'],
  },
  revokedApiKey: {
    schema: value.secret.optional(),
    variable: 'STORE_REVOKED_API_KEY',
    meaning: 'a revoked key, which the store must reject (optional)',
    example: 'was-valid-once',
    targets: STORES,
    also: JUDGING,
  },
  statesUrl: {
    // Used as it is: for some servers a slash at the end makes a difference.
    schema: value
      .address('https://store.example/provider-states', 'a token as STORE_STATES_TOKEN')
      .optional(),
    variable: 'STORE_STATES_URL',
    flag: '--states-url <url>',
    meaning: 'provider states endpoint, which arranges orders and pets for the run',
    common: true,
    example: 'https://store.example/provider-states',
    targets: STORES,
    also: JUDGING,
  },
  statesToken: {
    schema: value.secret.optional(),
    variable: 'STORE_STATES_TOKEN',
    meaning: 'bearer token for the provider states endpoint',
    example: 'states-secret',
    targets: STORES,
    also: JUDGING,
  },
  statesModule: {
    schema: value.path.optional(),
    variable: 'STORE_STATES_MODULE',
    flag: '--states-module <path>',
    meaning: 'ES module that exports setup(state, params) and optionally teardown(state, params)',
    example: './states.mjs',
    targets: STORES,
    also: JUDGING,
  },
  pendingOrders: {
    schema: value.orderIds.optional(),
    variable: 'STORE_PENDING_ORDERS',
    flag: '--pending-orders <ids>',
    separator: ',',
    meaning: 'orders that may be cancelled, comma-separated (a full verdict needs 3)',
    common: true,
    example: '1001,1002,1003',
    targets: STORES,
    also: JUDGING,
  },
  shippedOrders: {
    schema: value.orderIds.optional(),
    variable: 'STORE_SHIPPED_ORDERS',
    flag: '--shipped-orders <ids>',
    separator: ',',
    meaning: 'orders that have shipped, comma-separated (a full verdict needs 1)',
    common: true,
    example: '2001,2002',
    targets: STORES,
    also: JUDGING,
  },
  pets: {
    schema: value.petIds.optional(),
    variable: 'STORE_PETS',
    flag: '--pets <ids>',
    separator: ',',
    meaning: 'pets whose stock may be changed and is restored, or any (a full verdict needs 2)',
    common: true,
    example: '1,2',
    targets: STORES,
    also: JUDGING,
  },
  readOnly: {
    schema: value.onOrOff.default(false),
    variable: 'STORE_READ_ONLY',
    flag: '--read-only',
    meaning: 'send only GET requests',
    common: true,
    example: 'false',
    also: JUDGING,
  },
  profile: {
    schema: value.choice(...profileNames).default(DEFAULT_PROFILE),
    variable: 'STORE_PROFILE',
    flag: '--profile <name>',
    meaning: `${profileNames.join(' or ')}: a published set of rules (default ${DEFAULT_PROFILE})`,
    example: '1.0.0',
    also: JUDGING,
  },
  storeName: {
    schema: value.shortText.optional(),
    variable: 'STORE_NAME',
    flag: '--store-name <name>',
    meaning: 'name of the store, for the reports',
    example: 'Acme Store',
    also: JUDGING,
  },
  storeVersion: {
    schema: value.shortText.optional(),
    variable: 'STORE_VERSION',
    flag: '--store-version <version>',
    meaning: 'version or build of the store, for the reports',
    example: '3.2',
    also: JUDGING,
  },
  gate: {
    schema: value.choice('required', 'implied', 'advisory').default('implied'),
    variable: 'STORE_GATE',
    flag: '--gate <level>',
    meaning: 'required, implied or advisory: the levels that decide the verdict (default implied)',
    example: 'implied',
    also: JUDGING,
  },
  seed: {
    schema: value.wholeNumber(0, 2 ** 31 - 1).optional(),
    variable: 'STORE_SEED',
    flag: '--seed <number>',
    meaning: 'seed of the generated values (default: random; every run prints it)',
    example: '42',
    also: JUDGING,
  },
  timeoutMs: {
    schema: value.duration('10m').default(10_000),
    variable: 'STORE_TIMEOUT',
    flag: '--timeout <time>',
    meaning: 'time limit of a request (default 10s); a setup may take three times as long',
    example: '10s',
    also: EVERY,
  },
  maxDurationMs: {
    schema: value.duration('24h').default(600_000),
    variable: 'STORE_MAX_DURATION',
    flag: '--max-duration <time>',
    meaning: 'time limit of the run (default 10m); the rest is then untested',
    example: '10m',
    also: JUDGING,
  },
  concurrency: {
    schema: value.wholeNumber(1, 256).default(8),
    variable: 'STORE_CONCURRENCY',
    flag: '--concurrency <number>',
    meaning: 'highest number of simultaneous requests (default 8)',
    example: '8',
    also: EVERY,
  },
  clientCert: {
    schema: value.path.optional(),
    variable: 'STORE_CLIENT_CERT',
    flag: '--client-cert <file>',
    meaning: 'client certificate for a store that asks for one (PEM)',
    example: 'client.pem',
    targets: STORES,
    also: EVERY,
  },
  clientKey: {
    schema: value.path.optional(),
    variable: 'STORE_CLIENT_KEY',
    flag: '--client-key <file>',
    meaning: 'private key of the client certificate (PEM)',
    example: 'client-key.pem',
    targets: STORES,
    also: EVERY,
  },
  rate: {
    schema: value.rate.optional(),
    variable: 'STORE_RATE',
    flag: '--rate <number>',
    meaning: 'highest number of requests per second (default: no limit)',
    common: true,
    example: '20',
    also: EVERY,
  },
  headers: {
    schema: value.extraHeaders.optional(),
    variable: 'STORE_HEADERS',
    flag: '--header <name=value>',
    // The value of a header may contain commas.
    separator: '\n',
    meaning: 'header to add to every request, for gateways and tenants; may be repeated',
    example: 'X-Tenant=acme',
    also: EVERY,
  },
  reportsDir: {
    schema: value.path.default('reports'),
    variable: 'STORE_REPORTS_DIR',
    flag: '--out <folder>',
    meaning: 'folder for the reports (default reports)',
    common: true,
    example: 'reports',
    also: ['restore'],
  },
  only: {
    schema: value.selectors.optional(),
    flag: '--only <selectors>',
    separator: ',',
    meaning: 'judge only these rules: ids, globs or operations, comma-separated',
    common: true,
    also: JUDGING,
  },
  skip: {
    schema: value.selectors.optional(),
    flag: '--skip <selectors>',
    separator: ',',
    meaning: 'judge all rules except these',
    also: JUDGING,
  },
  expectedFailures: {
    schema: value.path.optional(),
    variable: 'STORE_EXPECTED_FAILURES',
    flag: '--expected-failures <file>',
    meaning: 'accepted failures (YAML: rule, operation, reason, owner, expires)',
    common: true,
    example: 'expected-failures.yaml',
    also: JUDGING,
  },
} as const satisfies Record<string, Setting>

type Table = typeof settings
export type SettingName = keyof Table

/** Settings before validation: as a program gives them, or as texts of flags and variables. */
export type GivenSettings = { readonly [Name in SettingName]?: unknown }

/** Texts of flags and variables. */
export type RawSettings = { readonly [Name in SettingName]?: string | undefined }

export type ParsedSettings = z.output<z.ZodObject<{ [Name in SettingName]: Table[Name]['schema'] }>>

/** The settings that a program gives to `judge()`. */
export type ProgramSettings = {
  readonly [Name in SettingName as 'judge' extends Also<Name> ? Name : never]?: z.input<Table[Name]['schema']>
}
type Also<Name extends SettingName> = Table[Name] extends { also: readonly (infer Each)[] } ? Each : never

/** The table as a list. */
export const allSettings = Object.entries<Setting>(settings).map(([name, setting]) => ({
  ...setting,
  name: name as SettingName,
}))

export const settingOf = (name: SettingName): Setting => settings[name]

export const settingsOf = (taker: Taker): typeof allSettings =>
  allSettings.filter(({ also }) => ['run', 'doctor'].includes(taker) || also?.includes(taker))

/** The flag without the name of its value. */
const flagOf = (name: SettingName): string | undefined => settingOf(name).flag?.split(' ')[0]

/** The setting as a mistake names it: `STORE_BASE_URL (--base-url)`. */
export function nameOf(name: SettingName): string {
  const { variable } = settingOf(name)
  const flag = flagOf(name)
  return variable && flag ? `${variable} (${flag})` : (variable ?? flag ?? name)
}

/** The text of `.env.example`. */
export const exampleText = (): string =>
  [
    '# Copy to .env and fill in. A flag wins over the environment, the environment over this file.',
    '# .env contains secrets: git ignores it; give it mode 600.',
    ...allSettings.flatMap(({ name, variable, meaning, example }) => {
      const flag = flagOf(name)
      return variable === undefined
        ? []
        : ['', `# ${meaning}${flag ? ` (${flag})` : ''}`, `#${variable}=${example}`]
    }),
    '',
  ].join('\n')
