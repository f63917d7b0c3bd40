import type { Answer } from './answer.ts'
import { cancel } from './cancelling.ts'
import type { CheckName, Context, Dispatching, ServedOperation } from './decisions.ts'
import { listInventory, listOrders } from './listing.ts'
import { pathUnknown, Refusal } from './refusal.ts'
import { update } from './updating.ts'

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

const lookups: Record<Context['operation'], Step | undefined> = {
  listOrders: undefined,
  listInventory: undefined,
  cancelOrder: findOrder,
  updateInventory: findEntry,
  getPet: findEntry,
  none: undefined,
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

/** An operation whose lookup was left out has nothing to act on. */
const rejectWithoutTarget = (): never => {
  throw pathUnknown()
}

const handlers: Record<ServedOperation, (ctx: Context) => Answer | Promise<Answer>> = {
  listOrders: ctx => ctx.decide.fromCache(ctx, () => listOrders(ctx)),
  listInventory: ctx => ctx.decide.fromCache(ctx, () => listInventory(ctx)),
  cancelOrder: ctx => (ctx.found.order ? cancel(ctx.found.order, ctx) : rejectWithoutTarget()),
  updateInventory: ctx => (ctx.found.entry ? update(ctx.found.entry, ctx) : rejectWithoutTarget()),
  getPet: ctx => (ctx.found.entry ? ctx.decide.answerPet(ctx.found.entry, ctx) : rejectWithoutTarget()),
}

const checkAndHandle = async (ctx: Context): Promise<Answer> => {
  for (const check of ctx.decide.checks(ctx)) {
    const refused = await steps[check](ctx)
    if (refused) return refused
  }
  return ctx.operation === 'none' ? rejectWithoutTarget() : handlers[ctx.operation](ctx)
}

export const dispatching: Dispatching = {
  operate: async ctx => {
    try {
      return await checkAndHandle(ctx)
    } catch (error) {
      if (error instanceof Refusal) return ctx.decide.refuse(error, ctx)
      throw error
    }
  },
  // Every operation requires a key (§5). A request without one is rejected before the lookup and before the body is read.
  checks: () => ['authentication', 'lookup', 'body'],
  pause: () => undefined,
}
