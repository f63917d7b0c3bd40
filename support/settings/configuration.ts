import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { sameNumber } from '../interface/numbers.ts'
import { variableOf } from '../wire/curl.ts'
import { type Environment, isUsable, proxyFor, proxySecrets } from '../wire/proxy.ts'
import { MEGABYTE, readInput, type Unreadable } from '../wire/read-input.ts'
import { redactor, type Secret } from '../wire/redact.ts'
import { type Mistake, suggestion } from './mistake.ts'
import * as table from './settings.ts'

/** The validated settings: everything a run needs to know about its target. */
export interface Configuration extends Omit<table.ParsedSettings, 'target' | 'baseUrl' | 'apiKey' | 'seed'> {
  readonly target: 'reference' | 'base' | 'staging'
  /** The reference store is judged because no store is named (--or-reference). */
  readonly isFallback?: true
  /** Without a trailing slash. Undefined for the reference store, which gets its address when it starts. */
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly seed: number
  /** Limit of one setup of a provider state, and of all teardowns together: it may arrange hundreds of orders. */
  readonly statesTimeoutMs: number
  /** The client certificate and its private key (PEM). */
  readonly identity?: { readonly cert: string; readonly key: string }
  /** Every value that must not be in any output, such as a key that --api-key-file replaces. */
  readonly otherSecrets: readonly Secret[]
  /** The texts of flags and variables, without secrets. Programs have none. */
  readonly given?: table.RawSettings
  /** Remarks about valid settings. */
  readonly notes: readonly string[]
}

export type Configured = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] }

type Name = table.SettingName
type Given = table.GivenSettings

/** What a run on a target cannot do without. */
const NEEDED = {
  base: ['baseUrl', 'apiKey'],
  staging: ['stagingBaseUrl', 'stagingApiKey'],
  reference: [],
} as const

/**
 * Validates all settings together. Nothing is sent, and every mistake is in the answer.
 * @param env contains HTTPS_PROXY, HTTP_PROXY and NO_PROXY
 * @param nameOf how the user named a setting. Default: as an option of a program
 */
export function configure(
  given: Given,
  env: Environment = {},
  nameOf = (name: Name): string => name,
): Configured {
  const otherSecrets = secretsIn(given, env)
  const redact = redactor(otherSecrets)
  const mistakes: Mistake[] = []
  const add = (setting: string, problem: string) => void mistakes.push({ setting, problem: redact(problem) })
  const has = (name: Name) => given[name] !== undefined
  const { target = has('baseUrl') ? 'base' : 'reference' } = given as Partial<Configuration>
  const isUsed = (of: string) => of === 'any' || of === target || (of === 'named' && target !== 'reference')
  const needed = Object.hasOwn(NEEDED, target) ? NEEDED[target] : undefined
  const [addressName, keyName] = needed ?? []

  const values: Record<string, unknown> = {}
  for (const { name, schema, target: of } of table.allSettings) {
    // CI systems set a variable that they do not have to an empty text.
    const isBlank = given[name] === '' && (!isUsed(of) || (name === keyName && has('apiKeyFile')))
    const { data, error } = schema.safeParse(isBlank ? undefined : given[name])
    for (const { message } of error?.issues ?? []) add(nameOf(name), message)
    if (data !== undefined) values[name] = data
  }
  const parsed = values as unknown as table.ParsedSettings
  const invalid = mistakes.map(({ setting }) => setting)
  // A setting that is invalid by itself is not reported as missing or conflicting as well.
  const say = (name: Name, isWrong: boolean, problem: string) =>
    isWrong && !invalid.includes(nameOf(name)) && add(nameOf(name), problem)

  const named = table.allSettings.filter(each => each.target !== 'any' && has(each.name))
  const others = named.map(({ name }) => nameOf(name)).join(', ')
  if (!has('target') && !has('baseUrl')) {
    const how = 'set it, choose a --target, or unset the others'
    say('baseUrl', named.length > 0, `is missing beside ${others}; ${how}`)
    const choose = 'set it, or judge the bundled reference store with --target reference'
    say('baseUrl', named.length === 0 && !parsed.orReference, `is missing, so no store is named; ${choose}`)
  } else if (needed) {
    // Ignoring a setting could judge the wrong store.
    const choose = 'unset it, or choose another --target'
    for (const { name, target: of } of named)
      say(name, given[name] !== '' && !isUsed(of), `is not used by the target ${target}; ${choose}`)
    const missing = needed.filter(name => !has(name) && !(name === keyName && has('apiKeyFile')))
    for (const name of missing) say(name, true, `is missing; the target ${target} needs it`)
  }
  const apiKey = parsed.apiKeyFile ?? (keyName && parsed[keyName])
  const isRevoked = has('revokedApiKey') && parsed.revokedApiKey === apiKey
  say('revokedApiKey', isRevoked, 'is the API key itself; name another one')
  const areBoth = has('statesModule') && has('statesUrl')
  say('statesModule', areBoth, `is set beside ${nameOf('statesUrl')}; unset one of them`)
  const { apiKeyFile: _key, clientCert: cert, clientKey: key, ...rest } = parsed
  const { pendingOrders = [], shippedOrders = [] } = parsed
  const both = shippedOrders.filter(id => pendingOrders.some(each => sameNumber(each, id)))
  say('shippedOrders', both.length > 0, `${both} is also named as pending; an order is one or the other`)
  const half = has('clientCert') ? 'clientKey' : 'clientCert'
  say(half, has('clientCert') !== has('clientKey'), 'is missing; a certificate is given with its private key')
  const pair = `is not the private key of ${nameOf('clientCert')} (PEM, no passphrase)`
  say('clientKey', !isPair(cert, key), pair)
  const baseUrl = addressName && parsed[addressName]
  for (const address of [baseUrl, parsed.statesUrl]) {
    const proxy = address === undefined ? undefined : proxyFor(address, env)
    // It may contain a password anywhere.
    const problem = 'is not the address of a proxy, such as http://user:password@proxy.example:3128'
    if (proxy && !isUsable(proxy)) add(proxy.variable, problem)
  }
  if (mistakes.length > 0) return { mistakes }
  const note = `The API key travels unencrypted to ${baseUrl}; use https if the store has it.`
  const configuration: Configuration = {
    ...rest,
    ...{ target, baseUrl, apiKey, otherSecrets },
    ...(target === 'reference' && !has('target') ? { isFallback: true } : {}),
    ...(cert && key ? { identity: { cert, key } } : {}),
    statesTimeoutMs: 3 * parsed.timeoutMs,
    seed: parsed.seed ?? Math.floor(Math.random() * 2 ** 31),
    notes: isOpen(baseUrl) ? [note] : [],
  }
  return { configuration }
}

