import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ConnectionOptions, httpTransport } from '../http/connection.ts'
import { canonical } from '../http/decimal.ts'
import { isJsonObject, JsonNumber, JsonSyntaxError } from '../http/json.ts'
import type { Environment } from '../http/proxy.ts'
import { readJson } from '../http/read-json.ts'
import type { Redact } from '../http/redact.ts'
import type { WireResult } from '../http/transport.ts'
import { NoAnswer, within } from '../http/within.ts'
import { expectRunning, Misconfigured } from '../judge/outcome.ts'
import { redactorFor, type Secrets } from './credential.ts'
import type { ExtraHeaders } from './request.ts'
import { paced } from './retry.ts'
import { scheduler } from './scheduler.ts'

/** The provider states of an interface, as a Pact verifier names them, each with the ids that it is answered with. */
export type StateDescriptions = Readonly<
  Record<string, { readonly member: string; readonly isId: (text: string) => boolean }>
>

/** Why nothing was arranged. */
export interface Declined {
  readonly declined: string
  readonly unauthorised?: boolean
}

/** The ids that were arranged, or why nothing was arranged. */
export type Arranged = { readonly ids: readonly string[] } | Declined

export interface Provider {
  /** How messages name it. */
  readonly name: string
  /** @throws {Misconfigured} if the answer is neither a success nor a refusal */
  setup(state: string, params: object): Promise<Arranged>
  /** @throws if it fails; what was arranged may then still be in the store */
  teardown(state: string, params: object): Promise<void>
}

/** An answer with too few or too many ids, or an id twice. */
export class WrongCount extends Misconfigured {
  /** Not called `ids`, because a member of this name means that something was arranged. */
  readonly answered: readonly string[]

  constructor(message: string, answered: readonly string[]) {
    super(message)
    this.answered = answered
  }
}

/** What a states module exports, and what `judge()` takes as `states`. */
export interface StatesModule {
  /** Arranges the state and returns `{ orderIds }` or `{ petIds }`. Throws or returns undefined if it cannot arrange it. */
  setup(state: string, params: Readonly<Record<string, unknown>>): unknown
  teardown?(state: string, params: Readonly<Record<string, unknown>>): unknown
}

/** The settings that concern any provider. */
interface CallSettings extends Secrets {
  /** Limit of one setup, and of all teardowns together. */
  readonly statesTimeoutMs: number
  /** Ends setups at once. Teardowns are still awaited. */
  readonly signal?: AbortSignal | undefined
}

/** The settings that say where orders and pets are arranged. */
export interface StatesSettings extends CallSettings {
  readonly statesModule?: string | undefined
  /** Functions in this process, instead of a URL or a module. */
  readonly states?: StatesModule | undefined
  /** Requests to the endpoint in flight at most. */
  readonly concurrency: number
  readonly env?: Environment | undefined
  readonly identity?: ConnectionOptions['identity']
  /** Added to every request to the store. */
  readonly headers?: ExtraHeaders | undefined
  /** Instead of all of these. */
  readonly provider?: Provider | undefined
}

/** @throws {Misconfigured} if the module cannot be used. @returns undefined without such a setting */
export async function providerOf(
  known: StateDescriptions,
  settings: StatesSettings,
): Promise<Provider | undefined> {
  const { states, statesModule: path, statesUrl: url } = settings
  const provider =
    settings.provider ??
    (states && functionProvider(known, states, 'the provider states', settings)) ??
    (path ? await moduleProvider(known, path, settings) : url ? urlProvider(known, url, settings) : undefined)
  return provider
}

export function urlProvider(known: StateDescriptions, url: string, settings: StatesSettings): Provider {
  const { statesToken: token, statesTimeoutMs: timeoutMs, concurrency, signal, env, identity } = settings
  const name = `the provider states endpoint ${url}`
  const readIds = idsReader(known, name)
  const { origin, host, pathname, search } = new URL(url)
  const transport = httpTransport(origin, { timeoutMs, env, identity })
  // The same gateway may be in front of both. At another origin, the headers could disclose a secret.
  const isBesideStore = settings.baseUrl !== undefined && new URL(settings.baseUrl).origin === origin
  const extra = isBesideStore ? Object.entries(settings.headers ?? {}) : []
  const { run } = scheduler(concurrency)
  // A rate limit in front of the store may count these requests as well.
  const atPace = paced()
  const post = async (state: string, params: object, action: 'setup' | 'teardown') => {
    const body = JSON.stringify({ state, params, action })
    const request = {
      method: 'POST',
      target: pathname + search,
      headers: [
        ['Host', host],
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
        ...extra,
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ['Content-Length', String(Buffer.byteLength(body))],
      ],
      body,
      repeatable: false,
    } as const
    const ending = action === 'setup' ? signal : undefined
    const send = async (): Promise<WireResult> => {
      expectRunning(ending)
      // A setup cannot be repeated, and the endpoint may close an idle connection at any time (RFC 9112 §9.5).
      const connection = transport.connect()
      return within(timeoutMs, connection.send(request), ending)
        .catch(({ message }: Error): WireResult => {
          expectRunning(ending)
          return { problem: { kind: 'timeout', message }, connection: 'fresh', waitedMs: timeoutMs }
        })
        .finally(connection.close)
    }
    const { response, problem } = await run(() => atPace(send, ending ?? new AbortController().signal))
    if (response) return response
    // It refused to arrange the state, which is no mistake in the configuration.
    if (problem?.kind === 'busy') return { status: 429, headers: [], body: problem.message }
    const reason = problem?.kind === 'timeout' ? problem.message : `no answer (${problem?.message})`
    throw new Misconfigured(
      `${name} gives ${reason}. Check STORE_STATES_URL (--states-url); a higher --timeout waits longer.`,
    )
  }
  const shown = excerptWithout(settings)
  return {
    name,
    async setup(state, params) {
      const response = await post(state, params, 'setup')
      const { status } = response
      const answer = `${status} ${shown(response.body)}`
      const hint = status === 401 || status === 403 ? '; check STORE_STATES_TOKEN' : ''
      if (status >= 400 && status < 500)
        return { declined: `${name} answered ${answer}${hint}`, unauthorised: status === 401 }
      const json = readJson(response)
      const isRead = status >= 200 && status < 300 && !(json instanceof JsonSyntaxError)
      return readIds(state, params, isRead ? json.value : undefined, () => answer)
    },
    async teardown(state, params) {
      const { status, body } = await post(state, params, 'teardown')
      if (status < 200 || status > 299)
        throw new Error(`${name} answered ${status} ${shown(body)} to the teardown of "${state}"`)
    },
  }
}

