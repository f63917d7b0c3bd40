import { expect, it, onTestFinished } from 'vitest'
import { serve } from './http.ts'
import { type ReferenceStore, referenceStore, type StoreOptions } from './store.ts'

// What the interface determines is judged by the suite itself.

const bare = (options: StoreOptions = {}) => referenceStore({ demo: false, ...options })

async function post(store: ReferenceStore, body: unknown) {
  const headers = { authorization: `Bearer ${store.apiKey}`, 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await store.fetch(new Request('http://store.test/provider-states', sent))
  return { status: response.status, text: await response.text() }
}

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
])('%s in a provider state: 400 with an explanation, and nothing is arranged', async (_title, body, word) => {
  const store = bare()
  const { status, text } = await post(store, body)
  expect([status, JSON.parse(text)]).toMatchObject([400, { status, message: expect.stringContaining(word) }])
  expect(store.domain.orders.size + store.domain.stock.size).toBe(0)
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
