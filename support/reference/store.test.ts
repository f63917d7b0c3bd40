import { describe, expect, it } from 'vitest'
import { referenceStore } from './store.ts'
import { ask } from './testing/ask.ts'

const bare = () => referenceStore({ demo: false, revokedKeys: ['Once-Good'] })

const OPERATIONS = [
  'GET /store/orders',
  'DELETE /store/orders/1',
  'GET /inventory',
  'PATCH /inventory/1',
  'GET /pets/1',
]

describe.each(OPERATIONS)('%s without a good key (§5)', call => {
  const key = bare().apiKey
  const refused: [string, string | null][] = [
    ['no header', null],
    ['an unknown key', 'Bearer Store-Qz4Rn8vT-Wb6yLe'],
    ['the bare key', key],
    ['another scheme', `Basic ${key}`],
    ['nothing after the scheme', 'Bearer '],
    ['a longer key', `Bearer ${key}x`],
    ['a shorter key', `Bearer ${key.slice(0, -1)}`],
    ['the key in another case', `Bearer ${key.toLowerCase()}`],
    ['two keys', `Bearer ${key}, Bearer ${key}`],
    ['a revoked key', 'Bearer Once-Good'],
  ]

  it.each(refused)('%s: 401 with an Error body that names no key', async (_title, authorization) => {
    const reply = await ask(bare(), call, { authorization, headers: { 'X-API-Key': key } })
    expect(reply.status).toBe(401)
    expect(reply.headers.get('content-type')).toBe('application/json')
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm="store"/)
    expect(JSON.parse(reply.text)).toEqual({
      code: expect.any(String),
      message: expect.any(String),
      status: 401,
    })
    expect(reply.text).not.toContain(key.slice(0, -1))
  })

  it('a key in the query: 401', async () => {
    expect(
      (await ask(bare(), `${call}?api_key=${key}&access_token=${key}`, { authorization: null })).status,
    ).toBe(401)
  })
})

describe('authentication', () => {
  it('answers with invalid_token only if a key was sent (RFC 6750 §3)', async () => {
    const wrong = await ask(bare(), 'GET /inventory', { authorization: 'Bearer x' })
    const none = await ask(bare(), 'GET /inventory', { authorization: null })
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(none.headers.get('www-authenticate')).not.toContain('error')
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('accepts the scheme as %s', async scheme => {
    const store = bare()
    expect((await ask(store, 'GET /inventory', { authorization: `${scheme} ${store.apiKey}` })).status).toBe(
      200,
    )
  })

  it('refuses a revoked key even if it is the configured one', async () => {
    const store = referenceStore({ apiKey: 'k', revokedKeys: ['k'] })
    expect((await ask(store, 'GET /inventory')).status).toBe(401)
  })

  it('refuses a request before it reads the body, and without effect', async () => {
    const store = bare()
    const [petId] = store.states.setup('pets', { quantity: 3 }).petIds ?? []
    for (const body of ['{', '{"quantity": 9}', 'x'.repeat(100_000)]) {
      expect((await ask(store, `PATCH /inventory/${petId}`, { authorization: null, body })).status).toBe(401)
    }
    expect((await ask(store, 'GET /inventory')).text).toContain('"quantity":3')
  })
})

describe('the lists (§4.1, §4.3)', () => {
  it('are JSON arrays that must not be cached', async () => {
    for (const call of ['GET /store/orders', 'GET /inventory']) {
      const reply = await ask(bare(), call)
      expect([reply.status, reply.text]).toEqual([200, '[]'])
      expect(reply.headers.get('content-type')).toBe('application/json')
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('show an order with the documented fields, without a status', async () => {
    const store = bare()
    store.states.setup('pending order with id', { id: '9007199254740993' })
    expect((await ask(store, 'GET /store/orders')).text).toBe(
      '[{"id":9007199254740993,"petId":2000,"quantity":1,"shipDate":"2026-11-02T12:00:00.000Z","complete":false}]',
    )
  })

  it('contain every order, whatever the query', async () => {
    const store = bare()
    store.states.setup('pending orders', { count: 300 })
    store.states.setup('shipped orders', { count: 5 })
    for (const query of ['', '?limit=1', '?page=2&per_page=10', '?status=pending', '?offset=300']) {
      expect(JSON.parse((await ask(store, `GET /store/orders${query}`)).text)).toHaveLength(305)
    }
  })

  it('contain pets that are sold', async () => {
    const store = bare()
    store.states.setup('pets', { quantity: 0 })
    store.states.setup('pets', { quantity: 7 })
    expect((await ask(store, 'GET /inventory')).text).toBe(
      '[{"petId":501,"quantity":0,"status":"sold"},{"petId":502,"quantity":7,"status":"available"}]',
    )
  })
})

describe('other requests', () => {
  it.each([
    ['POST /store/orders', 'GET, HEAD'],
    ['GET /store/orders/1', 'DELETE'],
    ['DELETE /inventory', 'GET, HEAD'],
    ['PUT /inventory/1', 'PATCH'],
    ['OPTIONS /inventory/1', 'PATCH'],
  ])('%s: 405, and Allow: %s', async (call, allow) => {
    const reply = await ask(bare(), call, { authorization: null })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow])
    expect(JSON.parse(reply.text).status).toBe(405)
  })

  it.each(['GET /', 'GET /store', 'GET /store/orders/1/items', 'GET /inventory/'])('%s: 404', async call => {
    const reply = await ask(bare(), call)
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.text).code).toBe('path_not_found')
  })

  it('answers HEAD like GET, without the body', async () => {
    const store = referenceStore()
    const [head, get] = [await ask(store, 'HEAD /inventory'), await ask(store, 'GET /inventory')]
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'application/json'])
    expect(get.text).not.toBe('')
  })

  it('marks GET /pets/{petId} as deprecated (§9)', async () => {
    const store = bare()
    const [petId] = store.states.setup('pets').petIds ?? []
    const reply = await ask(store, `GET /pets/${petId}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(Date.parse(reply.headers.get('sunset') ?? '')).toBeGreaterThan(Date.UTC(2027, 0))
    expect((await ask(store, 'GET /pets/9')).status).toBe(404)
  })

  it('answers an internal error with 500, without details', async () => {
    const errors: unknown[] = []
    const broken = () => ({
      selectEntries: () => {
        throw new Error('at secret.ts:12')
      },
    })
    const store = referenceStore({ overrides: [broken], onError: error => errors.push(error) })
    const reply = await ask(store, 'GET /inventory')
    expect([reply.status, reply.text.includes('secret'), errors.length]).toEqual([500, false, 1])
  })
})
