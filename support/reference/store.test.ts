import { faker } from '@faker-js/faker/locale/base'
import { describe, expect, it } from 'vitest'
import { addEntry } from './domain.ts'
import { type ReferenceStore, referenceStore } from './store.ts'

// What the interface determines is judged by the suite itself. These are the answers that it leaves open.

const bare = () => referenceStore({ demo: false, revokedKeys: ['Once-Good'] })

/** Two pets, 501 and 502, three of each. */
const stocked = () => {
  const store = bare()
  store.states.setup('pets', { count: 2, quantity: 3 })
  return store
}

/** Calls a store in process: `ask(store, 'DELETE /store/orders/12')`. @param authorization null sends none */
async function ask(
  store: ReferenceStore,
  call: string,
  authorization: string | null = `Bearer ${store.apiKey}`,
  { headers = {}, body = null }: { headers?: Record<string, string>; body?: string | null } = {},
) {
  const [method = 'GET', path = '/'] = call.split(' ')
  const all = { ...(authorization === null ? {} : { authorization }), ...headers }
  const response = await store.fetch(
    new Request(`http://store.test/v1${path}`, { method, headers: all, body }),
  )
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const patch = (store: ReferenceStore, body: string, headers = {}, petId = '501') =>
  ask(store, `PATCH /inventory/${petId}`, undefined, {
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

describe('authentication', () => {
  it('answers with invalid_token only if a key was sent (RFC 6750 §3), and names no key', async () => {
    const { apiKey } = bare()
    for (const [authorization, challenge] of [
      [null, /^Bearer realm="store"[^=]*$/],
      [`Basic ${apiKey}`, /^Bearer realm="store"/],
      ['Bearer x', /error="invalid_token"/],
      [`Bearer ${apiKey}x`, /error="invalid_token"/],
      [`Bearer ${apiKey}, Bearer ${apiKey}`, /^Bearer realm="store"/],
      ['Bearer Once-Good', /error="invalid_token"/],
    ] as const) {
      const reply = await ask(bare(), 'GET /pets/1', authorization)
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(challenge),
      ])
      expect(reply.text).not.toContain(apiKey)
    }
  })

  it('refuses a revoked key even if it is the configured one', async () => {
    const store = referenceStore({ apiKey: 'k', revokedKeys: ['k'] })
    expect((await ask(store, 'GET /inventory')).status).toBe(401)
  })
})

describe('an update', () => {
  it.each([
    ['', 'body_invalid', 'empty'],
    ['{"quantity": 5', 'body_invalid', 'not valid JSON'],
    ['{"quantity": 5, "quantity": 6}', 'body_invalid', 'twice'],
    ['['.repeat(60_000), 'body_invalid', ''],
    ['{"__proto__": {"quantity": 5}}', 'quantity_invalid', 'is missing'],
    ['{"quantity": "5"}', 'quantity_invalid', 'must be an integer, not a string'],
  ])('says what is wrong with %.30s: %s %s', async (body, code, word) => {
    const reply = await patch(stocked(), body)
    expect(JSON.parse(reply.text)).toMatchObject({ status: 400, message: expect.stringContaining(word) })
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([400, code])
  })

  it('refuses other media types, encodings and bodies above its limit', async () => {
    const padded = (length: number) => '{"quantity": 5}'.padEnd(length)
    const store = stocked()
    for (const [body, headers, expected] of [
      [padded(15), { 'content-type': 'application/x-www-form-urlencoded' }, 400],
      [padded(15), { 'content-encoding': 'gzip' }, 415],
      [padded(65_537), {}, 413],
      [padded(65_537), { 'content-length': '15' }, 413],
    ] as const)
      expect((await patch(store, body, headers)).status).toBe(expected)
    expect((await ask(store, 'GET /inventory')).text).toContain('"petId":501,"quantity":3')
    expect((await patch(store, padded(65_536))).status).toBe(200)
  })

  it('returns a petId as it was written, and finds it by its value', async () => {
    const store = bare()
    addEntry(store.domain, { petId: '12.50', quantity: 1n })
    addEntry(store.domain, { petId: '9007199254740993', quantity: 1n })
    expect((await patch(store, '{"quantity": 3}', {}, '12.5')).text).toContain('"petId":12.50,"quantity":3')
    expect((await patch(store, '{"quantity": 4}', {}, '9007199254740993')).status).toBe(200)
    for (const unknown of ['9007199254740992', '12.50x', '%31%32.5.', '%FF'])
      expect((await patch(store, '{"quantity": 4}', {}, unknown)).status).toBe(404)
  })
})

it('names the reason of a refused cancellation, and quotes an id but no key', async () => {
  const store = bare()
  store.states.setup('pending order with id', { id: 12 })
  store.states.setup('shipped orders')
  // An id that is percent-encoded without need is the same id (RFC 3986 §6.2.2.2).
  expect((await ask(store, 'DELETE /store/orders/%31%32')).status).toBe(204)
  for (const [id, code, message] of [
    ['12', 'order_cancelled', ''],
    ['10001', 'order_shipped', ''],
    ['7', 'order_not_found', '7'],
  ])
    expect(JSON.parse((await ask(store, `DELETE /store/orders/${id}`)).text)).toMatchObject({
      code,
      message: expect.stringContaining(message ?? ''),
    })
  expect((await ask(store, `DELETE /store/orders/${store.apiKey}`)).text).not.toContain(store.apiKey)
})

describe('other requests', () => {
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
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })
})

describe('the demo data', () => {
  it('is equal for equal seeds, and leaves the shared faker as it is', async () => {
    const listed = async (seed: number) => (await ask(referenceStore({ seed }), 'GET /store/orders')).text
    faker.seed(5)
    const expected = faker.number.int()
    faker.seed(5)
    expect(await listed(7)).toBe(await listed(7))
    expect(await listed(7)).not.toBe(await listed(8))
    expect(faker.number.int()).toBe(expected)
  })
})
