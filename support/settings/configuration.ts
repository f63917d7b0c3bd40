import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { parse } from 'dotenv'
import { sameNumber } from '../interface/numbers.ts'
import { shellWord, variableOf } from '../wire/curl.ts'
import { type ConnectionOptions, type Environment, isUsable, proxyFor, proxySecrets } from '../wire/dial.ts'
import { codeOf, MEGABYTE, readInput } from '../wire/problems.ts'
import { redactor, type Secret } from '../wire/redact.ts'
import { EMPTY, problemWith, profileCalled, type Selection, select, suggestion } from './selection.ts'
import * as table from './settings.ts'

/** A mistake in the configuration: which setting, what is wrong, what to do. It never contains a secret. */
export interface Mistake {
  readonly setting: string
  readonly problem: string
}

/** The mistakes among conditions that are wrong if they hold. */
export const mistakesOf = (
  all: readonly (readonly [isWrong: unknown, setting: string, problem: string])[],
): Mistake[] => all.flatMap(([isWrong, setting, problem]) => (isWrong ? [{ setting, problem }] : []))

/** The configuration is invalid. Nothing was sent. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
    this.mistakes = mistakes
  }
}

/** The validated settings: everything a run needs to know about its target. */
export interface Configuration
  extends Omit<table.ParsedSettings, 'target' | 'baseUrl' | 'apiKey'>,
    Pick<ConnectionOptions, 'identity'> {
  readonly target: 'reference' | 'base' | 'staging'
  /** The reference store is judged because no store is named (--or-reference). */
  readonly isFallback?: true
  /** Without a trailing slash. Undefined for the reference store, which gets its address when it starts. */
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly selection: Selection
  /** Every value that must not be in any output, such as a key that --api-key-file replaces. */
  readonly otherSecrets: readonly Secret[]
  /** Judges the same store again, without the selection. A program has none. */
  readonly command?: string
}

/** What a run on a target cannot do without: its address and its key. */
const NEEDED = {
  base: ['baseUrl', 'apiKey'],
  staging: ['stagingBaseUrl', 'stagingApiKey'],
  reference: [],
} as const

/**
 * Validates all settings together, before anything is sent.
 * @param env contains HTTPS_PROXY, HTTP_PROXY and NO_PROXY
 * @param others what is wrong beside the settings
 * @param nameOf how the user named a setting. Default: as an option of a program
 * @throws {ConfigurationError} with every mistake
 */
