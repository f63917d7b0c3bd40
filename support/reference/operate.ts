import { type Answer, jsonAnswer, withHeader } from './answer.ts'
import type { CheckName, Context, ServedOperation } from './decisions.ts'
import type { Entry, Order } from './domain.ts'

/** An answer that rejects the request, which a decision may also do by throwing a `Refusal`. */
type Rejection = Answer | undefined

const lookUpOrder = (ctx: Context): Rejection => {
  const { decide, found, segment } = ctx
  found.orderId = decide.readOrderId(segment, ctx)
  if (found.orderId !== undefined) found.order = decide.findOrder(found.orderId, ctx)
  return found.order ? undefined : decide.answerCancel('unknown', ctx)
}

const lookUpPet = (ctx: Context): Rejection => {
  const { decide, found, segment } = ctx
  const petId = decide.readPetId(segment, ctx)
  if (petId !== undefined) found.entry = decide.findEntry(petId, ctx)
  return found.entry ? undefined : decide.answerUpdate(undefined, ctx)
}

const checks: Record<CheckName, (ctx: Context) => Rejection | Promise<Rejection>> = {
  authentication: async ctx => void (await ctx.decide.authenticate(ctx)),
  lookup(ctx) {
    if (ctx.operation === 'cancelOrder') return lookUpOrder(ctx)
    return /^(updateInventory|getPet)$/.test(ctx.operation) ? lookUpPet(ctx) : undefined
  },
  async body(ctx) {
    if (ctx.operation === 'updateInventory') ctx.found.quantity = ctx.decide.readUpdate(await ctx.body(), ctx)
    return undefined
  },
}

const list = (items: readonly string[]): Answer => jsonAnswer(200, `[${items.join(',')}]`)

const handlers: Record<ServedOperation, (ctx: Context) => Answer | Promise<Answer>> = {
  listOrders(ctx) {
    const orders = ctx.decide.selectOrders([...ctx.domain.orders.values()], ctx)
    return list(orders.map(order => ctx.decide.renderObject(ctx.decide.orderMembers(order, ctx), ctx)))
  },
  listInventory(ctx) {
    const entries = ctx.decide.selectEntries([...ctx.domain.stock.values()], ctx)
    return list(entries.map(entry => ctx.decide.renderObject(ctx.decide.entryMembers(entry, ctx), ctx)))
  },
  async cancelOrder(ctx) {
    const order = ctx.found.order as Order
    const met = ctx.decide.judgeCancel(order, ctx)
    if (met === 'pending') await ctx.decide.applyCancel(order, ctx)
    return ctx.decide.answerCancel(met, ctx)
  },
  async updateInventory(ctx) {
    const { entry, quantity } = ctx.found
    if (quantity !== undefined) await ctx.decide.applyQuantity(entry as Entry, quantity, ctx)
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
  for (const check of ctx.decide.checks(ctx)) {
    const rejected = await checks[check](ctx)
    if (rejected) return rejected
  }
  return handlers[ctx.operation as ServedOperation](ctx)
}
