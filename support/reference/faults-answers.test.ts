import { type Answer, type Header, withHeader } from './answer.ts'
import { ask, json, status, text } from './testing/ask.ts'
import { pet, showEach } from './testing/examples.ts'

const NO_KEY = { authorization: null }

showEach({
  'a list from a stale cache': {
    override: base => {
      const kept = new Map<string, Answer | Promise<Answer>>()
      return {
        fromCache: (ctx, make) => {
          const answer = kept.get(ctx.operation) ?? base.fromCache(ctx, make)
          kept.set(ctx.operation, answer)
          return answer
        },
      }
    },
    probe: async store => {
      const petId = pet(store)
      await text(store, 'GET /inventory')
      await ask(store, `PATCH /inventory/${petId}`, { body: '{"quantity":8}' })
      return (await json(store, 'GET /inventory'))[0].quantity
    },
    plain: 8,
    changed: 3,
  },
  'a 404 without its code': {
    override: base => ({
      errorMembers: (refusal, ctx) => ({
        ...base.errorMembers(refusal, ctx),
        ...(refusal.status === 404 && { code: undefined }),
      }),
    }),
    probe: async store => Object.keys(await json(store, 'DELETE /store/orders/1')),
    plain: ['code', 'message', 'status'],
    changed: ['message', 'status'],
  },
  'errors as text/plain': {
    override: base => ({
      headers: (code, ctx) =>
        base
          .headers(code, ctx)
          .map(
            ([name, value]): Header => [name, code === 401 && name === 'Content-Type' ? 'text/plain' : value],
          ),
    }),
    probe: async store => (await ask(store, 'GET /inventory', NO_KEY)).headers.get('content-type'),
    plain: 'application/json',
    changed: 'text/plain',
  },
  'a redirect to a login page': {
    override: base => ({
      refuse: (refusal, ctx) =>
        refusal.status === 401
          ? { status: 302, headers: [['Location', '/login']] }
          : base.refuse(refusal, ctx),
    }),
    probe: store => status(store, 'GET /inventory', NO_KEY),
    plain: 401,
    changed: 302,
  },
  'a wrapped list': {
    override: base => ({ renderArray: (items, ctx) => `{"items":${base.renderArray(items, ctx)}}` }),
    probe: store => text(store, 'GET /inventory'),
    plain: '[]',
    changed: '{"items":[]}',
  },
  'a trailing comma': {
    override: base => ({ renderArray: (items, ctx) => base.renderArray([...items, ''], ctx) }),
    probe: async store => {
      pet(store)
      return (await text(store, 'GET /inventory')).slice(-3)
    },
    plain: '"}]',
    changed: '},]',
  },
  'a list in UTF-16': {
    override: () => ({ encode: value => Buffer.from(value, 'utf16le') }),
    probe: async store => (await text(store, 'GET /inventory')).length,
    plain: 2,
    changed: 4,
  },
  'lists that every cache may store': {
    override: () => ({ finish: answer => withHeader(answer, 'Cache-Control', 'public, max-age=60') }),
    probe: async store => (await ask(store, 'GET /inventory')).headers.get('cache-control'),
    plain: 'no-store',
    changed: 'public, max-age=60',
  },
})
