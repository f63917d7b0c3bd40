import { existsSync, readFileSync } from 'node:fs'
import { variableOf } from '../http/curl.ts'
import { sameNumber } from '../http/decimal.ts'
import { type Environment, isUsable, proxyFor } from '../http/proxy.ts'
import type { Secret } from '../http/redact.ts'
import type { ExpectedFailures } from '../judge/expected-failures.ts'
import { readExpectedFailures } from './expected-failures.ts'
import type { Mistake } from './mistake.ts'
import { hideUserInfo, type ParsedSettings, settingsSchema } from './schema.ts'
import {
  type GivenSettings,
  nameOf,
  type RawSettings,
  type SettingInfo,
  type SettingName,
  settingInfos,
} from './settings.ts'

/** The validated settings: everything a run needs to know about its target. */
export interface Configuration
  extends Omit<
    ParsedSettings,
    | 'target'
    | 'baseUrl'
    | 'apiKey'
    | 'seed'
    | 'stagingBaseUrl'
    | 'stagingApiKey'
    | 'apiKeyFile'
    | 'expectedFailures'
  > {
  readonly target: 'reference' | 'base' | 'staging'
  /** Without a trailing slash. Undefined for the reference store, which gets its address when it starts. */
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly seed: number
  readonly expectedFailures?: ExpectedFailures
  /** The keys of both targets. The one that is not in use must not be in any output either. */
  readonly otherSecrets: readonly Secret[]
  /** Remarks about valid settings. */
  readonly notes: readonly string[]
}

export type Configured = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] }

/** A flag wins over the environment, the environment over `.env`. A variable that is empty counts as not set. */
export function mergeSettings(flags: RawSettings, env: Environment, dotenv: Environment): RawSettings {
  const names = Object.keys(settingInfos) as SettingName[]
  const merged: RawSettings = Object.fromEntries(
    names.map(name => {
      const { variable }: SettingInfo = settingInfos[name]
      const given = variable === undefined ? undefined : env[variable] || dotenv[variable] || undefined
      // Headers of the environment are often secrets, and those of flags are not, so both are sent.
      if (name === 'headers') return [name, [given, flags[name]].filter(Boolean).join('\n') || undefined]
      return [name, flags[name] ?? given]
    }),
  )
  // CI systems set an undefined variable to an empty text. The run must not judge the reference store because of that.
  const isBlank = merged.baseUrl === undefined && (env['STORE_BASE_URL'] ?? dotenv['STORE_BASE_URL']) === ''
  return isBlank && merged.target === undefined ? { ...merged, baseUrl: '' } : merged
}

/**
 * Validates all settings together. Nothing is sent, and every mistake is in the answer.
 * @param env contains HTTPS_PROXY, HTTP_PROXY and NO_PROXY
 */
export function configure(settings: GivenSettings, env: Environment = {}): Configured {
  const given: GivenSettings = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  )
  const parsed = settingsSchema.safeParse(given)
  const { key, mistakes: keyMistakes } = readKey(given)
  const known = readKnown(textOf(given.expectedFailures))
  const beside = [...keyMistakes, ...known.mistakes, ...proxyMistakes(given, env)]
  if (!parsed.success) {
    const own = parsed.error.issues.flatMap(issue => {
      const setting = nameOf(issue.path[0] as SettingName)
      // The last branch of a union (`any` or ids) says what is wrong with the ids.
      const nested = issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []) : [issue]
      return nested.map(each => ({ setting, problem: each.message }))
    })
    // A setting that is invalid by itself is not reported as missing or conflicting as well.
    const others = together(given).filter(({ setting }) => !own.some(each => each.setting === setting))
    return { mistakes: eachOnce([...own, ...others, ...beside]) }
  }
  const mistakes = eachOnce([...together(given), ...beside])
  if (mistakes.length > 0) return { mistakes }
  const {
    baseUrl,
    stagingBaseUrl,
    apiKey = '',
    stagingApiKey = '',
    apiKeyFile: _file,
    expectedFailures: _known,
    ...rest
  } = parsed.data
  const target = targetOf(given)
  return {
    configuration: {
      ...rest,
      target,
      baseUrl: target === 'base' ? baseUrl : target === 'staging' ? stagingBaseUrl : undefined,
      apiKey: key,
      otherSecrets: [
        { value: apiKey, variable: 'STORE_API_KEY' },
        { value: stagingApiKey, variable: 'STORE_STAGING_API_KEY' },
        ...headerSecrets(rest.headers),
      ],
      ...(known.expectedFailures ? { expectedFailures: known.expectedFailures } : {}),
      seed: rest.seed ?? Math.floor(Math.random() * 2 ** 31),
      notes: [
        ...(given.target === undefined && target === 'reference' && stagingBaseUrl
          ? [
              'A staging address is set, but the target is the reference store. Add --target staging to judge staging.',
            ]
          : []),
        ...plainHttpNote(textOf(addressOf(given))),
      ],
    },
  }
}

/** A shorter value is in many texts by chance. It is replaced only in the recorded requests. */
const SHORTEST_SECRET = 4

const headerSecrets = (headers: Readonly<Record<string, string>> = {}): Secret[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value.length < SHORTEST_SECRET ? [] : [{ value, variable: variableOf(name) }],
  )

