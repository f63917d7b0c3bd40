import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { isObject, JsonNumber, parseJson } from '../../suites/oracle/json.ts'
import { canonical, isOrderId, isPetId } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { connections, httpTransport } from '../wire/connection.ts'
import type { ConnectionOptions } from '../wire/dial.ts'
import { NoResponse, within } from '../wire/problems.ts'
import { paced } from './pace.ts'
import type { RequestOptions } from './request.ts'
import { redactorFor, type Secrets } from './secrets.ts'

/** What a states module exports, and what `judge()` takes as `states`. */
export interface StatesModule {
  /** Arranges the state and returns `{ orderIds }` or `{ petIds }`. Throws or returns undefined if it cannot arrange it. */
  setup(state: string, params: Readonly<Record<string, unknown>>): unknown
  teardown?(state: string, params: Readonly<Record<string, unknown>>): unknown
}

/** The settings that say where orders and pets are arranged. */
export interface StatesSettings
  extends Secrets,
    Partial<Pick<RequestOptions, 'headers'>>,
    Omit<ConnectionOptions, 'timeoutMs'> {
  readonly statesModule?: string | undefined
  /** Functions in this process, instead of a URL or a module. */
  readonly states?: StatesModule | undefined
  /** Limit of one setup, and of all teardowns together. */
  readonly statesTimeoutMs: number
  /** Ends setups at once. Teardowns are still awaited. */
  readonly signal?: AbortSignal | undefined
}

export type StateName = 'pending orders' | 'shipped orders' | 'pending order with id' | 'pets'

/** What a setup has arranged. */
export interface Arranged {
  /** After a failure, these may not be all. */
  readonly ids: readonly string[]
  /** Why it arranged nothing. */
  readonly declined?: string
  readonly isUnauthorized?: boolean
  /** Why the answer is neither a success nor a refusal. It may have arranged something nevertheless. */
  readonly failed?: string
}

export type Provider = NonNullable<Awaited<ReturnType<typeof providerOf>>>

/** An answer as it is and as messages show it, or why the provider refuses. */
type Answer =
  | { readonly value: unknown; readonly text: string }
  | { readonly refusal: string; readonly status?: number }
/** @throws if there is no answer */
type Call = (action: 'setup' | 'teardown', state: StateName, params: object) => Promise<Answer>

/** @throws {Misconfigured} if the module cannot be used. @returns undefined without such a setting */
export async function providerOf(settings: StatesSettings) {
  const { states, statesModule: path, statesUrl: url } = settings
  if (states) return reading('the provider states', byFunctions(states, settings))
  const name = path === undefined ? `the provider states endpoint ${url}` : `the states module ${path}`
  if (path !== undefined) return reading(name, byFunctions(await loaded(name, path, settings), settings))
  return url === undefined
    ? undefined
    : reading(name, byUrl(url, settings), 'Check STORE_STATES_URL (--states-url). ')
}

/** Reads the ids in the answers: as many as were asked for, and no id twice. */
const reading = (name: string, call: Call, advice = '') => ({
  /** How messages name it. */
  name,
  async setup(state: StateName, params: object): Promise<Arranged> {
    const answer = await call('setup', state, params).catch((error: unknown) =>
      error instanceof Error ? error : new Error('no answer before the run was stopped'),
    )
    if (answer instanceof Error) {
      const isLate = /in time|within/.test(answer.message)
      const hint = isLate ? 'A higher --timeout waits longer.' : 'Its own log may say why.'
      const failed = `${name} gives ${answer.message} to "${state}". ${advice}${hint}`
      return { ids: [], failed }
    }
    if ('refusal' in answer) {
      const hint = answer.status === 401 || answer.status === 403 ? '; check STORE_STATES_TOKEN' : ''
      const declined = `${name} ${answer.refusal}${hint}`
      return { ids: [], declined, isUnauthorized: answer.status === 401 }
    }
    const [member, isId] =
      state === 'pets' ? (['petIds', isPetId] as const) : (['orderIds', isOrderId] as const)
    const { [member]: list } = Object(answer.value) as Record<string, unknown>
    const count = 'count' in params ? params.count : 1
    const ids = Array.isArray(list) ? list.flatMap(id => idText(id) ?? []).filter(isId) : []
    if (Array.isArray(list) && list.length === count && new Set(ids.map(canonical)).size === count)
      return { ids }
    const failed =
      `${name} should answer the state "${state}" ${JSON.stringify(params)} with 2xx and {"${member}": [...]} of as many ids as were asked for, ` +
      `or with 4xx if it cannot arrange it. It answered: ${answer.text}`
    return { ids, failed }
  },
  /** @throws if it fails; what was arranged may then still be in the store */
  async teardown(state: StateName, params: object): Promise<void> {
    const answer = await call('teardown', state, params).catch(({ message }: Error) => ({
      refusal: `gave ${message}`,
    }))
    if ('refusal' in answer) throw new Error(`${name} did not tear down "${state}": it ${answer.refusal}`)
  },
})

