import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { variableOf } from '../http/curl.ts'
import { sameNumber } from '../http/decimal.ts'
import { type Environment, isUsable, proxyFor, proxySecrets } from '../http/proxy.ts'
import { KILOBYTE, MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'
import { type Redact, redactor, type Secret } from '../http/redact.ts'
import { type ExpectedFailures, readExpectedFailures } from './expected-failures.ts'
import type { Mistake } from './mistake.ts'
import {
  allSettings,
  type GivenSettings,
  nameOf,
  type ParsedSettings,
  type RawSettings,
  type SettingName,
  settings as table,
} from './settings.ts'
import { secret } from './values.ts'

/** The validated settings: everything a run needs to know about its target. */
export interface Configuration
  extends Omit<
    ParsedSettings,
    | 'target'
    | 'orReference'
    | 'baseUrl'
    | 'apiKey'
    | 'seed'
    | 'stagingBaseUrl'
    | 'stagingApiKey'
    | 'apiKeyFile'
    | 'clientCert'
    | 'clientKey'
    | 'expectedFailures'
  > {
  readonly target: 'reference' | 'base' | 'staging'
  /** The reference store is judged because no store is named (--or-reference). */
  readonly isFallback?: true
  /** Without a trailing slash. Undefined for the reference store, which gets its address when it starts. */
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly seed: number
  /** Generated cases for each property. */
  readonly runs: number
  /** Limit of one setup of a provider state, and of all teardowns together. */
  readonly statesTimeoutMs: number
  /** The client certificate and its private key (PEM). */
  readonly identity?: { readonly cert: string; readonly key: string }
  readonly expectedFailures?: ExpectedFailures
  /** Every value that must not be in any output, such as a key that --api-key-file replaces. */
  readonly otherSecrets: readonly Secret[]
  /** The texts of flags and variables, without secrets. Programs have none. */
  readonly given?: RawSettings
  /** The command that judges the same store again. Programs have none. */
  readonly command?: string
  /** Remarks about valid settings. */
  readonly notes: readonly string[]
}

export type Configured = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] }

/** A setup may arrange hundreds of orders, so it may take longer than a request. */
const SETUP_FACTOR = 3

/** Of each property, in a run of a user. */
export const GENERATED_CASES = 20

type Say = (name: SettingName, problem: string) => void
type Parsed = Partial<ParsedSettings>

/**
 * Validates all settings together. Nothing is sent, and every mistake is in the answer.
 * @param env contains HTTPS_PROXY, HTTP_PROXY and NO_PROXY
 */
export function configure(settings: GivenSettings, env: Environment = {}): Configured {
  const parsed: Record<string, unknown> = {}
  const mistakes: Mistake[] = []
  const say: Say = (name, problem) => mistakes.push({ setting: nameOf(name), problem })
  for (const { name, schema } of allSettings) {
    const read = schema.safeParse(settings[name])
    for (const { message } of read.error?.issues ?? []) say(name, message)
    if (read.data !== undefined) parsed[name] = read.data
  }
  const invalid = mistakes.map(({ setting }) => setting)
  // A setting that is invalid by itself is not reported as missing or conflicting as well.
  const sayOther: Say = (name, problem) => invalid.includes(nameOf(name)) || say(name, problem)
  const {
    target = settings.baseUrl === undefined ? 'reference' : 'base',
    orReference,
    baseUrl,
    stagingBaseUrl,
    apiKey,
    stagingApiKey,
    apiKeyFile,
    clientCert,
    clientKey,
    expectedFailures: file,
    ...rest
  } = parsed as ParsedSettings
  if (!invalid.includes(nameOf('target'))) targetMistakes(settings, target, orReference, sayOther)
  together(parsed, settings, sayOther)
  const [address, key] = {
    base: [baseUrl, apiKey],
    staging: [stagingBaseUrl, stagingApiKey],
    reference: [undefined, undefined],
  }[target]
  const usedKey = apiKeyFile === undefined ? key : keyIn(apiKeyFile, sayOther)
  if (usedKey !== undefined && rest.revokedApiKey === usedKey)
    sayOther('revokedApiKey', 'is the API key itself; a revoked key is another one')
  const identity = identityOf({ clientCert, clientKey }, sayOther)
  const known = file === undefined ? undefined : readExpectedFailures(file)
  if (known && 'mistakes' in known) mistakes.push(...known.mistakes)
  const all = [...mistakes, ...proxyMistakes([address, rest.statesUrl], env)]
  const otherSecrets = secretsIn(settings, env)
  const redact = redactor(otherSecrets, [address, rest.statesUrl])
  if (all.length > 0) return { mistakes: eachOnce(all, redact) }
  return {
    configuration: {
      ...rest,
      target,
      ...(target === 'reference' && settings.target === undefined ? { isFallback: true } : {}),
      baseUrl: address,
      apiKey: usedKey,
      ...(identity ? { identity } : {}),
      otherSecrets,
      ...(known && 'entries' in known ? { expectedFailures: known } : {}),
      statesTimeoutMs: SETUP_FACTOR * rest.timeoutMs,
      runs: GENERATED_CASES,
      seed: rest.seed ?? Math.floor(Math.random() * 2 ** 31),
      notes: plainHttpNote(address),
    },
  }
}

