import querystring from 'node:querystring'
import { type OperationId, operationIds, operations } from '../interface/operations.ts'
import { conformant, type Decisions, type Members, type Override, type RequestContext } from './decisions.ts'
import { addDemoData, type Domain } from './domain.ts'
import { type Answer, jsonAnswer, Refusal, type RequestSource, readBody, type StoreRequest } from './http.ts'
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
  /** Faults and freedoms. Each wraps the ones before it. */
  readonly overrides?: readonly Override[]
  /** Called with an error that is no `Refusal`. The client gets a 500. */
  readonly onError?: (error: unknown) => void
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

  const attempt = async (act: () => Answer | Promise<Answer>): Promise<Answer> => {
    try {
      return await act()
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      onError(error)
      return new Refusal(500, 'internal_error', 'Internal error of the store.').answer
    }
  }

  /** Answers one request. If it came over a wire, its answer is sent there. */
  const answer = async (
    request: StoreRequest,
    { connection = {}, wire }: RequestSource = {},
  ): Promise<Answer> => {
    const { method, target, body = '' } = request
    const url = new URL(`http://store${target}`)
    const here = routes.filter(({ pattern }) => pattern.test(url.pathname))
    const { operation = 'none' as const } = here.find(each => each.method === method) ?? {}
    let bytes: Promise<Uint8Array> | undefined
    const ctx: RequestContext = {
      ...{ operation, method, url, connection, domain, decide },
      headers: new Headers(request.headers as [string, string][]),
      headerNames: request.headers.map(([name]) => name),
      segment: querystring.unescape(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)),
      keys: { valid: apiKey, revoked: revokedKeys },
      found: {},
      body: () => (bytes ??= readBody(body)),
    }
    if (url.pathname === '/provider-states') {
      const answered = await attempt(() => answerStates(ctx, states))
      wire?.send(answered)
      return answered
    }
    const answered = await attempt(() => (operation === 'none' ? unserved(here) : decide.operate(ctx)))
    const finished = await attempt(() => decide.finish(answered, ctx))
    if (wire) await decide.deliver(finished, wire, ctx)
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
      const content = [204, 205, 304].includes(status) ? undefined : answered.body
      const sent = answered.headers as [string, string][]
      return new Response(content && new Uint8Array(content), { status, headers: sent })
    },
  }
}

const routes = operationIds.map(operation => {
  const { method, path } = operations[operation]
  return { operation, method, pattern: new RegExp(`^/v1${path.replace(/\{.*\}/, '[^/]+')}$`) }
})

/** Refuses a path or a method that no operation has, without a key as well. @param here the routes with this path */
const unserved = (here: typeof routes): never => {
  const allowed = here.map(({ method }) => method).join(', ')
  if (allowed === '') throw new Refusal(404, 'path_not_found', 'There is no resource at this path.')
  throw new Refusal(405, 'method_not_allowed', `Allowed here: ${allowed}.`, ['Allow', allowed])
}

const list = (items: readonly Members[], ctx: RequestContext): Answer =>
  jsonAnswer(200, `[${items.map(each => ctx.decide.renderObject(each, ctx)).join(',')}]`)

const executed: Record<OperationId, (ctx: RequestContext) => Answer | Promise<Answer>> = {
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
    const { decide, found, segment } = ctx
    const petId = decide.readPetId(segment, ctx)
    const entry = petId === undefined ? undefined : decide.findEntry(petId, ctx)
    found.entry = entry
    if (!entry) return decide.answerUpdate(undefined, ctx)
    found.quantity = decide.readUpdate(await ctx.body(), ctx)
    // Without a wait, so that the response shows this update and not a simultaneous one.
    const applied =
      found.quantity === undefined ? undefined : decide.applyQuantity(entry, found.quantity, ctx)
    if (applied) await applied
    return decide.answerUpdate(entry, ctx)
  },
}

/** The decision `operate` of a store that conforms to the interface: a request without a key is refused before anything is looked at (§5). */
async function operate(ctx: RequestContext): Promise<Answer> {
  await ctx.decide.authenticate(ctx)
  return executed[ctx.operation as OperationId](ctx)
}
