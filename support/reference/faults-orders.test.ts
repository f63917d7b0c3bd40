import { ask, json, status, text } from './testing/ask.ts'
import { order, shipped, showEach } from './testing/examples.ts'

showEach({
  'a race between check and act': {
    override: () => ({ pause: () => new Promise(resolve => setTimeout(resolve, 5)) }),
    probe: async store => {
      order(store)
      const all = await Promise.all([1, 2, 3].map(() => status(store, 'DELETE /store/orders/12')))
      return all.sort()
    },
    plain: [204, 409, 409],
    changed: [204, 204, 204],
  },
  'a shipped order is cancelled': {
    override: () => ({ judgeCancel: () => 'pending' }),
    probe: store => status(store, `DELETE /store/orders/${shipped(store)}`),
    plain: 409,
    changed: 204,
  },
  'a 409 that changes the order': {
    override: base => ({
      answerCancel: (met, ctx) => {
        if (met === 'shipped' && ctx.found.order) ctx.found.order.complete = false
        return base.answerCancel(met, ctx)
      },
    }),
    probe: async store => {
      await ask(store, `DELETE /store/orders/${shipped(store)}`)
      return (await json(store, 'GET /store/orders'))[0].complete
    },
    plain: true,
    changed: false,
  },
  'ids in a path are rounded to a double': {
    override: base => ({
      readOrderId: (path, ctx) => {
        const id = base.readOrderId(path, ctx)
        return id === undefined ? undefined : BigInt(Number(id))
      },
    }),
    probe: store => {
      order(store, '9007199254740992')
      return status(store, 'DELETE /store/orders/9007199254740993')
    },
    plain: 404,
    changed: 204,
  },
  'ids in a path are cut to 32 bits': {
    override: base => ({ readOrderId: (path, ctx) => BigInt.asIntN(32, base.readOrderId(path, ctx) ?? 0n) }),
    probe: store => {
      order(store, '1')
      return status(store, 'DELETE /store/orders/4294967297')
    },
    plain: 404,
    changed: 204,
  },
  'only the digits at the beginning of a path are read': {
    override: () => ({ readOrderId: path => BigInt(Number.parseInt(path, 10) || 0) }),
    probe: store => {
      order(store)
      return status(store, 'DELETE /store/orders/12abc')
    },
    plain: 404,
    changed: 204,
  },
  'ids in a list are rounded to a double': {
    override: base => ({
      renderNumber: (decimal, place, ctx) => base.renderNumber(String(Number(decimal)), place, ctx),
    }),
    probe: async store => {
      order(store, '9007199254740993')
      return (await text(store, 'GET /store/orders')).slice(0, 23)
    },
    plain: '[{"id":9007199254740993',
    changed: '[{"id":9007199254740992',
  },
  'ids are strings': {
    override: base => ({ orderMembers: (o, ctx) => ({ ...base.orderMembers(o, ctx), id: `"${o.id}"` }) }),
    probe: async store => {
      order(store)
      return (await json(store, 'GET /store/orders'))[0].id
    },
    plain: 12,
    changed: '12',
  },
  'pages of 20': {
    override: () => ({ selectOrders: all => all.slice(0, 20) }),
    probe: async store => {
      store.states.setup('pending orders', { count: 21 })
      return (await json(store, 'GET /store/orders')).length
    },
    plain: 21,
    changed: 20,
  },
  'shipped orders are hidden': {
    override: () => ({ listsOrder: ({ state }) => state !== 'shipped' }),
    probe: async store => {
      shipped(store)
      return (await json(store, 'GET /store/orders')).length
    },
    plain: 1,
    changed: 0,
  },
  'one bad entry among many': {
    override: base => ({
      orderMembers: (o, ctx) => ({
        ...base.orderMembers(o, ctx),
        ...(o.id === 10017n && { complete: 'null' }),
      }),
    }),
    probe: async store => {
      store.states.setup('pending orders', { count: 30 })
      return (await json(store, 'GET /store/orders')).filter(
        (o: { complete: unknown }) => o.complete !== false,
      ).length
    },
    plain: 0,
    changed: 1,
  },
})