function isPair(cert: string | undefined, key: string | undefined): boolean {
  try {
    return !(cert && key) || new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

const LOCAL = /^http:\/\/(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])\.?([:/]|$)/
const isOpen = (address = ''): boolean => address.startsWith('http:') && !LOCAL.test(address)

/** The values in settings, valid or not, that no output may contain. */
function secretsIn(given: Given, env: Environment): Secret[] {
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

/** What reads the settings. Vitest has flags of its own, so only there `--only` is a variable. */
type Reader = 'command' | 'vitest'
type Flags = table.RawSettings

/** The settings of flags, environment and `.env`, in this order of precedence, before validation. */
export function readSettings(flags: Flags, env: Environment, folder: string, reader: Reader = 'command') {
  const { dotenv, mistakes } = readDotenv(folder)
  const set: Environment = { ...dotenv, ...env }
  const known = new Map<string, Name>()
  for (const { name, variable } of table.allSettings) if (variable) known.set(variable, name)
  if (reader === 'vitest') known.set('STORE_ONLY', 'only')
  const given: { -readonly [Each in Name]?: Flags[Each] } = { ...flags }
  for (const [variable, name] of known) {
    // One that is empty unsets the one in .env. If it names the store, it is a mistake: another one could be judged.
    const text = set[variable] || (/^(staging)?(baseUrl|apiKey)$/i.test(name) ? set[variable] : undefined)
    // Headers of the environment are often secrets, and those of flags are not, so both are sent.
    const isBoth = name === 'headers' && text !== undefined && flags.headers !== undefined
    given[name] = isBoth ? `${text}\n${flags.headers}` : (flags[name] ?? text)
  }
  const nameOf = (name: Name): string => {
    const { variable = '', short = '' } = table.allSettings.find(each => each.name === name) ?? {}
    if (flags[name] !== undefined) return short
    return set[variable] === undefined && variable && short ? `${variable} (${short})` : variable || short
  }
  for (const setting of Object.keys(set)) {
    if (!/^STORES?_/i.test(setting) || known.has(setting)) continue
    const flag = setting
      .replace(/^STORE_/, '--')
      .replaceAll('_', '-')
      .toLowerCase()
    const isFlag = table.allSettings.some(({ short }) => short === flag)
    const rename = 'Unset it, or rename it if another program needs it.'
    const hint = isFlag ? `Give the flag ${flag}.` : suggestion(setting, [...known.keys()], rename)
    const place = env[setting] === undefined ? '.env' : 'the environment'
    mistakes.push({ setting, problem: `in ${place} is not a setting. ${hint}` })
  }
  const addresses = [given.baseUrl, given.stagingBaseUrl, given.statesUrl].filter(each =>
    URL.canParse(each ?? ''),
  )
  return { given, mistakes, nameOf, redact: redactor(secretsIn(given, env), addresses) }
}

export function readConfiguration(
  flags: Flags,
  env: Environment,
  folder: string,
  reader?: Reader,
): Configured {
  const { given, mistakes, nameOf, redact } = readSettings(flags, env, folder, reader)
  const configured = configure(given, env, nameOf)
  if ('mistakes' in configured) return { mistakes: [...mistakes, ...configured.mistakes] }
  // A value such as that of --start may contain a secret, as in `API_KEY=… node server.js`.
  const shown = Object.entries(given).map(([name, text]) => [name, text && redact(text)])
  const configuration = { ...configured.configuration, given: Object.fromEntries(shown) }
  return mistakes.length > 0 ? { mistakes } : { configuration }
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
    const { code, message } = error as Unreadable
    // A missing .env is allowed. Ignoring one that cannot be read could judge the wrong store.
    return { dotenv: {}, mistakes: code === 'ENOENT' ? [] : [{ setting: '.env', problem: message }] }
  }
}
