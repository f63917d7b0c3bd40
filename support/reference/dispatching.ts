import { operations } from '../interface/operations.ts'
import type { Answer } from './answer.ts'
import { cancel } from './cancelling.ts'
import type { CheckName, Context, Decisions, ServedOperation } from './decisions.ts'
import type { Entry, Order } from './domain.ts'
import { answerPet, listInventory, listOrders } from './listing.ts'
import { methodWrong, pathUnknown, Refusal } from './refusal.ts'
import { update } from './updating.ts'

const routes = Object.entries({ ...operations, getPet: { method: 'GET', path: '/pets/{petId}' } }).map(
  ([operation, { method, path }]) => ({
    operation: operation as ServedOperation,
    method,
    pattern: new RegExp(`^/v1${path.replace(/\{\w+\}/, '[^/]+')}$`),
  }),
)

/** The path, with escapes decoded that do not change its segments (RFC 3986 §6.2.2.2). */
const normalized = (pathname: string): string => {
  if (!pathname.includes('%')) return pathname
  try {
    return decodeURI(pathname.replaceAll('%25', '%2525'))
  } catch {
    return pathname
  }
}

/** The operation with this method and path. An unknown path or method is refused without a key as well. */
export const operationAt = (method: string, pathname: string): ServedOperation | Refusal => {
  const path = normalized(pathname)
  const here = routes.filter(({ pattern }) => pattern.test(path))
  if (here.length === 0) return pathUnknown()
  // A HEAD is a GET without the response body (RFC 9110 §9.3.2).
  const found = here.find(route => route.method === (method === 'HEAD' ? 'GET' : method))
  const allowed = here.flatMap(route => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
  return found?.operation ?? methodWrong(allowed)
}

type Step = (ctx: Context) => Answer | undefined | Promise<Answer | undefined>

const authentication: Step = async ctx => {
  await ctx.decide.authenticate(ctx)
  return undefined
}

const findOrder: Step = ctx => {
  const id = ctx.segment === undefined ? undefined : ctx.decide.readOrderId(ctx.segment, ctx)
  if (id === undefined) return ctx.decide.answerCancel('unknown', ctx)
  ctx.found.orderId = id
  const order = ctx.decide.findOrder(id, ctx)
  if (!order) return ctx.decide.answerCancel('unknown', ctx)
  ctx.found.order = order
  return undefined
}

const findEntry: Step = ctx => {
  const petId = ctx.segment === undefined ? undefined : ctx.decide.readPetId(ctx.segment, ctx)
  const entry = petId === undefined ? undefined : ctx.decide.findEntry(petId, ctx)
  if (!entry) return ctx.decide.answerUpdate(undefined, ctx)
  ctx.found.entry = entry
  return undefined
}

const lookups: Partial<Record<Context['operation'], Step>> = {
  cancelOrder: findOrder,
  updateInventory: findEntry,
  getPet: findEntry,
}

const readBody: Step = async ctx => {
  if (ctx.operation !== 'updateInventory') return undefined
  const quantity = ctx.decide.readUpdate(await ctx.body(), ctx)
  if (quantity !== undefined) ctx.found.quantity = quantity
  return undefined
}

const steps: Record<CheckName, Step> = {
  authentication,
  lookup: ctx => lookups[ctx.operation]?.(ctx),
  body: readBody,
}

const handlers: Record<ServedOperation, (ctx: Context) => Answer | Promise<Answer>> = {
  listOrders: ctx => ctx.decide.fromCache(ctx, () => listOrders(ctx)),
  listInventory: ctx => ctx.decide.fromCache(ctx, () => listInventory(ctx)),
  cancelOrder: ctx => cancel(ctx.found.order as Order, ctx),
  updateInventory: ctx => update(ctx.found.entry as Entry, ctx),
  getPet: ctx => answerPet(ctx.found.entry as Entry, ctx),
}

export const dispatching = {
  operate: async ctx => {
    try {
      for (const check of ctx.decide.checks(ctx)) {
        const refused = await steps[check](ctx)
        if (refused) return refused
      }
      return await handlers[ctx.operation as ServedOperation](ctx)
    } catch (error) {
      if (error instanceof Refusal) return ctx.decide.refuse(error, ctx)
      throw error
    }
  },
  // Every operation requires a key (§5). A request without one is rejected before the lookup and before the body is read.
  checks: () => ['authentication', 'lookup', 'body'],
} satisfies Partial<Decisions>