/** @throws {Misconfigured} if the module cannot be loaded or has no `setup` */
export async function moduleProvider(
  known: StateDescriptions,
  path: string,
  settings: CallSettings,
): Promise<Provider> {
  let loaded: Partial<StatesModule> & { default?: Partial<StatesModule> }
  try {
    loaded = await within(
      settings.statesTimeoutMs,
      import(/* @vite-ignore */ pathToFileURL(resolve(path)).href),
    )
  } catch (error) {
    const reason = existsSync(resolve(path))
      ? excerptWithout(settings)(messageOf(error))
      : 'there is no such file'
    throw new Misconfigured(`the states module ${path} cannot be loaded: ${reason}`)
  }
  const found = typeof loaded.setup === 'function' ? loaded : loaded.default
  if (typeof found?.setup !== 'function') {
    throw new Misconfigured(`the states module ${path} exports no function called setup(state, params)`)
  }
  return functionProvider(known, found as StatesModule, `the states module ${path}`, settings)
}

export function functionProvider(
  known: StateDescriptions,
  module: StatesModule,
  name: string,
  settings: CallSettings,
): Provider {
  const { statesTimeoutMs: timeoutMs, signal } = settings
  const shown = excerptWithout(settings)
  const readIds = idsReader(known, name)
  return {
    name,
    async setup(state, params) {
      try {
        const given = await within(timeoutMs, module.setup(state, { ...params }), signal)
        if (given === undefined || given === null) return { declined: `${name} does not arrange "${state}"` }
        return readIds(state, params, given, () => shown(printGiven(given)))
      } catch (error) {
        if (error instanceof Misconfigured) throw error
        expectRunning(signal)
        if (error instanceof NoAnswer)
          throw new Misconfigured(
            `${name} gives ${error.message} to "${state}". A higher --timeout waits longer.`,
          )
        return { declined: `${name} threw: ${shown(messageOf(error))}` }
      }
    },
    async teardown(state, params) {
      try {
        await within(timeoutMs, module.teardown?.(state, { ...params }))
      } catch (error) {
        throw new Error(`${name} failed to tear down "${state}": ${shown(messageOf(error))}`)
      }
    },
  }
}

/** Reads the ids in an answer: as many as were asked for, and no id twice. */
const idsReader =
  (known: StateDescriptions, name: string) =>
  (state: string, params: object, answer: unknown, shown: () => string): Arranged => {
    const { member = '', isId = () => false } = known[state] ?? {}
    const list: unknown = isJsonObject(answer) ? answer[member] : undefined
    const count = 'count' in params ? params.count : 1
    const ids = Array.isArray(list) ? list.flatMap(id => idText(id) ?? []).filter(isId) : []
    const isAsked = Array.isArray(list) && list.length === count && new Set(ids.map(canonical)).size === count
    if (isAsked) return { ids }
    throw new WrongCount(
      `${name} should answer the state "${state}" ${JSON.stringify(params)} with 2xx and {"${member}": [...]} of as many ids as were asked for, ` +
        `or with 4xx if it cannot arrange it. It answered: ${shown()}`,
      ids,
    )
  }

function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return id
  if (id instanceof JsonNumber || typeof id === 'bigint') return String(id)
  // A module may give plain numbers; one beyond 2^53 has lost its digits already, and would name another order.
  return typeof id === 'number' && (Number.isSafeInteger(id) || !Number.isInteger(id))
    ? String(id)
    : undefined
}

/** For messages alone: the ids are read from the answer as it is. */
function excerptWithout(secrets: Secrets): Redact {
  const redact = redactorFor(secrets)
  return text => {
    const shown = redact(text)
    return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown || '(nothing)'
  }
}

/** A module may throw anything, also what cannot be printed. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'a value that cannot be printed'
  }
}

function printGiven(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? String(value)
    )
  } catch {
    return `a ${typeof value} that JSON cannot show`
  }
}
