import { authenticated, newConnection } from './context.ts'
import type { Connection } from './decisions.ts'
import { ask, status } from './testing/ask.ts'
import { type Example, order, REVOKED, showEach } from './testing/examples.ts'

const NO_KEY = { authorization: null }

const withKey =
  (change: (key: string) => string): Example['probe'] =>
  store =>
    status(store, 'GET /inventory', { authorization: `Bearer ${change(store.apiKey)}` })

showEach({
  'auth open on one endpoint only': {
    override: base => ({
      authenticate: ctx => (ctx.operation === 'listInventory' ? undefined : base.authenticate(ctx)),
    }),
    probe: async store => [
      await status(store, 'GET /inventory', NO_KEY),
      await status(store, 'GET /store/orders', NO_KEY),
    ],
    plain: [401, 401],
    changed: [200, 401],
  },
  'key compared by prefix': {
    override: () => ({ sameKey: (sent, key) => sent.startsWith(key) }),
    probe: withKey(key => `${key}x`),
    plain: 401,
    changed: 200,
  },
  'key compared by length': {
    override: () => ({ sameKey: (sent, key) => sent.length === key.length }),
    probe: withKey(key => 'x'.repeat(key.length)),
    plain: 401,
    changed: 200,
  },
  'key compared in any case': {
    override: base => ({ sameKey: (sent, key) => base.sameKey(sent.toLowerCase(), key.toLowerCase()) }),
    probe: withKey(key => key.toUpperCase()),
    plain: 401,
    changed: 200,
  },
  'the key is taken from the query': {
    override: base => ({
      credential: ctx => base.credential(ctx) ?? ctx.url.searchParams.get('api_key') ?? undefined,
    }),
    probe: store => status(store, `GET /inventory?api_key=${store.apiKey}`, NO_KEY),
    plain: 401,
    changed: 200,
  },
  'the bare key is enough': {
    override: base => ({
      credential: ctx => base.credential(ctx) ?? ctx.headers.get('authorization') ?? undefined,
    }),
    probe: store => status(store, 'GET /inventory', { authorization: store.apiKey }),
    plain: 401,
    changed: 200,
  },
  'a revoked key is still accepted': {
    override: base => ({ isKey: (sent, ctx) => base.isKey(sent, ctx) || ctx.keys.revoked.includes(sent) }),
    probe: withKey(() => REVOKED),
    plain: 401,
    changed: 200,
  },
  'a connection stays authorised after one good request': {
    override: base => {
      const good = new WeakSet<Connection>()
      return {
        authenticate: async ctx => {
          if (good.has(ctx.connection)) return
          await base.authenticate(ctx)
          good.add(ctx.connection)
        },
      }
    },
    probe: async store => {
      const connection = newConnection()
      await ask(store, 'GET /inventory', { connection })
      return [
        await status(store, 'GET /inventory', { ...NO_KEY, connection }),
        await status(store, 'GET /inventory', NO_KEY),
      ]
    },
    plain: [401, 401],
    changed: [200, 401],
  },
  'an order is looked up before the key is checked': {
    override: () => ({ checks: () => ['lookup', 'authentication', 'body'] }),
    probe: store => status(store, 'DELETE /store/orders/1', NO_KEY),
    plain: 401,
    changed: 404,
  },
  'a 401 that performs the request nevertheless': {
    override: base => ({
      operate: async ctx => {
        const answer = await base.operate(ctx)
        if (answer.status === 401) await base.operate(authenticated(ctx))
        return answer
      },
    }),
    probe: async store => {
      order(store)
      return [
        await status(store, 'DELETE /store/orders/12', NO_KEY),
        await status(store, 'DELETE /store/orders/12'),
      ]
    },
    plain: [401, 204],
    changed: [401, 409],
  },
})
