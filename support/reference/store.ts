import type { Header } from '../interface/description.ts'
import { operations } from '../interface/operations.ts'
import { type Answer, Refusal } from './answer.ts'
import { type Body, readBody } from './body.ts'
import {
  type ClientConnection,
  conformant,
  type Decisions,
  type Override,
  type RequestContext,
  type ServedOperation,
} from './decisions.ts'
import { addDemoData } from './demo.ts'
import type { Domain } from './domain.ts'
import { operate } from './operate.ts'
import { answerStates, providerStates } from './states.ts'
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
  /** All headers in order, as they were sent. */
  readonly headers: readonly Header[]
  readonly body?: Body | undefined
}

/** Where a request came from: a new connection by default. Without a wire, it was received in process. */
interface RequestSource {
  readonly connection?: ClientConnection
  readonly wire?: Wire | undefined
}

export type ReferenceStore = ReturnType<typeof referenceStore>

export const referenceStore = (options: StoreOptions = {}) => {
  const { apiKey = DEFAULT_API_KEY, revokedKeys = [DEFAULT_REVOKED_KEY], onError = console.error } = options
  const { seed = 1, demo = true, overrides = [] } = options
  const domain: Domain = { orders: new Map(), stock: new Map() }
  let decide: Decisions = { ...conformant, operate }
  for (const override of overrides) decide = { ...decide, ...override(decide) }
  if (demo) addDemoData(domain, seed)
  decide.open(domain)
  const states = providerStates(domain, decide)

  /** Answers one request. If it came over a wire, its answer is sent there. */
  const answer = async (
    request: StoreRequest,
    { connection = {}, wire }: RequestSource = {},
  ): Promise<Answer> => {
    const { method, target, body = '' } = request
    const headers = new Headers(request.headers as [string, string][])
    // An absolute URL is a target as well (RFC 9112 §3.2.2).
    const url = new URL(URL.canParse(target) ? target : `http://store${target}`)
    if (url.pathname === '/provider-states') {
      const answered = await answerStates({ method, headers, body }, states, options.statesToken)
      wire?.send(answered)
      return answered
    }
    const path = decoded(url.pathname)
    const route = operationAt(method, path)
    let bytes: Promise<Uint8Array> | undefined
    const ctx: RequestContext = {
      operation: route instanceof Refusal ? 'none' : route,
      method,
      url,
      headers,
      headerNames: request.headers.map(([name]) => name),
      segment: path.slice(path.lastIndexOf('/') + 1),
      connection,
      domain,
      keys: { valid: apiKey, revoked: revokedKeys },
      decide,
      found: {},
      body: () => (bytes ??= readBody(body)),
    }
    const attempt = async (act: () => Answer | Promise<Answer>): Promise<Answer> => {
      try {
        return await act()
      } catch (error) {
        if (error instanceof Refusal) return decide.refuse(error, ctx)
        onError(error)
        return decide.refuse(new Refusal(500, 'internal_error', 'Internal error of the store.'), ctx)
      }
    }
    const answered = await attempt(() =>
      route instanceof Refusal ? decide.refuse(route, ctx) : decide.operate(ctx),
    )
    const finished = await attempt(() => decide.finish(answered, ctx))
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
    /** An override changes how responses are delivered, which a store that is called in process does not show. */
    needsSocket: decide.deliver !== conformant.deliver,
    answer,
    /** The same for a request of the Fetch standard. */
    fetch: async (request: Request, source?: RequestSource): Promise<Response> => {
      const { method, body = undefined } = request
      const target = request.url.slice(new URL(request.url).origin.length)
      const sent = { method, target, headers: [...request.headers], body: body ?? undefined }
      const { status, headers, body: content } = await answer(sent, source)
      // `Response` throws for a body with these statuses (RFC 9110 §6.4.1).
      const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status)
      return new Response(isEmpty || !content ? null : new Uint8Array(content), {
        status,
        headers: headers as [string, string][],
      })
    },
  }
}

/** A slash that is encoded stays in its segment. A path that cannot be decoded stays as it is. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'))
  } catch {
    return path
  }
}

const routes = Object.entries({ ...operations, getPet: { method: 'GET', path: '/pets/{petId}' } }).map(
  ([operation, { method, path }]) => ({
    operation: operation as ServedOperation,
    // A HEAD is a GET without the response body (RFC 9110 §9.3.2).
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    pattern: new RegExp(`^/v1${path.replace(/\{.*\}/, '[^/]+')}$`),
  }),
)

/** The operation with this method and path. An unknown path or method is refused without a key as well. */
const operationAt = (method: string, path: string): ServedOperation | Refusal => {
  const here = routes.filter(({ pattern }) => pattern.test(path))
  if (here.length === 0) return new Refusal(404, 'path_not_found', 'There is no resource at this path.')
  const allowed = here.flatMap(({ methods }) => methods).join(', ')
  const refusal = new Refusal(405, 'method_not_allowed', `Allowed here: ${allowed}.`, ['Allow', allowed])
  return here.find(({ methods }) => methods.includes(method))?.operation ?? refusal
}
