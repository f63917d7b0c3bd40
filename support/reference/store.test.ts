import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from './http.ts'
import { type ReferenceStore, referenceStore, type StoreOptions } from './store.ts'

// What the interface determines is judged by the suite itself.

const bare = (options: StoreOptions = {}) => referenceStore({ demo: false, ...options })

async function send(store: ReferenceStore, path: string, given: RequestInit = {}) {
  const headers = { authorization: `Bearer ${store.apiKey}`, ...given.headers }
  const response = await store.fetch(new Request(`http://store.test${path}`, { ...given, headers }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const post = (store: ReferenceStore, body: unknown) =>
  send(store, '/provider-states', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const setup = (state: string, params?: unknown) => ({ state, params, action: 'setup' })

it.each(['9007199254740993', '"9007199254740993"'])(
  'the id %s of a provider state is arranged exactly, as a string, and once',
  async id => {
    const store = bare()
    const exact = id.replaceAll('"', '')
    const reply = await post(store, `{"state": "pending order with id", "params": {"id": ${id}}}`)
    expect(reply.text).toBe(`{"orderIds":["${exact}"]}`)
    expect([...store.domain.orders.keys()]).toEqual([BigInt(exact)])
    expect((await post(store, setup('pending order with id', { id: exact }))).status).toBe(409)
  },
)

it.each([
  ['a state of Object.prototype', setup('constructor'), 'pending orders'],
  ['an unknown parameter', setup('pets', { count: 1, colour: 'red' }), 'colour'],
  ['too many', setup('pets', { count: 1001 }), '1000'],
  ['an id that is missing', setup('pending order with id'), 'id'],
  ['params that are a list', setup('pets', [1]), 'params'],
  ['an unknown action', { state: 'pets', action: 'undo' }, 'action'],
])('%s in a provider state: 400 with an explanation, and nothing is arranged', async (_title, body, word) => {
  const store = bare()
  const { status, text } = await post(store, body)
  expect([status, JSON.parse(text)]).toMatchObject([400, { status, message: expect.stringContaining(word) }])
  expect(store.domain.orders.size + store.domain.stock.size).toBe(0)
})

it.each([
  ['GET', '/provider-states', 405, 'POST'],
  ['DELETE', '/v1/store/orders/a-key', 404, null],
])('%s %s: %i, Allow: %s, and no path, which may contain a key', async (method, path, ...refusal) => {
  const { status, headers, text } = await send(bare(), path, { method })
  expect([status, headers.get('allow')]).toEqual(refusal)
  expect(text).not.toContain('a-key')
})

it('an internal error is answered with 500, without details', async () => {
  const errors: unknown[] = []
  const selectEntries = () => {
    throw new Error('at secret.ts:12')
  }
  const store = bare({ overrides: [() => ({ selectEntries })], onError: error => errors.push(error) })
  const { status, headers, text } = await send(store, '/v1/inventory')
  expect([status, headers.get('cache-control'), errors.length]).toEqual([500, 'no-store', 1])
  expect(text).not.toContain('secret')
})

it('the same seed gives the same demo data', async () => {
  const [one, same, other] = [7, 7, 8].map(seed => send(referenceStore({ seed }), '/v1/store/orders'))
  expect((await one)?.text).toBe((await same)?.text)
  expect((await one)?.text).not.toBe((await other)?.text)
})

it.each([
  ['::', '127.0.0.1'],
  ['::1', '[::1]'],
])('a store that listens on %s is reached at %s', async (host, name) => {
  const { baseUrl, close } = await serve(bare(), { host })
  onTestFinished(close)
  expect(baseUrl).toMatch(`http://${name}:`)
  expect((await fetch(`${baseUrl}/inventory`)).status).toBe(401)
})

it('a served store closes at once, even with idle connections and pending answers', async () => {
  let pending = 0
  const finish = () => new Promise<never>(() => (pending += 1))
  const served = await serve(bare({ overrides: [() => ({ finish })] }))
  const waiting = fetch(`${served.baseUrl}/inventory`).catch(error => error.cause.code)
  const idle = connect(Number(new URL(served.baseUrl).port), '127.0.0.1')
  await once(idle, 'connect')
  await expect.poll(() => pending).toBe(1)
  await Promise.all([served.close(), once(idle, 'close')])
  expect(await waiting).toBe('UND_ERR_SOCKET')
})