/** The values in settings, valid or not, that no message may contain. */
export function secretsIn(settings: GivenSettings, env: Environment): Secret[] {
  const { apiKeyFile: file, headers } = settings
  const keyOfFile =
    typeof file === 'string' ? contentOf('apiKeyFile', file, KEY_FILE_LIMIT, () => {})?.trim() : undefined
  const own = allSettings.flatMap(({ name, variable, flag }) =>
    variable === undefined || flag !== undefined ? [] : [[variable, settings[name]] as const],
  )
  return [
    ...[...own, ['STORE_API_KEY', keyOfFile] as const].flatMap(([variable, value]) =>
      typeof value === 'string' ? [{ value, shown: `$${variable}` }] : [],
    ),
    ...headerSecrets(table.headers.schema.safeParse(headers).data),
    ...proxySecrets(env),
  ]
}

const headerSecrets = (headers: Readonly<Record<string, string>> = {}): Secret[] =>
  Object.entries(headers).map(([name, value]) => ({ value, shown: `$${variableOf(name)}` }))

function plainHttpNote(address: string | undefined): string[] {
  const url = address === undefined ? undefined : new URL(address)
  if (url?.protocol !== 'http:' || /^(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])\.?$/.test(url.hostname))
    return []
  return [`The API key travels unencrypted to ${url.origin}. Use https if the store supports it.`]
}

/** What the target needs and lacks, and what it does not use: ignoring that could judge the wrong store. */
function targetMistakes(
  given: GivenSettings,
  target: Configuration['target'],
  orReference: boolean,
  say: Say,
): void {
  if (target !== 'reference') {
    const [address, key] =
      target === 'base' ? (['baseUrl', 'apiKey'] as const) : (['stagingBaseUrl', 'stagingApiKey'] as const)
    if (given[address] === undefined) say(address, `is missing; the target ${target} needs an address`)
    if (given[key] === undefined && given.apiKeyFile === undefined && given[address] !== '')
      say(key, 'is missing; set it in the environment or .env, or name a file with --api-key-file')
  }
  const chosen = given.target !== undefined || target !== 'reference'
  // Without this mistake, a misspelt or empty variable would let the reference store pass in place of the user's.
  const isUnnamed = !chosen && !orReference
  if (isUnnamed)
    say(
      'baseUrl',
      'is missing, so no store is named; set it, or judge the bundled reference store with --target reference',
    )
  for (const { name, targets } of allSettings) {
    if (!targets || given[name] === undefined || targets.some(each => each === target)) continue
    if (chosen)
      say(name, `the target ${target} does not use it; unset it, or choose --target ${targets.join(' or ')}`)
    else if (!targets.includes('base')) say(name, 'is used only with --target staging')
    else if (!isUnnamed)
      say(name, 'needs the address of the store: set STORE_BASE_URL (--base-url), or choose a --target')
  }
  if (target !== 'reference' && given.statesToken !== undefined && given.statesUrl === undefined)
    say('statesToken', 'is for a states endpoint: set STORE_STATES_URL (--states-url), or unset it')
}

