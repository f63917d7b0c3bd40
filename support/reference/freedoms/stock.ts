import { setTimeout as sleep } from 'node:timers/promises'
import {
  addEntry,
  answersChanged,
  type Decisions,
  entryOf,
  type Freedom,
  isObject,
  leavingOpen,
  type Override,
  oneOf,
  Refusal,
  type RequestContext,
  readInt64,
  refusedIf,
  resultChanged,
} from '../index.ts'

const bodyChanged = (change: (body: Record<string, unknown>, ctx: RequestContext) => void): Override =>
  resultChanged('parseBody', (body, _, ctx) => {
    if (isObject(body)) change(body, ctx)
    return body
  })

const labelledBelow0 = (label: string): Override =>
  resultChanged('stockStatus', (status, { quantity }) => (quantity < 0n ? label : status))

/** Orders in turn for existing pets, and for pets that are arranged after them. A cancellation returns the quantity to the stock. */
const returning = (base: Decisions, laterMs?: number): Pick<Decisions, 'petToOrder' | 'applyCancel'> => {
  let pets = 0
  return {
    petToOrder(n, domain) {
      const next = readInt64(base.newPetId(1 + (pets++ % 120)))
      return n % 2 === 0 && next !== undefined ? next : base.petToOrder(n, domain)
    },
    applyCancel: async (order, ctx) => {
      await base.applyCancel(order, ctx)
      const add = () => {
        const entry = base.findEntry(`${order.petId}`, ctx)
        if (entry) entry.quantity += order.quantity
      }
      if (laterMs === undefined) add()
      else setTimeout(add, laterMs)
    },
  }
}

/** Pets, quantities and updates. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('pet-ids', '§2: the format of petId is not shown', {
    'pet-ids-fractions': () => ({ newPetId: n => (n % 2 === 0 ? `${n - 1}.5` : String(n)) }),
    'pet-ids-exponents': () => ({ newPetId: n => `${n}1e3` }),
    'pet-ids-small': () => ({ newPetId: n => `0.000${n}1` }),
    'pet-ids-negative': () => ({ newPetId: n => String(-n) }),
    'pet-ids-beyond-int64': () => ({ newPetId: n => `1234567890123456789${n}012345` }),
    'pet-ids-from-0': () => ({ newPetId: n => String(n - 1) }),
    // A petId that is negative or has more than ten digits is answered 400.
    'pet-id-range-400': refusedIf(
      'readPetId',
      (text, ctx) => /^(-[0-9]+|[0-9]{11,})$/.test(text) && !ctx.decide.findEntry(text, ctx),
    ),
  }),
  ...oneOf('negative', '§2: which further values status has is not shown, nor the range of quantity', {
    'negative-accepted': base => ({ checkQuantity: () => {}, ...labelledBelow0('awaited')(base) }),
    'negative-in-stock': base => ({
      open: domain => {
        base.open(domain)
        addEntry(domain, { petId: '-77', quantity: -3n })
      },
      ...labelledBelow0('owed')(base),
    }),
  }),
  ...oneOf('highest', '§4.4: the range of quantity is not shown', {
    'above-1000-refused': refusedIf('checkQuantity', quantity => quantity > 1000n),
    'quantity-of-any-size': base => ({
      readInteger: (literal, ctx) =>
        /^[0-9]{19,400}$/.test(literal) ? BigInt(literal) : base.readInteger(literal, ctx),
    }),
  }),
  ...leavingOpen('§4.4: how a body is written, when it is looked at, and what it must hold, are not shown', {
    'point-zero-accepted': base => ({
      readInteger: (literal, ctx) => base.readInteger(literal.replace(/\.0+$|e0$/, ''), ctx),
    }),
    // A body with unusual white space, escapes or a byte order mark is answered 400, although most programs write spaces.
    'plain-json-only': refusedIf('parseBody', bytes =>
      /^\uFEFF|^\s|[\t\r\\]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
    ),
    'missing-changes-nothing': base => ({
      readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
    }),
    'no-body-changes-nothing': base => ({
      readUpdate: (bytes, ctx) => (bytes.length === 0 ? undefined : base.readUpdate(bytes, ctx)),
    }),
    'long-body-413': refusedIf('readUpdate', bytes => bytes.length > 4_096, 413),
    'length-required-411': refusedIf(
      'readUpdate',
      (bytes, { headers }) => bytes.length === 0 && !headers.has('content-length'),
      411,
    ),
    'body-before-pet': answersChanged({ operation: 'updateInventory', status: 404 }, async (answer, ctx) => {
      ctx.decide.readUpdate(await ctx.body(), ctx)
      return answer
    }),
    // The updated entry is read a moment after the update, and shows a simultaneous one.
    'updated-entry-read-again': resultChanged('applyQuantity', async applied => {
      await applied
      await sleep(4)
    }),
  }),
  ...oneOf('further', '§4.4: what a body may hold beside quantity is not shown', {
    'further-members-refused': bodyChanged(body => {
      if (Object.keys(body).some(name => name !== 'quantity')) throw new Refusal(400)
    }),
  }),
  ...oneOf('type-sent', '§4.4: the response to another Content-Type is not shown', {
    'type-to-the-letter': refusedIf(
      'checkContent',
      ({ headers }) => headers.get('content-type') !== 'application/json',
      415,
    ),
    'type-ignored': () => ({ checkContent: () => {} }),
  }),
  ...oneOf('stock-of-orders', '§3: further effects of an order and its cancellation are not shown', {
    // A cancellation adds its quantity to the stock, and arranged orders are for arranged pets.
    'stock-comes-back': base => returning(base),
    // An order takes its quantity from the stock, or what is left, and a cancellation returns it.
    'stock-reserved': base => ({
      ...returning(base),
      placeOrder: (order, domain) => {
        const entry = entryOf(domain, order.petId)
        if (entry) entry.quantity -= entry.quantity < order.quantity ? entry.quantity : order.quantity
        return base.placeOrder(order, domain)
      },
    }),
  }),
  // In the same process, no time passes between the requests of a schedule.
  ...oneOf('stock-of-orders', '§3: when a cancellation returns units to the stock is not shown', {
    'stock-comes-back-later': base => returning(base, 300),
  }).map(each => ({ ...each, needsSocket: true })),
]
