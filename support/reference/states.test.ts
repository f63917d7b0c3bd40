import { describe, expect, it } from 'vitest'
import { type ReferenceStore, referenceStore } from './store.ts'

const bare = (statesToken?: string) => referenceStore({ demo: false, ...(statesToken && { statesToken }) })

const post = async (store: ReferenceStore, body: unknown, headers: Record<string, string> = {}) => {
  const response = await store.fetch(
    new Request('http://store.test/provider-states', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
  return { status: response.status, text: await response.text() }
}

const setup = (state: string, params?: unknown) => ({ state, params, action: 'setup' })

describe('POST /provider-states', () => {
  it.each(['9007199254740993', '"9007199254740993"', '9007199254740992'])(
    'arranges the id %s exactly, as a string',
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
    ['an unknown state', setup('hungry pets'), 'pending orders'],
    ['a state of Object.prototype', setup('constructor'), 'pending orders'],
    ['an unknown parameter', setup('pets', { count: 1, colour: 'red' }), 'colour'],
    ['too many', setup('pets', { count: 1001 }), '1000'],
    ['an id that is missing', setup('pending order with id'), 'id'],
    ['params that are a list', setup('pets', [1]), 'params'],
    ['an unknown action', { state: 'pets', action: 'undo' }, 'action'],
  ])('%s: 400 with an explanation, and nothing is arranged', async (_title, body, word) => {
    const store = bare()
    const reply = await post(store, body)
    expect([reply.status, JSON.parse(reply.text).status]).toEqual([400, 400])
    expect(JSON.parse(reply.text).message).toContain(word)
    expect(store.domain.orders.size + store.domain.stock.size).toBe(0)
  })

  it('accepts only POST, with its token if it has one', async () => {
    const store = bare('let me')
    const reply = await store.fetch(new Request('http://store.test/provider-states'))
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
    for (const [authorization, status] of [
      ['Bearer let me', 200],
      [`Bearer ${store.apiKey}`, 401],
    ] as const)
      expect((await post(store, setup('pets'), { authorization })).status).toBe(status)
    expect((await post(store, setup('pets'))).status).toBe(401)
    expect(store.domain.stock.size).toBe(1)
  })
})