function plainHttpNote(address: string | undefined): string[] {
  const url = address && URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' || /^(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])$/.test(url.hostname))
    return []
  return [`The API key travels unencrypted to ${url.origin}. Use https if the store supports it.`]
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function readKnown(file: string | undefined): {
  expectedFailures?: ExpectedFailures
  mistakes: readonly Mistake[]
} {
  const read = file ? readExpectedFailures(file) : undefined
  if (!read) return { mistakes: [] }
  return 'mistakes' in read ? read : { expectedFailures: read, mistakes: [] }
}

const targetOf = ({ target, baseUrl }: GivenSettings): Configuration['target'] =>
  (target as Configuration['target'] | undefined) ?? (baseUrl ? 'base' : 'reference')

/** As it was given. Undefined for the reference store. */
const addressOf = (given: GivenSettings): unknown =>
  ({ base: given.baseUrl, staging: given.stagingBaseUrl, reference: undefined })[targetOf(given)]

/** Settings that describe a store, and so need its address. */
const OF_A_STORE = [
  'apiKey',
  'apiKeyFile',
  'revokedApiKey',
  'statesUrl',
  'statesToken',
  'statesModule',
  'pendingOrders',
  'shippedOrders',
  'pets',
] as const

/** Mistakes that concern more than one setting. */
function together(given: GivenSettings): Mistake[] {
  const mistakes: Mistake[] = []
  const say = (name: SettingName, problem: string) => mistakes.push({ setting: nameOf(name), problem })
  const target = targetOf(given)
  const { apiKeyFile, statesModule } = given
  if (target === 'base' && !given.baseUrl) say('baseUrl', 'is missing; the target base needs an address')
  if (target === 'staging' && !given.stagingBaseUrl)
    say('stagingBaseUrl', 'is missing; the target staging needs an address')
  const missing = 'is missing; set it in the environment or .env, or name a file with --api-key-file'
  if (target === 'base' && !given.apiKey && apiKeyFile === undefined) say('apiKey', missing)
  if (target === 'staging' && !given.stagingApiKey && apiKeyFile === undefined) say('stagingApiKey', missing)
  if (given.target === undefined && target === 'reference' && given.baseUrl === undefined) {
    const aimless = OF_A_STORE.filter(name => given[name] !== undefined)
    for (const name of aimless)
      say(name, 'needs the address of the store: set STORE_BASE_URL (--base-url), or choose a --target')
    if (given.stagingApiKey !== undefined && !given.stagingBaseUrl)
      say('stagingApiKey', 'needs the address of the store: set STORE_STAGING_BASE_URL and --target staging')
  }
  if (typeof statesModule === 'string' && statesModule !== '' && !existsSync(statesModule))
    say('statesModule', `there is no file ${statesModule}`)
  for (const [name, other] of [
    ['clientCert', 'clientKey'],
    ['clientKey', 'clientCert'],
  ] as const) {
    const file = textOf(given[name])
    if (file && !existsSync(file)) say(name, `there is no file ${file}`)
    if (file && given[other] === undefined) say(other, `is missing beside ${nameOf(name)}`)
  }
  if (given.statesUrl && statesModule)
    say('statesModule', 'is set beside STORE_STATES_URL; give one of the two')
  const shipped = idsIn(given.shippedOrders)
  for (const id of idsIn(given.pendingOrders)) {
    if (shipped.some(each => sameNumber(each, id)))
      say('shippedOrders', `${id} is also named as pending; an order is one or the other`)
  }
  const key = target === 'staging' ? given.stagingApiKey : given.apiKey
  if (key && given.revokedApiKey === key)
    say('revokedApiKey', 'is the API key itself; a revoked key is another one')
  return mistakes
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Mistakes in the addresses of the proxies that would be used. */
const proxyMistakes = (given: GivenSettings, env: Environment): Mistake[] =>
  [addressOf(given), given.statesUrl].flatMap(value => {
    const address = textOf(value)
    const proxy = address && URL.canParse(address) ? proxyFor(address, env) : undefined
    if (!proxy || isUsable(proxy)) return []
    const shown = JSON.stringify(hideUserInfo(proxy.url))
    return [
      {
        setting: proxy.variable,
        problem: `${shown} is not the address of a proxy; write it as http://proxy.example:3128`,
      },
    ]
  })

const eachOnce = (mistakes: readonly Mistake[]): Mistake[] => [
  ...new Map(mistakes.map(each => [`${each.setting}\n${each.problem}`, each] as const)).values(),
]

function readKey(given: GivenSettings): { key: string | undefined; mistakes: Mistake[] } {
  const file = textOf(given.apiKeyFile)
  // The schema reports an empty path.
  if (!file) {
    const key = targetOf(given) === 'staging' ? given.stagingApiKey : given.apiKey
    return { key: textOf(key), mistakes: [] }
  }
  const mistake = (problem: string) => ({
    key: undefined,
    mistakes: [{ setting: '--api-key-file', problem }],
  })
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (key === '') return mistake(`${file} is empty`)
    return /^[\x21-\x7e]+$/.test(key)
      ? { key, mistakes: [] }
      : mistake(`${file} contains more than one line, or characters that no header can carry`)
  } catch (error) {
    return mistake(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`)
  }
}
