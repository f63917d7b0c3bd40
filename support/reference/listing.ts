import type { Answer, AnswerHeader } from './answer.ts'
import { entryAnswer, jsonAnswer } from './answering.ts'
import type { Context, Decisions } from './decisions.ts'
import type { Entry } from './domain.ts'

/** Deprecation (RFC 9745) and Sunset (RFC 8594). The document shows no date (§9), so these are arbitrary. */
const DEPRECATION: readonly AnswerHeader[] = [
  ['Deprecation', `@${Date.UTC(2026, 0, 1) / 1000}`],
  ['Sunset', new Date(Date.UTC(2030, 11, 31, 23, 59, 59)).toUTCString()],
  ['Link', '</v1/inventory>; rel="successor-version"'],
]

const jsonList = (items: readonly string[]): Answer => jsonAnswer(200, `[${items.join(',')}]`)

export const listOrders = (ctx: Context): Answer => {
  const { decide, domain } = ctx
  const orders = decide.selectOrders([...domain.orders.values()], ctx)
  return jsonList(orders.map(order => decide.renderObject(decide.orderMembers(order, ctx), ctx)))
}

export const listInventory = (ctx: Context): Answer => {
  const { decide, domain } = ctx
  const entries = decide.selectEntries([...domain.stock.values()], ctx)
  return jsonList(entries.map(entry => decide.renderObject(decide.entryMembers(entry, ctx), ctx)))
}

/** `GET /pets/{petId}`, whose shape is not shown. */
export const answerPet = (entry: Entry, ctx: Context): Answer => entryAnswer(entry, ctx, DEPRECATION)

export const listing = {
  // Every order is listed (§4.1, §8), even a cancelled one.
  selectOrders: orders => orders,
  selectEntries: entries => entries,
  fromCache: (_ctx, make) => make(),
} satisfies Partial<Decisions>
