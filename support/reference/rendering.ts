import type { Rendering } from './decisions.ts'

export const rendering: Rendering = {
  // An order in a response has no status (§2).
  orderMembers: (order, ctx) => ({
    id: ctx.decide.renderNumber(`${order.id}`, 'order.id', ctx),
    petId: ctx.decide.renderNumber(`${order.petId}`, 'order.petId', ctx),
    quantity: ctx.decide.renderNumber(`${order.quantity}`, 'order.quantity', ctx),
    shipDate: JSON.stringify(ctx.decide.renderDate(order.shipDate, ctx)),
    complete: String(order.complete),
  }),
  entryMembers: (entry, ctx) => ({
    petId: ctx.decide.renderNumber(entry.petId, 'entry.petId', ctx),
    quantity: ctx.decide.renderNumber(`${entry.quantity}`, 'entry.quantity', ctx),
    status: JSON.stringify(ctx.decide.stockStatus(entry, ctx)),
  }),
  errorMembers: ({ code, message, status }) => ({
    code: JSON.stringify(code),
    message: JSON.stringify(message),
    status: String(status),
  }),
  stockStatus: ({ quantity }) => (quantity > 0n ? 'available' : 'sold'),
  renderNumber: decimal => decimal,
  renderDate: date => date.toISOString(),
  renderObject: members => {
    const written: string[] = []
    for (const name in members) {
      const value = members[name]
      if (value !== undefined) written.push(`${JSON.stringify(name)}:${value}`)
    }
    return `{${written.join(',')}}`
  },
  renderArray: items => `[${items.join(',')}]`,
  encode: json => Buffer.from(json),
}