export function configure(
  given: table.GivenSettings,
  env: Environment = {},
  others: readonly Mistake[] = [],
  nameOf = (name: table.SettingName): string => name,
): Configuration {
  const has = (name: table.SettingName) => given[name] !== undefined
  const named = table.settings.target.schema.safeParse(given.target)
  const target = named.data ?? (has('baseUrl') ? 'base' : 'reference')
  const [addressName, keyName] = NEEDED[target]
  const isUsed = (of: string) => of === 'any' || of === target || (of === 'named' && target !== 'reference')

  const mistakes = [...others]
  const values: Record<string, unknown> = {}
  for (const { name, schema, target: of } of table.allSettings) {
    // CI systems set a variable that they do not have to an empty text.
    const isBlank = given[name] === '' && (!isUsed(of) || (name === keyName && has('apiKeyFile')))
    const { data, error } = schema.safeParse(isBlank ? undefined : given[name])
    for (const { message } of error?.issues ?? []) mistakes.push({ setting: nameOf(name), problem: message })
    if (data !== undefined) values[name] = data
  }
  const parsed = values as unknown as table.ParsedSettings
  const { apiKeyFile, clientCert: cert, clientKey: key, pendingOrders, shippedOrders = [], ...rest } = parsed
  const baseUrl = addressName && parsed[addressName]
  const apiKey = apiKeyFile ?? (keyName && parsed[keyName])
  const otherSecrets = secretsIn(given, env)
  const isNamed = has('target') || has('baseUrl')
  const ofStores = table.allSettings.filter(each => each.target !== 'any' && has(each.name))
  const beside = `beside ${ofStores.map(({ name }) => nameOf(name)).join(', ')}; set it, choose a --target, or unset the others`
  const twice = shippedOrders.filter(id => pendingOrders?.some(each => sameNumber(each, id)))
  const proxies = [baseUrl, parsed.statesUrl].flatMap(address => (address && proxyFor(address, env)) || [])
  const selection = select(profileCalled(parsed.profile), parsed)
  const selectors = (['only', 'skip'] as const).flatMap(name =>
    (parsed[name] ?? []).map(each => [name, problemWith(each, selection.profile)] as const),
  )
  const isEmpty = selection.rules.length === 0 && selectors.every(([, problem]) => !problem)
  // biome-ignore format: a table
  const conflicts = mistakesOf([
    [!isNamed && ofStores.length > 0, nameOf('baseUrl'), `is missing ${beside}`],
    [!isNamed && ofStores.length === 0 && !parsed.orReference, nameOf('baseUrl'), 'is missing, so no store is named; set it, or judge the bundled reference store with --target reference'],
    // Ignoring a setting could judge the wrong store.
    ...ofStores.map(({ name, target: of }) => [isNamed && named.success && given[name] !== '' && !isUsed(of), nameOf(name), `is not used by the target ${target}; unset it, or choose another --target`] as const),
    ...NEEDED[target].map(name => [!has(name) && !(name === keyName && has('apiKeyFile')), nameOf(name), `is missing; the target ${target} needs it`] as const),
    [has('revokedApiKey') && parsed.revokedApiKey === apiKey, nameOf('revokedApiKey'), 'is the API key itself; name another one'],
    [has('statesModule') && has('statesUrl'), nameOf('statesModule'), `is set beside ${nameOf('statesUrl')}; unset one of them`],
    [twice.length > 0, nameOf('shippedOrders'), `${twice} is also named as pending; an order is one or the other`],
    [!isPair(cert, key), nameOf('clientKey'), `names no private key of ${nameOf('clientCert')} (PEM, no passphrase)`],
    // It may contain a password anywhere.
    ...proxies.map(proxy => [!isUsable(proxy), proxy.variable, 'is not the address of a proxy, such as http://user:password@proxy.example:3128'] as const),
    ...selectors.map(([name, problem = '']) => [problem, nameOf(name), problem] as const),
    [isEmpty, nameOf(parsed.skip ? 'skip' : 'only'), EMPTY],
  ])
  // A setting that is invalid by itself is not reported as missing or conflicting as well.
  mistakes.push(...conflicts.filter(each => mistakes.every(({ setting }) => setting !== each.setting)))
  const redact = redactor(otherSecrets)
  if (mistakes.length > 0)
    throw new ConfigurationError(mistakes.map(each => ({ ...each, problem: redact(each.problem) })))
  return {
    ...rest,
    ...{ pendingOrders, shippedOrders, target, baseUrl, apiKey, otherSecrets, selection },
    ...(isNamed ? {} : { isFallback: true }),
    ...(cert && key ? { identity: { cert, key } } : {}),
  }
}

/** Whether a client certificate and its private key belong to each other, or there is neither. */
function isPair(cert: string | undefined, key: string | undefined): boolean {
  try {
    if (cert || key) createSecureContext({ cert, key })
    return Boolean(cert) === Boolean(key)
  } catch {
    return false
  }
}

/** The values in settings, valid or not, that no output may contain. */
function secretsIn(given: table.GivenSettings, env: Environment): Secret[] {
  const { apiKeyFile, headers } = table.settings
  const secrets = table.allSettings.filter(({ flag }) => flag === undefined)
  const all = [
    ...secrets.map(({ name, variable = '' }) => [variable, given[name]] as const),
    ['STORE_API_KEY', apiKeyFile.schema.safeParse(given.apiKeyFile).data] as const,
    ...Object.entries(headers.schema.safeParse(given.headers).data ?? {}),
  ]
  const own = all.map(([name, value]) => ({ value: String(value ?? ''), shown: `$${variableOf(name)}` }))
  return [...own, ...proxySecrets(env)]
}

/**
 * The settings of flags, environment and `.env`, in this order of precedence, before validation.
 * @param isVitest Vitest has flags of its own, so only there `--only` is a variable
 */
