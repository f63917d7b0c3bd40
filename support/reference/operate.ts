import { type Answer, jsonAnswer, Refusal, withHeader } from './answer.ts'
import type { CheckName, Context, ServedOperation } from './decisions.ts'
import type { Entry, Order } from './domain.ts'

type Step = (ctx: Context) => Answer | undefined | Promise<Answer | undefined>

const lookUpOrder: Step = ctx => {
  const { decide, found } = ctx
  found.orderId = decide.readOrderId(ctx.segment, ctx)
  if (found.orderId !== undefined) found.order = decide.findOrder(found.orderId, ctx)
  return found.order ? undefined : decide.answerCancel('unknown', ctx)
}

const lookUpPet: Step = ctx => {
  const { decide, found } = ctx
  const petId = decide.readPetId(ctx.segment, ctx)
  if (petId !== undefined) found.entry = decide.findEntry(petId, ctx)
  return found.entry ? undefined : decide.answerUpdate(undefined, ctx)
}

const lookups: Partial<Record<Context['operation'], Step>> = {
  cancelOrder: lookUpOrder,
  updateInventory: lookUpPet,
  getPet: lookUpPet,
}

/** Each returns the answer that rejects the request, or throws its `Refusal`. */
const checks: Record<CheckName, Step> = {
  authentication: async ctx => void (await ctx.decide.authenticate(ctx)),
  lookup: ctx => lookups[ctx.operation]?.(ctx),
  body: async ctx => {
    if (ctx.operation === 'updateInventory') ctx.found.quantity = ctx.decide.readUpdate(await ctx.body(), ctx)
    return undefined
  },
}

const list = (items: readonly string[]): Answer => jsonAnswer(200, `[${items.join(',')}]`)

const handlers: Record<ServedOperation, (ctx: Context) => Answer | Promise<Answer>> = {
  listOrders: ctx =>
    ctx.decide.fromCache(ctx, () => {
      const orders = ctx.decide.selectOrders([...ctx.domain.orders.values()], ctx)
      return list(orders.map(order => ctx.decide.renderObject(ctx.decide.orderMembers(order, ctx), ctx)))
    }),
  listInventory: ctx =>
    ctx.decide.fromCache(ctx, () => {
      const entries = ctx.decide.selectEntries([...ctx.domain.stock.values()], ctx)
      return list(entries.map(entry => ctx.decide.renderObject(ctx.decide.entryMembers(entry, ctx), ctx)))
    }),
  async cancelOrder(ctx) {
    const order = ctx.found.order as Order
    const met = ctx.decide.judgeCancel(order, ctx)
    if (met === 'pending') await ctx.decide.applyCancel(order, ctx)
    return ctx.decide.answerCancel(met, ctx)
  },
  // Reads and writes without a wait in between. The last of several simultaneous updates determines the quantity.
  async updateInventory(ctx) {
    const entry = ctx.found.entry as Entry
    if (ctx.found.quantity !== undefined) {
      const quantity = ctx.decide.newQuantity(entry.quantity, ctx.found.quantity, ctx)
      const applied = ctx.decide.applyQuantity(entry, quantity, ctx)
      if (applied) await applied
    }
    return ctx.decide.answerUpdate(entry, ctx)
  },
  // Deprecation (RFC 9745) and Sunset (RFC 8594). The document shows no dates (§9), so these are arbitrary.
  getPet(ctx) {
    const deprecated = withHeader(ctx.decide.answerUpdate(ctx.found.entry, ctx), 'Deprecation', '@1767225600')
    return withHeader(deprecated, 'Sunset', 'Tue, 31 Dec 2030 23:59:59 GMT')
  },
}

/** The decision `operate` of a store that conforms to the interface. */
export const operate = async (ctx: Context): Promise<Answer> => {
  try {
    for (const check of ctx.decide.checks(ctx)) {
      const refused = await checks[check](ctx)
      if (refused) return refused
    }
    return await handlers[ctx.operation as ServedOperation](ctx)
  } catch (error) {
    if (error instanceof Refusal) return ctx.decide.refuse(error, ctx)
    throw error
  }
}
