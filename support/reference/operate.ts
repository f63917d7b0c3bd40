import { type Answer, jsonAnswer, withHeader } from './answer.ts'
import type { RequestContext, ServedOperation } from './decisions.ts'
import type { Entry } from './domain.ts'

const list = (items: readonly string[]): Answer => jsonAnswer(200, `[${items.join(',')}]`)

const lookUpPet = (ctx: RequestContext): Entry | undefined => {
  const { decide, found, segment } = ctx
  const petId = decide.readPetId(segment, ctx)
  found.entry = petId === undefined ? undefined : decide.findEntry(petId, ctx)
  return found.entry
}

const handlers: Record<ServedOperation, (ctx: RequestContext) => Answer | Promise<Answer>> = {
  listOrders(ctx) {
    const orders = ctx.decide.selectOrders([...ctx.domain.orders.values()], ctx)
    return list(orders.map(order => ctx.decide.renderObject(ctx.decide.orderMembers(order, ctx), ctx)))
  },
  listInventory(ctx) {
    const entries = ctx.decide.selectEntries([...ctx.domain.stock.values()], ctx)
    return list(entries.map(entry => ctx.decide.renderObject(ctx.decide.entryMembers(entry, ctx), ctx)))
  },
  async cancelOrder(ctx) {
    const { decide, found } = ctx
    found.orderId = decide.readOrderId(ctx.segment, ctx)
    found.order = found.orderId === undefined ? undefined : decide.findOrder(found.orderId, ctx)
    if (!found.order) return decide.answerCancel('unknown', ctx)
    const met = decide.judgeCancel(found.order, ctx)
    if (met === 'pending') await decide.applyCancel(found.order, ctx)
    return decide.answerCancel(met, ctx)
  },
  async updateInventory(ctx) {
    const entry = lookUpPet(ctx)
    if (!entry) return ctx.decide.answerUpdate(undefined, ctx)
    const quantity = ctx.decide.readUpdate(await ctx.body(), ctx)
    ctx.found.quantity = quantity
    // Without a wait, so that the response shows this update and not a simultaneous one.
    const applied = quantity === undefined ? undefined : ctx.decide.applyQuantity(entry, quantity, ctx)
    if (applied) await applied
    return ctx.decide.answerUpdate(entry, ctx)
  },
  // Deprecation (RFC 9745) and Sunset (RFC 8594). The document shows no dates (§9), so these are arbitrary.
  getPet(ctx) {
    const deprecated = withHeader(ctx.decide.answerUpdate(lookUpPet(ctx), ctx), 'Deprecation', '@1767225600')
    return withHeader(deprecated, 'Sunset', 'Tue, 31 Dec 2030 23:59:59 GMT')
  },
}

/** The decision `operate` of a store that conforms to the interface: a request without a key is refused before anything is looked at (§5). */
export const operate = async (ctx: RequestContext): Promise<Answer> => {
  await ctx.decide.authenticate(ctx)
  return handlers[ctx.operation as ServedOperation](ctx)
}
