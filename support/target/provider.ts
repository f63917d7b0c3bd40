import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject, JsonNumber, parseJson } from '../../suites/oracle/json.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'
import { canonical } from '../interface/numbers.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { httpTransport } from '../wire/connection.ts'
import type { ConnectionOptions } from '../wire/dial.ts'
import type { WireRequest } from '../wire/exchange.ts'
import { NoResponse, within } from '../wire/problems.ts'
import { paced, places } from './pace.ts'
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
  /** Requests to the endpoint in flight at most. */
  readonly concurrency: number
  /** Ends setups at once. Teardowns are still awaited. */
  readonly signal?: AbortSignal | undefined
}

export type StateName = 'pending orders' | 'shipped orders' | 'pending order with id' | 'pets'

/** The ids that were arranged, or why nothing was arranged. */
export type Arranged =
  | { readonly ids: readonly string[] }
  | { readonly declined: string; readonly isUnauthorized?: boolean }

export interface Provider {
  /** How messages name it. */
  readonly name: string
  /** @throws {Misconfigured} if the answer is neither a success nor a refusal */
  setup(state: StateName, params: object): Promise<Arranged>
  /** @throws if it fails; what was arranged may then still be in the store */
  teardown(state: StateName, params: object): Promise<void>
}

/** An answer with too few or too many ids, or an id twice. */
export class WrongCount extends Misconfigured {
  readonly answered: readonly string[]

  constructor(message: string, answered: readonly string[]) {
    super(message)
    this.answered = answered
  }
}

/** An answer as it is, and as messages show it; or why nothing was arranged. */
type Answer = { readonly given: unknown; readonly text: string } | Exclude<Arranged, { ids: unknown }>
interface Source {
  setup(state: StateName, params: object): Promise<Answer>
  teardown(state: StateName, params: object): Promise<unknown>
}

/** @throws {Misconfigured} if the module cannot be used. @returns undefined without such a setting */
export async function providerOf(settings: StatesSettings): Promise<Provider | undefined> {
  const { states, statesModule: path, statesUrl: url } = settings
  const module = (name: string, functions: StatesModule) =>
    reading(name, functionsSource(name, functions, settings))
  if (states) return module('the provider states', states)
  if (path !== undefined) return module(`the states module ${path}`, await loaded(path, settings))
  const name = `the provider states endpoint ${url}`
  return url === undefined ? undefined : reading(name, endpointSource(name, url, settings))
}

