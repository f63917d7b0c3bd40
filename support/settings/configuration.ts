import { existsSync, readFileSync } from 'node:fs'
import { sameNumber } from '../http/decimal.ts'
import { type Environment, isUsable, proxyFor } from '../http/proxy.ts'
import type { Secret } from '../http/redact.ts'
import type { ExpectedFailures } from '../judge/expected-failures.ts'
import { readExpectedFailures } from './expected-failures.ts'
import type { Mistake } from './mistake.ts'
import {
  hideUserInfo,
  nameOf,
  type ParsedSettings,
  type RawSettings,
  type SettingInfo,
  type SettingName,
  settingInfos,
  settingsSchema,
} from './settings.ts'

/** Valid as a whole. Everything a run needs to know about its target. */
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
  /** Without a trailing slash. Absent for the reference store, which gets its address when it starts. */
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly seed: number
  readonly expectedFailures?: ExpectedFailures
  /** The keys of both targets: also the one that is not in use must be in no output. */
  readonly otherSecrets: readonly Secret[]
  /** Worth saying, wrong in no way. */
  readonly notes: readonly string[]
}

export type Configured = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] }

/** A flag wins over the environment, the environment over `.env`. An empty variable is one that is not set. */
export function mergeSettings(flags: RawSettings, env: Environment, dotenv: Environment): RawSettings {
  const names = Object.keys(settingInfos) as SettingName[]
  return Object.fromEntries(
    names.map(name => {
      const { variable }: SettingInfo = settingInfos[name]
      const given = variable === undefined ? undefined : env[variable] || dotenv[variable] || undefined
      return [name, flags[name] ?? given]
    }),
  )
}

/**
 * Validates all settings together. Nothing is sent, and every mistake is in the answer.
 * @param env holds HTTPS_PROXY, HTTP_PROXY and NO_PROXY
 */
export function configure(raw: RawSettings, env: Environment = {}): Configured {
  const parsed = settingsSchema.safeParse(raw)
  const { key, mistakes: keyMistakes } = readKey(raw)
  const known = readKnown(raw.expectedFailures)
  const beside = [...keyMistakes, ...known.mistakes, ...proxyMistakes(raw, env)]
  if (!parsed.success) {
    const own = parsed.error.issues.flatMap(issue => {
      const setting = nameOf(issue.path[0] as SettingName)
      // The last branch of a union (`any` or ids) is the one that says what is wrong with the ids.
      const nested = issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []) : [issue]
      return nested.map(each => ({ setting, problem: each.message }))
    })
    // What is wrong by itself is not also missing, or at odds with others.
    const others = together(raw).filter(({ setting }) => !own.some(each => each.setting === setting))
    return { mistakes: eachOnce([...own, ...others, ...beside]) }
  }
  const settings = parsed.data
  const mistakes = eachOnce([...together(raw), ...beside])
  if (mistakes.length > 0) return { mistakes }
  const {
    baseUrl,
    stagingBaseUrl,
    apiKey = '',
    stagingApiKey = '',
    apiKeyFile: _file,
    expectedFailures: _known,
    ...rest
  } = settings
  const target = targetOf(raw)
  return {
    configuration: {
      ...rest,
      target,
      baseUrl: target === 'base' ? baseUrl : target === 'staging' ? stagingBaseUrl : undefined,
      apiKey: key,
      otherSecrets: [
        { value: apiKey, variable: 'STORE_API_KEY' },
        { value: stagingApiKey, variable: 'STORE_STAGING_API_KEY' },
      ],
      ...(known.expectedFailures ? { expectedFailures: known.expectedFailures } : {}),
      seed: settings.seed ?? Math.floor(Math.random() * 2 ** 31),
      notes:
        raw.target === undefined && target === 'reference' && stagingBaseUrl
          ? [
              'A staging address is set, but the target is the reference store. Add --target staging to judge staging.',
            ]
          : [],
    },
  }
}

function readKnown(file: string | undefined): {
  expectedFailures?: ExpectedFailures
  mistakes: readonly Mistake[]
} {
  const read = file ? readExpectedFailures(file) : undefined
  if (!read) return { mistakes: [] }
  return 'mistakes' in read ? read : { expectedFailures: read, mistakes: [] }
}

