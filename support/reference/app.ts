import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as HonoContext } from 'hono'
import { Hono } from 'hono/tiny'
import { operations } from '../interface/operations.ts'
import { type Answer, toResponse } from './answer.ts'
import { readBody } from './body.ts'
import type { Connection, Context, Decisions, Keys, Operation } from './decisions.ts'
import type { Domain } from './domain.ts'
import { methodWrong, pathUnknown, type Refusal, storeBroken } from './refusal.ts'
import type { ProviderStates } from './states.ts'
import { answerStates } from './states-endpoint.ts'
import type { Wire } from './wire.ts'

/** The parts of one store that a request handler needs. */
export interface HandlerParts {
  readonly decide: Decisions
  readonly domain: Domain
  readonly keys: Keys
  readonly states: ProviderStates
  readonly statesToken: string | undefined
  readonly onError: (error: unknown) => void
}

/** One router serves every store. The store of a request is a binding of the router. */
export interface RequestBindings {
  readonly store: HandlerParts
  readonly connection: Connection
  readonly wire?: Wire
}

type Env = { Bindings: RequestBindings }

const ROUTES: Readonly<Record<Operation, { readonly method: string; readonly path: string }>> = {
  ...operations,
  getPet: { method: 'GET', path: '/pets/{petId}' },
}

/** The operation of each method, by path. */
const PATHS = new Map<string, Record<string, Operation>>()
for (const [operation, { method, path }] of Object.entries(ROUTES)) {
  const pattern = `/v1${path.replace(/\{(\w+)\}/, ':$1')}`
  PATHS.set(pattern, { ...PATHS.get(pattern), [method]: operation as Operation })
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
  { store, connection, wire }: RequestBindings,
  operation: Context['operation'],
): Context => {
  const url = new URL(request.url)
  const ctx: Context = {
    operation,
    method: request.method,
    url,
    headers: request.headers,
    headerNames: wire?.incoming.rawHeaders.filter((_, at) => at % 2 === 0) ?? [...request.headers.keys()],
    segment: lastSegment(url),
    connection,
    domain: store.domain,
    keys: store.keys,
    decide: store.decide,
    found: {},
    body: once(() => readBody(request, store.decide.bodyLimit(ctx))),
  }
  return ctx
}

const respondWith = async (
  ctx: Context,
  { store }: RequestBindings,
  answer: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const { decide } = ctx
  try {
    return await decide.finish(await answer(), ctx)
  } catch (error) {
    store.onError(error)
    return decide.refuse(storeBroken(), ctx)
  }
}

const send = async (answer: Answer, ctx: Context, { store, wire }: RequestBindings): Promise<Response> => {
  if (!wire) return toResponse(answer)
  try {
    await ctx.decide.deliver(answer, wire, ctx)
  } catch (error) {
    store.onError(error)
    wire.reset()
  }
  return RESPONSE_ALREADY_SENT
}

const dispatch = async (c: HonoContext<Env>, operation: Operation): Promise<Response> => {
  const ctx = contextOf(c.req.raw, c.env, operation)
  return send(await respondWith(ctx, c.env, () => ctx.decide.operate(ctx)), ctx, c.env)
}

const reject = async (c: HonoContext<Env>, refusal: Refusal): Promise<Response> => {
  const ctx = contextOf(c.req.raw, c.env, 'none')
  return send(await respondWith(ctx, c.env, () => ctx.decide.refuse(refusal, ctx)), ctx, c.env)
}

/** An unknown path or method is reported without a key as well, because the interface document shows them to everybody. */
export const app = new Hono<Env>()

for (const [path, methods] of PATHS) {
  const allowed = Object.keys(methods).flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  app.all(path, c => {
    // The router ignores a trailing slash, which would give each resource two addresses.
    if (c.req.path.endsWith('/')) return reject(c, pathUnknown())
    // A HEAD is a GET without the response body (RFC 9110 §9.3.2).
    const operation = methods[c.req.method === 'HEAD' ? 'GET' : c.req.method]
    return operation ? dispatch(c, operation) : reject(c, methodWrong(allowed))
  })
}

app.post('/provider-states', c => answerStates(c.req.raw, c.env.store.states, c.env.store.statesToken))
app.all('/provider-states', c => reject(c, methodWrong(['POST'])))
app.notFound(c => reject(c, pathUnknown()))
