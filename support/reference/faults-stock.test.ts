import { JsonNumber } from './numbers.ts'
import type { ReferenceStore } from './store.ts'
import { ask, json, status } from './testing/ask.ts'
import { type Example, order, pet, showEach } from './testing/examples.ts'

const set = (store: ReferenceStore, petId: unknown, quantity: unknown) =>
  json(store, `PATCH /inventory/${petId}`, { body: JSON.stringify({ quantity }) })

const stock = async (store: ReferenceStore) =>
  (await json(store, 'GET /inventory')).map((entry: { quantity: number }) => entry.quantity)

const updated =
  (quantity: unknown): Example['probe'] =>
  async store =>
    (await set(store, pet(store), quantity)).quantity

showEach({
  'quantities are clamped': {
    override: () => ({ newQuantity: (_current, sent) => (sent > 999n ? 999n : sent) }),
    probe: updated(1000),
    plain: 1000,
    changed: 999,
  },
  'quantities wrap at 8 bits': {
    override: () => ({ newQuantity: (_current, sent) => BigInt.asUintN(8, sent) }),
    probe: updated(257),
    plain: 257,
    changed: 1,
  },
  'the count is added': {
    override: () => ({ newQuantity: (current, sent) => current + sent }),
    probe: updated(5),
    plain: 5,
    changed: 8,
  },
  'a falsy zero is refused': {
    override: base => ({
      readQuantity: (value, ctx) =>
        base.readQuantity(value instanceof JsonNumber && value.source === '0' ? undefined : value, ctx),
    }),
    probe: store => status(store, `PATCH /inventory/${pet(store)}`, { body: '{"quantity":0}' }),
    plain: 200,
    changed: 400,
  },
  'strings are coerced': {
    override: base => ({
      readQuantity: (value, ctx) =>
        typeof value === 'string' ? BigInt(value) : base.readQuantity(value, ctx),
    }),
    probe: updated('5'),
    plain: undefined,
    changed: 5,
  },
  'fractions are truncated': {
    override: () => ({ readInteger: literal => BigInt(Math.trunc(Number(literal))) }),
    probe: updated(5.9),
    plain: undefined,
    changed: 5,
  },
  'a 400 that changes the stock': {
    override: base => ({
      refuse: (refusal, ctx) => {
        if (refusal.status === 400 && ctx.found.entry) ctx.found.entry.quantity = 0n
        return base.refuse(refusal, ctx)
      },
    }),
    probe: async store => {
      await set(store, pet(store), 'many')
      return stock(store)
    },
    plain: [3],
    changed: [0],
  },
  'an unknown pet is created': {
    override: base => ({
      findEntry: (petId, ctx) => {
        if (!base.findEntry(petId, ctx)) ctx.domain.stock.set(petId, { petId, quantity: 0n })
        return base.findEntry(petId, ctx) ?? ctx.domain.stock.get(petId)
      },
    }),
    probe: store => status(store, 'PATCH /inventory/77', { body: '{"quantity":1}' }),
    plain: 404,
    changed: 200,
  },
  'the status is inverted': {
    override: base => ({
      stockStatus: (entry, ctx) => (base.stockStatus(entry, ctx) === 'sold' ? 'available' : 'sold'),
    }),
    probe: async store => (await set(store, pet(store), 0)).status,
    plain: 'sold',
    changed: 'available',
  },
  'the status sticks once a pet was sold': {
    override: base => {
      const sold = new Set<string>()
      return {
        stockStatus: (entry, ctx) => {
          if (base.stockStatus(entry, ctx) === 'sold') sold.add(entry.petId)
          return sold.has(entry.petId) ? 'sold' : 'available'
        },
      }
    },
    probe: async store => {
      const petId = pet(store)
      await set(store, petId, 0)
      return (await set(store, petId, 4)).status
    },
    plain: 'available',
    changed: 'sold',
  },
  'the status is stale in the response, right in the list': {
    override: base => {
      const before = new Map<string, string>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          before.set(entry.petId, base.stockStatus(entry, ctx))
          return base.applyQuantity(entry, quantity, ctx)
        },
        stockStatus: (entry, ctx) =>
          (ctx.operation === 'updateInventory' ? before.get(entry.petId) : undefined) ??
          base.stockStatus(entry, ctx),
      }
    },
    probe: async store => {
      const answer = await set(store, pet(store), 0)
      return [answer.status, (await json(store, 'GET /inventory'))[0].status]
    },
    plain: ['sold', 'sold'],
    changed: ['available', 'sold'],
  },
  'an update after a cancel touches the wrong pet': {
    override: base => {
      let cancelled = false
      return {
        applyCancel: (o, ctx) => {
          cancelled = true
          return base.applyCancel(o, ctx)
        },
        updatedEntries: (entry, ctx) => {
          const other = [...ctx.domain.stock.values()].find(({ petId }) => petId !== entry.petId)
          return cancelled && other ? [other] : [entry]
        },
      }
    },
    probe: async store => {
      const [one] = [pet(store), pet(store)]
      await set(store, one, 7)
      order(store)
      await ask(store, 'DELETE /store/orders/12')
      await set(store, one, 9)
      return stock(store)
    },
    plain: [9, 3],
    changed: [7, 9],
  },
  'the second update of a pet after a read is lost': {
    override: base => {
      let sinceRead = 0
      return {
        selectEntries: (entries, ctx) => {
          sinceRead = 0
          return base.selectEntries(entries, ctx)
        },
        applyQuantity: (entry, quantity, ctx) =>
          ++sinceRead === 2 ? undefined : base.applyQuantity(entry, quantity, ctx),
      }
    },
    probe: async store => {
      const petId = pet(store)
      await set(store, petId, 4)
      await set(store, petId, 5)
      return stock(store)
    },
    plain: [5],
    changed: [4],
  },
})