/** Reads the ids in the answers: as many as were asked for, and no id twice. */
const reading = (name: string, { setup, teardown }: Source): Provider => ({
  name,
  async setup(state, params) {
    const answer = await setup(state, params)
    if (!('given' in answer)) return answer
    const [member, isId] =
      state === 'pets' ? (['petIds', isPetId] as const) : (['orderIds', isOrderId] as const)
    const list =
      typeof answer.given === 'object'
        ? (answer.given as Record<string, unknown> | null)?.[member]
        : undefined
    const count = 'count' in params ? params.count : 1
    const ids = Array.isArray(list) ? list.flatMap(id => idText(id) ?? []).filter(isId) : []
    if (Array.isArray(list) && list.length === count && new Set(ids.map(canonical)).size === count)
      return { ids }
    throw new WrongCount(
      `${name} should answer the state "${state}" ${JSON.stringify(params)} with 2xx and {"${member}": [...]} of as many ids as were asked for, ` +
        `or with 4xx if it cannot arrange it. It answered: ${answer.text}`,
      ids,
    )
  },
  async teardown(state, params) {
    await teardown(state, params)
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
function endpointSource(name: string, url: string, settings: StatesSettings): Source {
  const {
    statesToken: token,
    statesTimeoutMs: timeoutMs,
    signal,
    env,
    identity,
    baseUrl,
    headers = {},
  } = settings
  const { origin, host, pathname, search } = new URL(url)
  const transport = httpTransport(origin, { timeoutMs, env, identity })
  // The same gateway may be in front of both. At another origin, the headers could disclose a secret.
  const isBesideStore = baseUrl !== undefined && new URL(baseUrl).origin === origin
  const shown = excerptWithout(settings)
  const inPlace = places(settings.concurrency)
  // A rate limit in front of the store may count these requests as well.
  const atPace = paced()
  const post = async (state: string, params: object, action: 'setup' | 'teardown') => {
    const ending = action === 'setup' ? signal : undefined
    const body = JSON.stringify({ state, params, action })
    const request: WireRequest = {
      method: 'POST',
      target: pathname + search,
      headers: [
        ['Host', host],
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
        ...(isBesideStore ? Object.entries(headers) : []),
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ['Content-Length', String(Buffer.byteLength(body))],
      ],
      body,
      repeatable: false,
    }
    const send = () => {
      // A setup cannot be repeated, and the endpoint may close an idle connection at any time (RFC 9112 §9.5).
      const connection = transport.connect()
      return within(timeoutMs, connection.send(request), ending).finally(() => connection.close())
    }
    const { response, problem } = await inPlace(() => atPace(send, ending ?? new AbortController().signal))
    if (response) return { ...response, text: `${response.status} ${shown(response.body)}` }
    // It refused to arrange the state, which is no mistake in the configuration.
    if (problem?.kind === 'busy') return { status: 429, body: '', text: `429: ${problem.message}` }
    throw new Error(`no answer (${problem?.message})`)
  }
  return {
    async setup(state, params) {
      const { status, body, text } = await post(state, params, 'setup').catch(({ message }: Error) => {
        throw new Misconfigured(
          `${name} gives ${message}. Check STORE_STATES_URL (--states-url); a higher --timeout waits longer.`,
        )
      })
      const hint = status === 401 || status === 403 ? '; check STORE_STATES_TOKEN' : ''
      if (status >= 400 && status < 500)
        return { declined: `${name} answered ${text}${hint}`, isUnauthorized: status === 401 }
      const json = parseJson(body)
      const isRead = status >= 200 && status < 300 && 'value' in json && isObject(json.value)
      return { given: isRead ? json.value : undefined, text }
    },
    async teardown(state, params) {
      const { status, text } = await post(state, params, 'teardown')
      if (status < 200 || status > 299)
        throw new Error(`${name} answered ${text} to the teardown of "${state}"`)
    },
  }
}

/** @throws {Misconfigured} if the module cannot be loaded or has no `setup` */
async function loaded(path: string, settings: StatesSettings): Promise<StatesModule> {
  const file = resolve(path)
  type Exported = Partial<StatesModule> & { default?: Partial<StatesModule> }
  const module: Exported = await within(
    settings.statesTimeoutMs,
    import(/* @vite-ignore */ pathToFileURL(file).href),
  ).catch(error => {
    const reason = existsSync(file) ? excerptWithout(settings)(messageOf(error)) : 'there is no such file'
    throw new Misconfigured(`the states module ${path} cannot be loaded: ${reason}`)
  })
  const found = typeof module.setup === 'function' ? module : module.default
  if (typeof found?.setup === 'function') return found as StatesModule
  throw new Misconfigured(`the states module ${path} exports no function called setup(state, params)`)
}

function functionsSource(name: string, module: StatesModule, settings: StatesSettings): Source {
  const { statesTimeoutMs: timeoutMs, signal } = settings
  const shown = excerptWithout(settings)
  return {
    async setup(state, params) {
      try {
        const given = await within(timeoutMs, module.setup(state, { ...params }), signal)
        if (given === undefined || given === null) return { declined: `${name} does not arrange "${state}"` }
        return { given, text: shown(printed(given)) }
      } catch (error) {
        if (error instanceof NoResponse)
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

/** For messages alone: the ids are read from the answer as it is. */
function excerptWithout(secrets: Secrets): (text: string) => string {
  const redact = redactorFor(secrets)
  return text => {
    const shown = redact(text)
    return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown || '(nothing)'
  }
}

/** A module may throw anything, also what cannot be printed. */
const messageOf = (error: unknown): string =>
  attempted(() => String(error instanceof Error ? error.message : error))

const printed = (value: unknown): string =>
  attempted(
    () =>
      JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? String(value),
  )

function attempted(print: () => string): string {
  try {
    return print()
  } catch {
    return 'a value that cannot be printed'
  }
}