/** Other mistakes that concern more than one setting. */
function together(parsed: Parsed, given: GivenSettings, say: Say): void {
  const { statesModule, pendingOrders = [], shippedOrders = [] } = parsed
  if (given.statesUrl !== undefined && statesModule !== undefined)
    say('statesModule', 'is set beside STORE_STATES_URL; give one of the two')
  if (statesModule !== undefined && !statSync(statesModule, { throwIfNoEntry: false })?.isFile())
    say('statesModule', `there is no file ${statesModule}`)
  for (const [name, other] of [
    ['clientCert', 'clientKey'],
    ['clientKey', 'clientCert'],
  ] as const)
    if (given[name] !== undefined && given[other] === undefined)
      say(other, `is missing beside ${nameOf(name)}`)
  for (const id of pendingOrders)
    if (shippedOrders.some(each => sameNumber(each, id)))
      say('shippedOrders', `${id} is also named as pending; an order is one or the other`)
}

/** The content of the file that a setting names. Undefined after a mistake. @param limit in bytes */
function contentOf(name: SettingName, file: string, limit: number, say: Say): string | undefined {
  try {
    return readInput(file, limit).toString('utf8')
  } catch (error) {
    const { message } = error as Unreadable
    // Where there is no such file, the text may be the key itself.
    say(name, existsSync(file) ? `${file} ${message}` : `names a file that ${message}`)
    return undefined
  }
}

const KEY_FILE_LIMIT = 16 * KILOBYTE

function keyIn(file: string, say: Say): string | undefined {
  const key = contentOf('apiKeyFile', file, KEY_FILE_LIMIT, say)?.trim()
  if (key === '') say('apiKeyFile', `${file} is empty`)
  else if (key !== undefined) {
    const [issue] = secret.safeParse(key).error?.issues ?? []
    if (issue) say('apiKeyFile', `${file}: the key in it ${issue.message}`)
  }
  return key
}

function identityOf({ clientCert, clientKey }: Parsed, say: Say): Configuration['identity'] {
  const read = <Pem>(
    name: SettingName,
    what: string,
    file: string | undefined,
    parse: (text: string) => Pem,
  ) => {
    const text = file === undefined ? undefined : contentOf(name, file, MEGABYTE, say)
    try {
      return text === undefined ? undefined : { text, parsed: parse(text) }
    } catch {
      say(name, `${file} is not ${what}`)
      return undefined
    }
  }
  const cert = read('clientCert', 'a certificate in PEM', clientCert, text => new X509Certificate(text))
  const key = read('clientKey', 'a private key in PEM without a passphrase', clientKey, createPrivateKey)
  if (!cert || !key) return undefined
  if (!cert.parsed.checkPrivateKey(key.parsed))
    say('clientKey', `${clientKey} is not the key of the certificate ${clientCert}`)
  return { cert: cert.text, key: key.text }
}

/** Mistakes in the addresses of the proxies that would be used. */
const proxyMistakes = (addresses: readonly (string | undefined)[], env: Environment): Mistake[] =>
  addresses.flatMap(address => {
    const proxy = address === undefined ? undefined : proxyFor(address, env)
    if (!proxy || isUsable(proxy)) return []
    // It may contain a password anywhere.
    const problem =
      'this is not the address of a proxy; write it as http://proxy.example:3128 or, with percent-encoded characters in the password, http://user:password@proxy.example:3128'
    return [{ setting: proxy.variable, problem }]
  })

const eachOnce = (mistakes: readonly Mistake[], redact: Redact): Mistake[] => [
  ...new Map(
    mistakes.map(({ setting, problem }) => [
      `${setting}\n${problem}`,
      { setting: redact(setting), problem: redact(problem) },
    ]),
  ).values(),
]
