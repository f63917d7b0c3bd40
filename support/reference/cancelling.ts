import { type Answer, emptyAnswer } from './answer.ts'
import type { Context, Decisions } from './decisions.ts'
import type { Order } from './domain.ts'
import { readInt64 } from './domain.ts'
import { orderCancelled, orderShipped, orderUnknown } from './refusal.ts'

export const cancel = async (order: Order, ctx: Context): Promise<Answer> => {
  const met = ctx.decide.judgeCancel(order, ctx)
  if (met === 'pending') await ctx.decide.applyCancel(order, ctx)
  return ctx.decide.answerCancel(met, ctx)
}

export const cancelling = {
  readOrderId: readInt64,
  findOrder: (id, { domain }) => domain.orders.get(id),
  judgeCancel: order => order.state,
  applyCancel: order => {
    order.state = 'cancelled'
  },
  answerCancel: (met, ctx) => {
    const id = ctx.found.orderId
    switch (met) {
      case 'pending':
        return emptyAnswer(204)
      case 'shipped':
        return ctx.decide.refuse(orderShipped(id), ctx)
      case 'cancelled':
        // The status is not shown. It is 409, because the order still exists and is listed (§4.1).
        return ctx.decide.refuse(orderCancelled(id), ctx)
      case 'unknown':
        return ctx.decide.refuse(orderUnknown(id), ctx)
    }
  },
} satisfies Partial<Decisions>