const targetOf = (raw: RawSettings): Configuration['target'] =>
  (raw.target as Configuration['target'] | undefined) ?? (raw.baseUrl ? 'base' : 'reference')

/** As it was given. Undefined for the reference store. */
const addressOf = (raw: RawSettings): string | undefined =>
  ({ base: raw.baseUrl, staging: raw.stagingBaseUrl, reference: undefined })[targetOf(raw)]

/** What concerns more than one setting. */
function together(raw: RawSettings): Mistake[] {
  const mistakes: Mistake[] = []
  const say = (name: SettingName, problem: string) => mistakes.push({ setting: nameOf(name), problem })
  const target = targetOf(raw)
  if (target === 'base' && !raw.baseUrl) say('baseUrl', 'is missing; the target base needs an address')
  if (target === 'staging' && !raw.stagingBaseUrl)
    say('stagingBaseUrl', 'is missing; the target staging needs an address')
  if (target === 'base' && !raw.apiKey && raw.apiKeyFile === undefined) {
    say('apiKey', 'is missing; set it in the environment or .env, or name a file with --api-key-file')
  }
  if (target === 'staging' && !raw.stagingApiKey && raw.apiKeyFile === undefined) {
    say('stagingApiKey', 'is missing; set it in the environment or .env, or name a file with --api-key-file')
  }
  if (raw.target === undefined && target === 'reference') {
    for (const name of ['statesUrl', 'statesModule', 'pendingOrders', 'shippedOrders', 'pets'] as const) {
      if (raw[name])
        say(
          name,
          'is of a store whose address is missing: set STORE_BASE_URL (--base-url), or choose a --target',
        )
    }
  }
  if (raw.statesModule && !existsSync(raw.statesModule))
    say('statesModule', `there is no file ${raw.statesModule}`)
  if (raw.statesUrl && raw.statesModule)
    say('statesModule', 'is set beside STORE_STATES_URL; give one of the two')
  const shipped = (raw.shippedOrders ?? '').split(',').map(each => each.trim())
  for (const id of (raw.pendingOrders ?? '').split(',').map(each => each.trim())) {
    if (id !== '' && shipped.some(each => each !== '' && sameNumber(each, id))) {
      say('shippedOrders', `${id} is also named as pending; an order is one or the other`)
    }
  }
  const key = target === 'staging' ? raw.stagingApiKey : raw.apiKey
  if (key && raw.revokedApiKey === key)
    say('revokedApiKey', 'is the API key itself; a revoked key is another one')
  return mistakes
}

/** Of those that would be used. */
const proxyMistakes = (raw: RawSettings, env: Environment): Mistake[] =>
  [addressOf(raw), raw.statesUrl].flatMap(address => {
    const proxy = address && URL.canParse(address) ? proxyFor(address, env) : undefined
    if (!proxy || isUsable(proxy)) return []
    const shown = JSON.stringify(hideUserInfo(proxy.url))
    return [
      {
        setting: proxy.variable,
        problem: `${shown} is no address of a proxy; write it as http://proxy.example:3128`,
      },
    ]
  })

const eachOnce = (mistakes: readonly Mistake[]): Mistake[] => [
  ...new Map(mistakes.map(each => [`${each.setting}\n${each.problem}`, each] as const)).values(),
]

function readKey(raw: RawSettings): { key: string | undefined; mistakes: Mistake[] } {
  // That an empty path is one is said with the settings.
  if (!raw.apiKeyFile) {
    return { key: targetOf(raw) === 'staging' ? raw.stagingApiKey : raw.apiKey, mistakes: [] }
  }
  const mistake = (problem: string) => ({
    key: undefined,
    mistakes: [{ setting: '--api-key-file', problem }],
  })
  try {
    const key = readFileSync(raw.apiKeyFile, 'utf8').trim()
    if (key === '') return mistake(`${raw.apiKeyFile} is empty`)
    return /^[\x21-\x7e]+$/.test(key)
      ? { key, mistakes: [] }
      : mistake(`${raw.apiKeyFile} holds more than one line, or characters that no header can carry`)
  } catch (error) {
    return mistake(
      `${raw.apiKeyFile} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    )
  }
}
