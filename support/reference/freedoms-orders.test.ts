import { emptyAnswer } from './answer.ts'
import { addOrder } from './domain.ts'
import { Refusal } from './refusal.ts'
import { ask, json, status, text } from './testing/ask.ts'
import { order, shipped, showEach } from './testing/examples.ts'

showEach({
  'a cancelled order is no longer listed (§4.1)': {
    override: () => ({ listsOrder: ({ state }) => state !== 'cancelled' }),
    probe: async store => {
      order(store)
      await ask(store, 'DELETE /store/orders/12')
      return (await json(store, 'GET /store/orders')).length
    },
    plain: 1,
    changed: 0,
  },
  'the second cancel is a 404 (§3)': {
    override: base => ({
      answerCancel: (met, ctx) => base.answerCancel(met === 'cancelled' ? 'unknown' : met, ctx),
    }),
    probe: async store => {
      order(store)
      return [await status(store, 'DELETE /store/orders/12'), await status(store, 'DELETE /store/orders/12')]
    },
    plain: [204, 409],
    changed: [204, 404],
  },
  'a 409 without a body (§7)': {
    override: base => ({
      refuse: (refusal, ctx) => (refusal.status === 409 ? emptyAnswer(409) : base.refuse(refusal, ctx)),
    }),
    probe: async store => (await text(store, `DELETE /store/orders/${shipped(store)}`)).length > 0,
    plain: true,
    changed: false,
  },
  'no field of Order is required (§2)': {
    override: base => ({
      orderMembers: (o, ctx) => ({ ...base.orderMembers(o, ctx), shipDate: undefined, petId: undefined }),
    }),
    probe: async store => {
      order(store)
      return Object.keys((await json(store, 'GET /store/orders'))[0])
    },
    plain: ['id', 'petId', 'quantity', 'shipDate', 'complete'],
    changed: ['id', 'quantity', 'complete'],
  },
  'a date with an offset (§2)': {
    override: () => ({ renderDate: date => date.toISOString().replace('.000Z', '+00:00') }),
    probe: async store => {
      order(store)
      return (await json(store, 'GET /store/orders'))[0].shipDate
    },
    plain: '2026-11-02T12:00:00.000Z',
    changed: '2026-11-02T12:00:00+00:00',
  },
  'a query is refused (§8)': {
    override: base => ({
      selectOrders: (all, ctx) => {
        if (ctx.url.search) throw new Refusal({ status: 400, code: 'no_query', message: 'No query.' })
        return base.selectOrders(all, ctx)
      },
    }),
    probe: async store => [
      await status(store, 'GET /store/orders'),
      await status(store, 'GET /store/orders?limit=1'),
    ],
    plain: [200, 200],
    changed: [200, 400],
  },
  'there is an order with the id 0 (§2)': {
    override: () => ({
      open: domain => {
        const otherOrder = { petId: 1n, quantity: 1n, shipDate: new Date(0), complete: false }
        addOrder(domain, { ...otherOrder, id: 0n, state: 'pending' })
      },
    }),
    probe: store => status(store, 'DELETE /store/orders/0'),
    plain: 404,
    changed: 204,
  },
  'ids are negative (§2)': {
    override: () => ({ newOrderId: n => -BigInt(n) }),
    probe: async store => {
      const [id] = store.states.setup('pending orders').orderIds ?? []
      return [id, await status(store, `DELETE /store/orders/${id}`)]
    },
    plain: [10001, 204],
    changed: [-1, 204],
  },
  'a cancellation adds its quantity to the stock (§3)': {
    override: base => ({
      applyCancel: async (o, ctx) => {
        await base.applyCancel(o, ctx)
        const entry = base.findEntry(`${o.petId}`, ctx)
        if (entry) entry.quantity += o.quantity
      },
    }),
    probe: async store => {
      store.domain.stock.set('2e3', { petId: '2000', quantity: 1n })
      order(store)
      await ask(store, 'DELETE /store/orders/12')
      return (await json(store, 'GET /inventory'))[0].quantity
    },
    plain: 1,
    changed: 2,
  },
})
