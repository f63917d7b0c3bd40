import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as HonoContext } from 'hono'
import { Hono } from 'hono/tiny'
import { type Answer, toResponse } from './answer.ts'
import { readBody } from './body.ts'
import type { Connection, Context, Decisions, Keys, Operation } from './decisions.ts'
import type { Domain } from './domain.ts'
import { methodWrong, pathUnknown, type Refusal, storeBroken } from './refusal.ts'
import type { ProviderStates } from './states.ts'
import { answerStates } from './states-endpoint.ts'
import type { Wire } from './wire.ts'

/** One store, as its HTTP face sees it. */
export interface House {
  readonly decide: Decisions
  readonly domain: Domain
  readonly keys: Keys
  readonly states: ProviderStates
  readonly statesToken: string | undefined
  readonly onError: (error: unknown) => void
}

/** The routes are the same for every store, so there is one router; which store it is comes with the request. */
export interface Visit {
  readonly house: House
  readonly connection: Connection
  readonly wire?: Wire
}

type Env = { Bindings: Visit }

const PATHS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/v1/store/orders': { GET: 'listOrders' },
  '/v1/store/orders/:orderId': { DELETE: 'cancelOrder' },
  '/v1/inventory': { GET: 'listInventory' },
  '/v1/inventory/:petId': { PATCH: 'updateInventory' },
  '/v1/pets/:petId': { GET: 'getPet' },
}

const lastSegment = ({ pathname }: URL): string | undefined => {
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1))
  } catch {
    return undefined
  }
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const contextOf = (
  request: Request,
  { house, connection }: Visit,
  operation: Context['operation'],
): Context => {
  const url = new URL(request.url)
  const ctx: Context = {
    operation,
    method: request.method,
    url,
    headers: request.headers,
    segment: lastSegment(url),
    connection,
    domain: house.domain,
    keys: house.keys,
    decide: house.decide,
    found: {},
    body: once(() => readBody(request, house.decide.bodyLimit(ctx))),
  }
  return ctx
}

const conclude = async (
  ctx: Context,
  visit: Visit,
  answer: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const { decide } = ctx
  try {
    return await decide.finish(await answer(), ctx)
  } catch (error) {
    visit.house.onError(error)
    return decide.refuse(storeBroken(), ctx)
  }
}

const send = async (answer: Answer, ctx: Context, { house, wire }: Visit): Promise<Response> => {
  if (!wire) return toResponse(answer)
  try {
    await ctx.decide.deliver(answer, wire, ctx)
  } catch (error) {
    house.onError(error)
    wire.reset()
  }
  return RESPONSE_ALREADY_SENT
}

const perform = async (c: HonoContext<Env>, operation: Operation): Promise<Response> => {
  const ctx = contextOf(c.req.raw, c.env, operation)
  return send(await conclude(ctx, c.env, () => ctx.decide.operate(ctx)), ctx, c.env)
}

const turnDown = async (c: HonoContext<Env>, refusal: Refusal): Promise<Response> => {
  const ctx = contextOf(c.req.raw, c.env, 'none')
  return send(await conclude(ctx, c.env, () => ctx.decide.refuse(refusal, ctx)), ctx, c.env)
}

/** Without a key, too: the paths and methods are in the document for everybody to read, and a slip is found sooner. */
export const app = new Hono<Env>()

for (const [path, methods] of Object.entries(PATHS)) {
  const allowed = Object.keys(methods).flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  app.all(path, c => {
    // The small router forgives a slash at the end; then one thing would have two addresses.
    if (c.req.path.endsWith('/')) return turnDown(c, pathUnknown())
    // A HEAD is a GET whose body stays behind (RFC 9110 §9.3.2).
    const operation = methods[c.req.method === 'HEAD' ? 'GET' : c.req.method]
    return operation ? perform(c, operation) : turnDown(c, methodWrong(allowed))
  })
}

app.post('/provider-states', c => answerStates(c.req.raw, c.env.house.states, c.env.house.statesToken))
app.all('/provider-states', c => turnDown(c, methodWrong(['POST'])))
app.notFound(c => turnDown(c, pathUnknown()))
