import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { isObject, JsonNumber, member, parseJson } from '../../suites/oracle/json.ts'
import { canonical, isOrderId, isPetId } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { connections, httpTransport } from '../wire/connection.ts'
import type { ConnectionOptions } from '../wire/dial.ts'
import { NoResponse, within } from '../wire/problems.ts'
import { paced } from './pace.ts'
import { redactorFor, type TargetSettings } from './request.ts'

/** What a states module exports, and what `judge()` takes as `states`. */
export interface StatesModule {
  /** Arranges the state and returns `{ orderIds }` or `{ petIds }`. Throws or returns undefined if it cannot arrange it. */
  setup(state: string, params: Readonly<Record<string, unknown>>): unknown
  teardown?(state: string, params: Readonly<Record<string, unknown>>): unknown
}

/** The settings that say where orders and pets are arranged. */
export interface StatesSettings extends TargetSettings, ConnectionOptions {
  /** Functions in this process, instead of a URL or a module. */
  readonly states?: StatesModule | undefined
  /** Ends setups at once. Teardowns are still awaited. */
  readonly signal?: AbortSignal | undefined
}

export type StateName = 'pending orders' | 'shipped orders' | 'pending order with id' | 'pets'
export interface Counted {
  readonly count: number
  readonly quantity?: number
}
export type Params = Counted | { readonly id: string }

/** A setup, and all teardowns together, may take this many times the limit of a request: they may be about hundreds of orders. */
const STATES_TIMES = 3

/** Why the provider does not do it, as what follows its name. */
class Refusal extends Error {}

const ADVICE =
  'Check its setting (STORE_STATES_URL or STORE_STATES_MODULE) and its own log; a higher --timeout waits longer.'

export type Provider = NonNullable<Awaited<ReturnType<typeof providerOf>>>

/**
 * Reads the ids in the answers of a provider: as many as were asked for, and no id twice. `name`: how messages name it.
 * @throws {Misconfigured} if the module cannot be used. @returns undefined without such a setting
 */
export async function providerOf(given: StatesSettings) {
  const settings = { ...given, timeoutMs: STATES_TIMES * given.timeoutMs }
  const { states, statesModule: path, statesUrl: url, signal, timeoutMs: limitMs } = settings
  const ofModule = `the states module ${path}`
  const ofUrl = `the provider states endpoint ${url}`
  const name = states ? 'the provider states' : url === undefined ? ofModule : ofUrl
  const endpoint = url === undefined ? undefined : endpointAt(url, settings)
  const module = states ?? endpoint ?? (path === undefined ? undefined : await loaded(name, path, settings))
  if (!module) return undefined
  const shown = excerptWithout(settings)
  // An async function, because the module may throw at once. It may throw anything.
  const call = async (action: 'setup' | 'teardown', state: StateName, params: Params): Promise<unknown> =>
    module[action]?.(state, { ...params })
  const textOf = (error: unknown): string =>
    error instanceof Refusal ? error.message : `threw: ${shown(messageOf(error))}`

  return {
    ...{ name, limitMs },
    /**
     * @returns `declined`: why it arranged nothing. `failed`: why the answer is neither a success nor a refusal; it may have arranged
     *   something nevertheless, not only the ids
     * @throws {Misconfigured} if it refuses the token
     */
    async setup(state: StateName, params: Params) {
      try {
        const value = await within(limitMs, call('setup', state, params), signal)
        if (value === undefined || value === null) throw new Refusal(`does not arrange "${state}"`)
        const key = state === 'pets' ? 'petIds' : 'orderIds'
        const { [key]: list } = Object(value) as Record<string, unknown>
        const all = Array.isArray(list) ? list.map(idText) : []
        const ids = all.filter(state === 'pets' ? isPetId : isOrderId)
        const count = 'count' in params ? params.count : 1
        if (all.length === count && new Set(ids.map(canonical)).size === count) return { ids }
        const wanted = `{"${key}": [...]} of as many ids as were asked for, or with 4xx if it cannot arrange it`
        const failed = `${name} should answer the state "${state}" ${JSON.stringify(params)} with 2xx and ${wanted}. It answered: ${shown(value)}`
        return { ids, failed }
      } catch (error) {
        if (error instanceof Misconfigured) throw error
        const message = signal?.aborted ? 'no answer before the run was stopped' : messageOf(error)
        return error instanceof NoResponse || signal?.aborted
          ? { ids: [], failed: `${name} gives ${message} to "${state}". ${ADVICE}` }
          : { ids: [], declined: `${name} ${textOf(error)}` }
      }
    },
    /** @throws if it fails; what was arranged may then still be in the store */
    async teardown(state: StateName, params: Params): Promise<void> {
      await within(limitMs, call('teardown', state, params)).catch(error => {
        const what = error instanceof NoResponse ? `gave ${error.message}` : textOf(error)
        throw new Error(`${name} did not tear down "${state}": it ${what}`)
      })
    },
  }
}

