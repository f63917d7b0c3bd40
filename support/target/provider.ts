import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { isObject, JsonNumber, parseJson } from '../../suites/oracle/json.ts'
import { canonical, isOrderId, isPetId } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { connections, httpTransport } from '../wire/connection.ts'
import type { ConnectionOptions } from '../wire/dial.ts'
import { within } from '../wire/problems.ts'
import { paced } from './pace.ts'
import { redactorFor, type Secrets, type SendingOptions } from './request.ts'

/** What a states module exports, and what `judge()` takes as `states`. */
export interface StatesModule {
  /** Arranges the state and returns `{ orderIds }` or `{ petIds }`. Throws or returns undefined if it cannot arrange it. */
  setup(state: string, params: Readonly<Record<string, unknown>>): unknown
  teardown?(state: string, params: Readonly<Record<string, unknown>>): unknown
}

/** The settings that say where orders and pets are arranged. */
export interface StatesSettings
  extends Secrets,
    Pick<SendingOptions, 'headers'>,
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
export interface Counted {
  readonly count: number
  readonly quantity?: number
}
export type Params = Counted | { readonly id: string }

/** What a setup has arranged. */
export interface Arranged {
  /** After a failure, these may not be all. */
  readonly ids: readonly string[]
  /** Why it arranged nothing. */
  readonly declined?: string
  /** Why the answer is neither a success nor a refusal. It may have arranged something nevertheless. */
  readonly failed?: string
}

/** An answer as it is and as messages show it; why the provider refuses; or why there is no answer. */
type Answer =
  | { readonly value: unknown; readonly text: string }
  | { readonly refusal: string }
  | { readonly problem: string }
type Call = (action: 'setup' | 'teardown', state: StateName, params: Params) => Promise<Answer>

export type Provider = NonNullable<Awaited<ReturnType<typeof providerOf>>>

const ADVICE =
  'Check its setting (STORE_STATES_URL or STORE_STATES_MODULE) and its own log; a higher --timeout waits longer.'

/**
 * Reads the ids in the answers of a provider: as many as were asked for, and no id twice. `name`: how messages name it.
 * @throws {Misconfigured} if the module cannot be used. @returns undefined without such a setting
 */
export async function providerOf(settings: StatesSettings) {
  const { states, statesModule: path, statesUrl: url, statesTimeoutMs, signal } = settings
  const ofModule = `the states module ${path}`
  const ofUrl = `the provider states endpoint ${url}`
  const name = states ? 'the provider states' : url === undefined ? ofModule : ofUrl
  const module = states ?? (path === undefined ? undefined : await loaded(name, path, settings))
  const call = module ? byFunctions(module, settings) : url === undefined ? undefined : byUrl(url, settings)
  if (!call) return undefined
  /** @throws {Misconfigured} if it refuses the token */
  const setup = async (state: StateName, params: Params): Promise<Arranged> => {
    const answer = await within(statesTimeoutMs, call('setup', state, params), signal).catch(problemIn)
    if ('refusal' in answer) return { ids: [], declined: `${name} ${answer.refusal}` }
    if ('problem' in answer)
      return { ids: [], failed: `${name} gives ${answer.problem} to "${state}". ${ADVICE}` }
    const member = state === 'pets' ? 'petIds' : 'orderIds'
    const { [member]: list } = Object(answer.value) as Record<string, unknown>
    const all = Array.isArray(list) ? list.map(idText) : []
    const ids = all.filter(state === 'pets' ? isPetId : isOrderId)
    const count = 'count' in params ? params.count : 1
    if (all.length === count && new Set(ids.map(canonical)).size === count) return { ids }
    const wanted = `{"${member}": [...]} of as many ids as were asked for, or with 4xx if it cannot arrange it`
    const failed = `${name} should answer the state "${state}" ${JSON.stringify(params)} with 2xx and ${wanted}. It answered: ${answer.text}`
    return { ids, failed }
  }
  /** @throws if it fails; what was arranged may then still be in the store */
  const teardown = async (state: StateName, params: Params): Promise<void> => {
    const answer = await within(statesTimeoutMs, call('teardown', state, params)).catch(problemIn)
    if ('value' in answer) return
    const what = 'refusal' in answer ? answer.refusal : `gave ${answer.problem}`
    throw new Error(`${name} did not tear down "${state}": it ${what}`)
  }
  return { name, setup, teardown }
}

function problemIn(error: unknown): Answer {
  if (error instanceof Misconfigured) throw error
  return { problem: error instanceof Error ? error.message : 'no answer before the run was stopped' }
}

/** Empty if it is no exact number: one of a module beyond 2^53 has lost its digits already, and would name another order. */
function idText(id: unknown): string {
  if (typeof id === 'string') return id
  if (id instanceof JsonNumber) return id.value
  const isExact = typeof id === 'number' && (Number.isSafeInteger(id) || !Number.isInteger(id))
  return isExact || typeof id === 'bigint' ? String(id) : ''
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
      ...{ method: 'POST', target: pathname + search, body },
      headers: [
        ['Host', host],
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
        ...(isBesideStore ? Object.entries(headers) : []),
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ['Content-Length', String(Buffer.byteLength(body))],
      ] as const,
    }
    // A setup cannot be repeated, and the endpoint may close an idle connection at any time (RFC 9112 §9.5).
    const send = () => wire.send(request, signal, 'fresh')
    const { response, problem } = (await atPace(send, signal)) ?? {}
    // An endpoint that keeps asking to retry later refuses to arrange the state.
    if (problem?.kind === 'busy') return { refusal: `answered 429: ${problem.message}` }
    if (!response) return { problem: `no answer (${problem?.message ?? 'the run was stopped'})` }
    const { status } = response
    const text = `${status} ${shown(response.body)}`
    const isSuccess = status >= 200 && status < 300
    const hint = status === 401 || status === 403 ? '; check STORE_STATES_TOKEN' : ''
    if (status === 401 && action === 'setup')
      throw new Misconfigured(`the provider states endpoint ${url} answered ${text}${hint}`)
    if ((status >= 400 && status < 500) || (action === 'teardown' && !isSuccess))
      return { refusal: `answered ${text}${hint}` }
    const json = parseJson(response.body)
    return { value: isSuccess && 'value' in json && isObject(json.value) ? json.value : undefined, text }
  }
}

/** @throws {Misconfigured} if the module cannot be loaded or has no `setup` */
async function loaded(name: string, path: string, settings: StatesSettings): Promise<StatesModule> {
  const file = resolve(path)
  type Exported = Partial<StatesModule> & { default?: Partial<StatesModule> }
  const task: Promise<Exported> = import(/* @vite-ignore */ pathToFileURL(file).href)
  const module = await within(settings.statesTimeoutMs, task).catch(error => {
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
    try {
      const value = await module[action]?.(state, { ...params })
      if (action === 'setup' && (value === undefined || value === null))
        return { refusal: `does not arrange "${state}"` }
      return { value, text: shown(value) }
    } catch (error) {
      return { refusal: `threw: ${shown(messageOf(error))}` }
    }
  }
}

/** For messages alone: the ids are read from the answer as it is. */
function excerptWithout(secrets: Secrets): (value: unknown) => string {
  const redact = redactorFor(secrets)
  return value => {
    const shown = redact(typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }))
    return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown || '(nothing)'
  }
}

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error)
