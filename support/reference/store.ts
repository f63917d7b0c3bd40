import { operations } from '../interface/operations.ts'
import type { WireRequest } from '../wire/exchange.ts'
import { type Answer, type Body, jsonAnswer, Refusal, readBody, type Wire, withHeader } from './answer.ts'
import {
  type ClientConnection,
  conformant,
  type Decisions,
  type Members,
  type Override,
  type RequestContext,
  type ServedOperation,
} from './decisions.ts'
import { addDemoData, type Domain, type Entry } from './domain.ts'
import { answerStates, providerStates } from './states.ts'

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
export interface StoreRequest extends Pick<WireRequest, 'method' | 'target' | 'headers'> {
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

  const attempt = async (ctx: RequestContext, act: () => Answer | Promise<Answer>): Promise<Answer> => {
    try {
      return await act()
    } catch (error) {
      if (error instanceof Refusal) return decide.refuse(error, ctx)
      onError(error)
      return decide.refuse(new Refusal(500, 'internal_error', 'Internal error of the store.'), ctx)
    }
  }

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
      ...{ method, url, headers, connection, domain, decide },
      headerNames: request.headers.map(([name]) => name),
      segment: path.slice(path.lastIndexOf('/') + 1),
      keys: { valid: apiKey, revoked: revokedKeys },
      found: {},
      body: () => (bytes ??= readBody(body)),
    }
    const operated = () => (route instanceof Refusal ? decide.refuse(route, ctx) : decide.operate(ctx))
    const answered = await attempt(ctx, operated)
    const finished = await attempt(ctx, () => decide.finish(answered, ctx))
    try {
      if (wire) await decide.deliver(finished, wire, ctx)
    } catch (error) {
      onError(error)
      wire?.reset()
    }
    return finished
  }

  return {
    ...{ apiKey, revokedKeys, domain, states, answer },
    /** An override changes how responses are delivered, which a store that is called in process does not show. */
    needsSocket: decide.deliver !== conformant.deliver,
    /** `answer` for a request of the Fetch standard. */
    fetch: async ({ method, url, headers, body }: Request): Promise<Response> => {
      const target = url.slice(new URL(url).origin.length)
      const answered = await answer({ method, target, headers: [...headers], body: body ?? undefined })
      const { status } = answered
      // `Response` throws for a body with these statuses (RFC 9110 §6.4.1).
      const content = method === 'HEAD' || [204, 205, 304].includes(status) ? undefined : answered.body
      const sent = answered.headers as [string, string][]
      return new Response(content && new Uint8Array(content), { status, headers: sent })
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

const list = (items: readonly Members[], ctx: RequestContext): Answer =>
  jsonAnswer(200, `[${items.map(each => ctx.decide.renderObject(each, ctx)).join(',')}]`)

const lookUpPet = (ctx: RequestContext): Entry | undefined => {
  const petId = ctx.decide.readPetId(ctx.segment, ctx)
  ctx.found.entry = petId === undefined ? undefined : ctx.decide.findEntry(petId, ctx)
  return ctx.found.entry
}

const executed: Record<ServedOperation, (ctx: RequestContext) => Answer | Promise<Answer>> = {
  listOrders(ctx) {
    const orders = ctx.decide.selectOrders([...ctx.domain.orders.values()], ctx)
    return list(
      orders.map(each => ctx.decide.orderMembers(each, ctx)),
      ctx,
    )
  },
  listInventory(ctx) {
    const entries = ctx.decide.selectEntries([...ctx.domain.stock.values()], ctx)
    return list(
      entries.map(each => ctx.decide.entryMembers(each, ctx)),
      ctx,
    )
  },
  async cancelOrder(ctx) {
    const { decide, found, segment } = ctx
    found.orderId = decide.readOrderId(segment, ctx)
    found.order = found.orderId === undefined ? undefined : decide.findOrder(found.orderId, ctx)
    if (!found.order) return decide.answerCancel('unknown', ctx)
    const met = decide.judgeCancel(found.order, ctx)
    if (met === 'pending') await decide.applyCancel(found.order, ctx)
    return decide.answerCancel(met, ctx)
  },
  async updateInventory(ctx) {
    const { decide, found } = ctx
    const entry = lookUpPet(ctx)
    if (!entry) return decide.answerUpdate(undefined, ctx)
    found.quantity = decide.readUpdate(await ctx.body(), ctx)
    // Without a wait, so that the response shows this update and not a simultaneous one.
    const applied =
      found.quantity === undefined ? undefined : decide.applyQuantity(entry, found.quantity, ctx)
    if (applied) await applied
    return decide.answerUpdate(entry, ctx)
  },
  // Deprecation (RFC 9745) and Sunset (RFC 8594). The document shows no dates (§9), so these are arbitrary.
  getPet(ctx) {
    const deprecated = withHeader(ctx.decide.answerUpdate(lookUpPet(ctx), ctx), 'Deprecation', '@1767225600')
    return withHeader(deprecated, 'Sunset', 'Tue, 31 Dec 2030 23:59:59 GMT')
  },
}

/** The decision `operate` of a store that conforms to the interface: a request without a key is refused before anything is looked at (§5). */
async function operate(ctx: RequestContext): Promise<Answer> {
  await ctx.decide.authenticate(ctx)
  return executed[ctx.operation as ServedOperation](ctx)
}
