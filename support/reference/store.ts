import { operations } from '../interface/operations.ts'
import { type Answer, type AnswerHeader, Refusal } from './answer.ts'
import { type Body, readBody } from './body.ts'
import {
  type ClientConnection,
  type Context,
  conformant,
  type Decisions,
  type Override,
  type ServedOperation,
} from './decisions.ts'
import { addDemoData } from './demo.ts'
import type { Domain } from './domain.ts'
import { operate } from './operate.ts'
import { answerStates, type ProviderStates, plainly, providerStates } from './states.ts'
import type { Wire } from './wire.ts'

export const DEFAULT_API_KEY = 'Store-Qz4Rn8vT-Wb6yLd'
const DEFAULT_REVOKED_KEY = 'Store-Jx7Hc3mU-Ga9sPf'

export interface StoreOptions {
  readonly apiKey?: string
  /** Revoked keys, which are rejected. */
  readonly revokedKeys?: readonly string[]
  /** Seed of the demo data. */
  readonly seed?: number
  /** False for a store that is empty at the start. */
  readonly demo?: boolean
  /** A bearer token that `/provider-states` requires. */
  readonly statesToken?: string
  /** Faults and freedoms. Each wraps the ones before it. */
  readonly overrides?: readonly Override[]
  /** Called with an error that is no `Refusal`. The client gets a 500. */
  readonly onError?: (error: unknown) => void
}

/** A request as the store receives it, over a socket or in process. */
export interface StoreRequest {
  readonly method: string
  /** Request target as it was sent (RFC 9112 §3.2), for example `/v1/inventory?a=b`. */
  readonly target: string
  /** All headers in order, as they were sent, `Host` included. */
  readonly headers: readonly AnswerHeader[]
  readonly body?: Body | undefined
}

/** Where a request came from: a new connection by default. Without a wire, it was received in process. */
interface RequestSource {
  readonly connection?: ClientConnection
  readonly wire?: Wire | undefined
}

export interface ReferenceStore {
  readonly apiKey: string
  readonly revokedKeys: readonly string[]
  readonly domain: Domain
  readonly states: ProviderStates
  readonly decide: Decisions
  /** An override changes how responses are delivered, which a store that is called in process does not show. */
  readonly needsSocket: boolean
  /** Answers one request. If it came over a wire, its answer is sent there. */
  readonly answer: (request: StoreRequest, source?: RequestSource) => Promise<Answer>
  /** The same for a request of the Fetch standard. */
  readonly fetch: (request: Request, source?: RequestSource) => Promise<Response>
}

export const referenceStore = (options: StoreOptions = {}): ReferenceStore => {
  const { apiKey = DEFAULT_API_KEY, revokedKeys = [DEFAULT_REVOKED_KEY], onError = console.error } = options
  const { seed = 1, demo = true, overrides = [] } = options
  const domain: Domain = { orders: new Map(), stock: new Map() }
  const keys = { valid: apiKey, revoked: revokedKeys }
  let decide: Decisions = { ...conformant, operate }
  for (const override of overrides) decide = { ...decide, ...override(decide) }
  if (demo) addDemoData(domain, seed)
  decide.open(domain)
  const states = providerStates(domain, decide)

  const answer: ReferenceStore['answer'] = async (request, { connection = {}, wire } = {}) => {
    const { method, body = '' } = request
    const headers = new Headers(request.headers as [string, string][])
    const url = urlOf(request.target, headers.get('host') || 'localhost')
    if (!url || url.pathname === '/provider-states') {
      const answered = url
        ? await answerStates({ method, headers, body }, states, options.statesToken)
        : plainly(new Refusal(400, 'request_invalid', 'The request line or the Host header is malformed.'))
      wire?.send(answered)
      return answered
    }
    const segments = url.pathname.split('/').map(decoded)
    const route = operationAt(method, segments)
    let bytes: Promise<Uint8Array> | undefined
    const ctx: Context = {
      operation: route instanceof Refusal ? 'none' : route,
      method,
      url,
      headers,
      headerNames: request.headers.map(([name]) => name),
      segment: segments.at(-1) ?? '',
      connection,
      domain,
      keys,
      decide,
      found: {},
      body: () => (bytes ??= readBody(body)),
    }
    let finished: Answer
    try {
      const answered = await (route instanceof Refusal ? decide.refuse(route, ctx) : decide.operate(ctx))
      finished = await decide.finish(answered, ctx)
    } catch (error) {
      onError(error)
      finished = decide.refuse(new Refusal(500, 'internal_error', 'Internal error of the store.'), ctx)
    }
    try {
      if (wire) await decide.deliver(finished, wire, ctx)
    } catch (error) {
      onError(error)
      wire?.reset()
    }
    return finished
  }

  return {
    apiKey,
    revokedKeys,
    domain,
    states,
    decide,
    needsSocket: decide.deliver !== conformant.deliver,
    answer,
    fetch: async (request, source) => {
      const { host, pathname, search } = new URL(request.url)
      const sent = new Headers(request.headers)
      if (!sent.has('host')) sent.set('host', host)
      const target = pathname + search
      const { method, body = null } = request
      const got = await answer({ method, target, headers: [...sent], body: body ?? undefined }, source)
      // `Response` throws for a body with these statuses (RFC 9110 §6.4.1).
      const isEmpty = method === 'HEAD' || [204, 205, 304].includes(got.status) || !got.body
      const headers = got.headers as [string, string][]
      return new Response(isEmpty ? null : new Uint8Array(got.body), { status: got.status, headers })
    },
  }
}

/** Undefined if the target or the Host header is malformed. A request of HTTP/1.0 may have no Host. */
const urlOf = (target: string, host: string): URL | undefined => {
  const text = target.startsWith('/') ? `http://${host}${target}` : target
  return /[\s/?#@\\]/.test(host) || !URL.canParse(text) ? undefined : new URL(text)
}

/** A segment of a path. Undefined if it cannot be decoded. */
const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const routes = Object.entries({ ...operations, getPet: { method: 'GET', path: '/pets/{petId}' } }).map(
  ([operation, { method, path }]) => ({
    operation: operation as ServedOperation,
    // A HEAD is a GET without the response body (RFC 9110 §9.3.2).
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    segments: `/v1${path}`.split('/'),
  }),
)

/** The operation with this method and path. An unknown path or method is refused without a key as well. */
const operationAt = (method: string, path: readonly (string | undefined)[]): ServedOperation | Refusal => {
  const here = routes.filter(({ segments }) => {
    const isSame = (each: string, at: number) => (each.startsWith('{') ? path[at] !== '' : each === path[at])
    return segments.length === path.length && segments.every(isSame)
  })
  if (here.length === 0) return new Refusal(404, 'path_not_found', 'There is no resource at this path.')
  const allowed = here.flatMap(({ methods }) => methods).join(', ')
  const refusal = new Refusal(405, 'method_not_allowed', `Allowed here: ${allowed}.`, ['Allow', allowed])
  return here.find(({ methods }) => methods.includes(method))?.operation ?? refusal
}