/** Empty if it is no exact number: one of a module beyond 2^53 has lost its digits already, and would name another order. */
function idText(id: unknown): string {
  if (typeof id === 'string') return id
  if (id instanceof JsonNumber) return id.value
  const isExact = typeof id === 'number' && (Number.isSafeInteger(id) || !Number.isInteger(id))
  return isExact || typeof id === 'bigint' ? String(id) : ''
}

/** Sends the requests of a Pact verifier. */
function endpointAt(url: string, settings: StatesSettings): StatesModule {
  const { statesToken: token, timeoutMs, env, identity, baseUrl, headers = {} } = settings
  const { origin, host, pathname, search } = new URL(url)
  const wire = connections(httpTransport(origin, { timeoutMs, env, identity }))
  // The same gateway may be in front of both. At another origin, the headers could disclose a secret.
  const isBesideStore = baseUrl !== undefined && new URL(baseUrl).origin === origin
  const shown = excerptWithout(settings)
  // A rate limit in front of the store may count these requests as well.
  const atPace = paced()
  const asking = (action: 'setup' | 'teardown') => async (state: string, params: object) => {
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
    const { response, problem } = (await atPace(() => wire.send(request, signal, 'fresh'), signal)) ?? {}
    // An endpoint that keeps asking to retry later refuses to arrange the state.
    if (problem?.kind === 'busy') throw new Refusal(`answered 429: ${problem.message}`)
    if (!response) throw new NoResponse('aborted', `no answer (${problem?.message})`)
    const { status } = response
    const text = `${status} ${shown(response.body)}`
    const isSuccess = status >= 200 && status < 300
    const hint = status === 401 || status === 403 ? '; check STORE_STATES_TOKEN' : ''
    if (status === 401 && action === 'setup')
      throw new Misconfigured(`the provider states endpoint ${url} answered ${text}${hint}`)
    if ((status >= 400 && status < 500) || (action === 'teardown' && !isSuccess))
      throw new Refusal(`answered ${text}${hint}`)
    // The store may begin every body with a byte order mark: this is for the rules to judge.
    const json = parseJson(response.body.replace(/^\ufeff/, ''))
    if (!isSuccess || !('value' in json) || !isObject(json.value)) return text
    const idsOf = (list: unknown) => (Array.isArray(list) ? list.map(idText) : list)
    return { orderIds: idsOf(member(json.value, 'orderIds')), petIds: idsOf(member(json.value, 'petIds')) }
  }
  return { setup: asking('setup'), teardown: asking('teardown') }
}

/** @throws {Misconfigured} if the module cannot be loaded or has no `setup` */
async function loaded(name: string, path: string, settings: StatesSettings): Promise<StatesModule> {
  const file = resolve(path)
  type Exported = Partial<StatesModule> & { default?: Partial<StatesModule> }
  const task: Promise<Exported> = import(/* @vite-ignore */ pathToFileURL(file).href)
  const module = await within(settings.timeoutMs, task).catch(error => {
    const reason = existsSync(file) ? excerptWithout(settings)(messageOf(error)) : 'there is no such file'
    throw new Misconfigured(`${name} cannot be loaded: ${reason}`)
  })
  const found = typeof module.setup === 'function' ? module : module.default
  if (typeof found?.setup === 'function') return found as StatesModule
  throw new Misconfigured(`${name} exports no function called setup(state, params)`)
}

/** For messages alone: the ids are read from the answer as it is. */
function excerptWithout(secrets: TargetSettings): (value: unknown) => string {
  const redact = redactorFor(secrets)
  return value => {
    const shown = redact(typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }))
    return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown || '(nothing)'
  }
}

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error)