function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return id
  if (id instanceof JsonNumber) return id.source
  // A module may give plain numbers; one beyond 2^53 has lost its digits already, and would name another order.
  const isExact =
    typeof id === 'bigint' || (typeof id === 'number' && (Number.isSafeInteger(id) || !Number.isInteger(id)))
  return isExact ? String(id) : undefined
}

/** As a Pact verifier sends them. */
function byUrl(url: string, settings: StatesSettings): Call {
  const { statesToken: token, statesTimeoutMs: timeoutMs, env, identity, baseUrl, headers = {} } = settings
  const { origin, host, pathname, search } = new URL(url)
  const wire = connections(httpTransport(origin, { timeoutMs, env, identity }))
  // The same gateway may be in front of both. At another origin, the headers could disclose a secret.
  const isBesideStore = baseUrl !== undefined && new URL(baseUrl).origin === origin
  const shown = excerptWithout(settings)
  // A rate limit in front of the store may count these requests as well.
  const atPace = paced()
  return async (action, state, params) => {
    const signal = (action === 'setup' ? settings.signal : undefined) ?? new AbortController().signal
    const body = JSON.stringify({ state, params, action })
    const request = {
      method: 'POST',
      target: pathname + search,
      headers: [
        ['Host', host],
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
        ...(isBesideStore ? Object.entries(headers) : []),
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ['Content-Length', String(Buffer.byteLength(body))],
      ] as const,
      body,
      repeatable: false,
    }
    // A setup cannot be repeated, and the endpoint may close an idle connection at any time (RFC 9112 §9.5).
    const send = () => {
      const over = new AbortController()
      return within(timeoutMs, wire.send(request, over.signal, 'fresh'), signal).finally(() => over.abort())
    }
    const { response, problem } = await atPace(send, signal)
    // An endpoint that keeps asking to retry later refuses to arrange the state.
    if (problem?.kind === 'busy') return { refusal: `answered 429: ${problem.message}` }
    if (!response) throw new Error(`no answer (${problem?.message})`)
    const { status } = response
    const text = `${status} ${shown(response.body)}`
    const isSuccess = status >= 200 && status < 300
    if ((status >= 400 && status < 500) || (action === 'teardown' && !isSuccess))
      return { refusal: `answered ${text}`, status }
    const json = parseJson(response.body)
    return { value: isSuccess && 'value' in json && isObject(json.value) ? json.value : undefined, text }
  }
}

/** @throws {Misconfigured} if the module cannot be loaded or has no `setup` */
async function loaded(name: string, path: string, settings: StatesSettings): Promise<StatesModule> {
  const file = resolve(path)
  type Exported = Partial<StatesModule> & { default?: Partial<StatesModule> }
  const module: Exported = await within(
    settings.statesTimeoutMs,
    import(/* @vite-ignore */ pathToFileURL(file).href),
  ).catch(error => {
    const reason = existsSync(file) ? excerptWithout(settings)(messageOf(error)) : 'there is no such file'
    throw new Misconfigured(`${name} cannot be loaded: ${reason}`)
  })
  const found = typeof module.setup === 'function' ? module : module.default
  if (typeof found?.setup === 'function') return found as StatesModule
  throw new Misconfigured(`${name} exports no function called setup(state, params)`)
}

function byFunctions(module: StatesModule, settings: StatesSettings): Call {
  const shown = excerptWithout(settings)
  return async (action, state, params) => {
    const signal = action === 'setup' ? settings.signal : undefined
    try {
      // An async function, because the module may throw at once.
      const task = (async () => module[action]?.(state, { ...params }))()
      const value = await within(settings.statesTimeoutMs, task, signal)
      const isNothing = action === 'setup' && (value === undefined || value === null)
      return isNothing ? { refusal: `does not arrange "${state}"` } : { value, text: shown(value) }
    } catch (error) {
      if (error instanceof NoResponse || signal?.aborted) throw error
      return { refusal: `threw: ${shown(messageOf(error))}` }
    }
  }
}

/** For messages alone: the ids are read from the answer as it is. A module may give or throw anything. */
function excerptWithout(secrets: Secrets): (value: unknown) => string {
  const redact = redactorFor(secrets)
  return value => {
    const shown = redact(typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }))
    return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown || '(nothing)'
  }
}

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error)
