import type { Answer, AnswerHeader } from './answer.ts'
import type { Context, Decisions } from './decisions.ts'
import type { Entry } from './domain.ts'

export const jsonAnswer = (status: number, json: string, headers: readonly AnswerHeader[] = []): Answer => ({
  status,
  headers: [['Content-Type', 'application/json'], ['Cache-Control', 'no-store'], ...headers],
  body: Buffer.from(json),
})

export const entryAnswer = (entry: Entry, ctx: Context, headers?: readonly AnswerHeader[]): Answer =>
  jsonAnswer(200, ctx.decide.renderObject(ctx.decide.entryMembers(entry, ctx), ctx), headers)

export const answering = {
  // The Error shape is stated for 401 and 404 (§7); the others have it too, because clients handle one shape more easily.
  refuse: (refusal, ctx) =>
    jsonAnswer(
      refusal.status,
      ctx.decide.renderObject(ctx.decide.errorMembers(refusal, ctx), ctx),
      refusal.headers,
    ),
  finish: answer => answer,
  deliver: (answer, wire) => wire.send(answer),
} satisfies Partial<Decisions>

export const rendering = {
  // An order in a response has no status (§2).
  orderMembers: (order, ctx) => ({
    id: String(order.id),
    petId: String(order.petId),
    quantity: String(order.quantity),
    shipDate: JSON.stringify(ctx.decide.renderDate(order.shipDate, ctx)),
    complete: String(order.complete),
  }),
  entryMembers: (entry, ctx) => ({
    petId: entry.petId,
    quantity: String(entry.quantity),
    status: JSON.stringify(ctx.decide.stockStatus(entry, ctx)),
  }),
  errorMembers: ({ code, message, status }) => ({
    code: JSON.stringify(code),
    message: JSON.stringify(message),
    status: String(status),
  }),
  stockStatus: ({ quantity }) => (quantity > 0n ? 'available' : 'sold'),
  renderDate: date => date.toISOString(),
  renderObject: members => {
    const written: string[] = []
    for (const name in members) {
      const value = members[name]
      if (value !== undefined) written.push(`${JSON.stringify(name)}:${value}`)
    }
    return `{${written.join(',')}}`
  },
} satisfies Partial<Decisions>