export function readSettings(
  flags: table.RawSettings,
  { env = process.env as Environment, folder = process.cwd(), isVitest = false } = {},
) {
  const { dotenv, mistakes } = readDotenv(folder)
  const set: Environment = { ...dotenv, ...env }
  const known = new Map<string, table.SettingName>()
  for (const { name, variable } of table.allSettings) if (variable) known.set(variable, name)
  if (isVitest) known.set('STORE_ONLY', 'only')
  const given: { -readonly [Each in table.SettingName]?: string | undefined } = { ...flags }
  for (const [variable, name] of known) {
    // One that is empty unsets the one in .env. If it names the store, it is a mistake: another one could be judged.
    const text = set[variable] || (/^(staging)?(baseUrl|apiKey)$/i.test(name) ? set[variable] : undefined)
    // Headers of the environment are often secrets, and those of flags are not, so both are sent.
    const isBoth = name === 'headers' && text !== undefined && flags.headers !== undefined
    given[name] = isBoth ? `${text}\n${flags.headers}` : (flags[name] ?? text)
  }
  const nameOf = (name: table.SettingName): string => {
    const { variable = '', short = '' } = table.allSettings.find(each => each.name === name) ?? {}
    if (flags[name] !== undefined) return short
    return set[variable] === undefined && variable && short ? `${variable} (${short})` : variable || short
  }
  for (const setting of Object.keys(set)) {
    if (!/^STORES?_/i.test(setting) || known.has(setting)) continue
    const place = env[setting] === undefined ? '.env' : 'the environment'
    const flag = setting.replace('STORE_', '--').toLowerCase().replaceAll('_', '-')
    const isFlag = table.allSettings.some(({ short }) => short === flag)
    const rename = 'Unset it, or rename it if another program needs it.'
    const hint = isFlag ? `Give the flag ${flag}.` : suggestion(setting, [...known.keys()], rename)
    mistakes.push({ setting, problem: `in ${place} is not a setting. ${hint}` })
  }
  const { baseUrl, stagingBaseUrl, statesUrl } = given
  const addresses = [baseUrl, stagingBaseUrl, statesUrl].filter(each => URL.canParse(each ?? ''))
  return { given, mistakes, nameOf, redact: redactor(secretsIn(given, env), addresses) }
}

/** @param others what is wrong beside the settings @throws {ConfigurationError} with every mistake */
export function readConfiguration(
  flags: table.RawSettings,
  sources: Parameters<typeof readSettings>[1] = {},
  others: readonly Mistake[] = [],
): Configuration {
  const { given, mistakes, nameOf, redact } = readSettings(flags, sources)
  const configuration = configure(given, sources.env ?? process.env, [...mistakes, ...others], nameOf)
  // A value such as that of --start may contain a secret, as in `API_KEY=… node server.js`.
  const shown = Object.entries(given).map(([name, text]) => [name, text && redact(text)])
  return { ...configuration, command: commandOf(Object.fromEntries(shown), configuration) }
}

/** It contains what the environment and `.env` say, because it may be pasted elsewhere. Variables stand for secrets. */
function commandOf(given: table.RawSettings, { isFallback, headers = {}, readOnly }: Configuration): string {
  const { only: _only, skip: _skip, seed: _seed, headers: _headers, orReference, ...flags } = given
  const store = isFallback ? { target: 'reference' } : { orReference }
  return [
    'npx --no-install store-conformance run',
    ...table.writtenFlags({ ...flags, ...store, readOnly: readOnly ? 'true' : undefined }),
    ...Object.keys(headers).map(name => `--header ${shellWord(name)}="$${variableOf(name)}"`),
  ].join(' ')
}

/** A line that sets a variable, which .env, a shell and Docker read alike. */
const LINE = /^\s*(export\s+)?STORE_\w+\s*=\s*((["'`])(\\.|(?!\3).)*\3|[^"'`#\s][^#]*?|)(\s+#.*)?\s*$/

function readDotenv(folder: string): { readonly dotenv: Environment; readonly mistakes: Mistake[] } {
  try {
    const text = readInput(join(folder, '.env'), MEGABYTE).toString()
    // Some editors write UTF-16.
    if (/[\0\uFFFD]/.test(text)) throw new Error('is not text in UTF-8; save it as UTF-8')
    const mistakes = text.split('\n').flatMap((line, at) => {
      const [, setting] = /^[^#=]*\b(STORE_\w+)/.exec(line) ?? []
      const problem = `in line ${at + 1} of .env is not written as ${setting}=value; a value with # or a quote needs quotes`
      return setting === undefined || LINE.test(line) ? [] : [{ setting, problem }]
    })
    return { dotenv: parse(text), mistakes }
  } catch (error) {
    const { cause, message } = error as Error
    // A missing .env is allowed. Ignoring one that cannot be read could judge the wrong store.
    return { dotenv: {}, mistakes: codeOf(cause) === 'ENOENT' ? [] : [{ setting: '.env', problem: message }] }
  }
}
