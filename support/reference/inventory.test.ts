import { describe, expect, it } from 'vitest'
import { addEntry } from './domain.ts'
import { type ReferenceStore, referenceStore } from './store.ts'
import { ask } from './testing/ask.ts'

/** Two pets, 501 and 502, three of each. */
const stocked = () => {
  const store = referenceStore({ demo: false })
  store.states.setup('pets', { count: 2, quantity: 3 })
  return store
}

const patch = (store: ReferenceStore, body: string | Uint8Array<ArrayBuffer>, headers = {}, petId = '501') =>
  ask(store, `PATCH /inventory/${petId}`, { body, headers })

const UNTOUCHED =
  '[{"petId":501,"quantity":3,"status":"available"},{"petId":502,"quantity":3,"status":"available"}]'

describe('updating stock (§4.4)', () => {
  it.each([
    '0',
    '1',
    '3',
    '255',
    '256',
    '65536',
    '2147483648',
    '9007199254740991',
    '9007199254740993',
    '9223372036854775807',
  ])('replaces the count by %s, and the list shows it', async quantity => {
    const store = stocked()
    const status = quantity === '0' ? 'sold' : 'available'
    const entry = `{"petId":501,"quantity":${quantity},"status":"${status}"}`
    const reply = await patch(store, `{"quantity": ${quantity}}`)
    expect([reply.status, reply.text]).toEqual([200, entry])
    expect((await ask(store, 'GET /inventory')).text).toBe(
      `[${entry},{"petId":502,"quantity":3,"status":"available"}]`,
    )
  })

  it('replaces any stock, even that of a sold pet', async () => {
    const store = stocked()
    for (const quantity of [9, 2, 2, 0, 1]) {
      const reply = await patch(store, JSON.stringify({ quantity }))
      expect(JSON.parse(reply.text)).toEqual({
        petId: 501,
        quantity,
        status: quantity ? 'available' : 'sold',
      })
    }
  })

  it('accepts further members, a charset, and a body without a Content-Type', async () => {
    const store = stocked()
    expect(
      (await patch(store, '{"quantity": 4, "status": "sold", "petId": 9, "__proto__": {"quantity": 8}}'))
        .text,
    ).toBe('{"petId":501,"quantity":4,"status":"available"}')
    expect(
      (await patch(store, '{"quantity": 5}', { 'content-type': 'Application/JSON; charset=utf-8' })).status,
    ).toBe(200)
    const untyped = new TextEncoder().encode('{"quantity": 6}')
    const request = new Request('http://store.test/v1/inventory/501', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${store.apiKey}` },
      body: untyped,
    })
    expect((await store.fetch(request)).status).toBe(200)
  })

  const bad: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['a string', '{"quantity": "5"}'],
    ['a fraction', '{"quantity": 5.5}'],
    ['5.0', '{"quantity": 5.0}'],
    ['5e0', '{"quantity": 5e0}'],
    ['a boolean', '{"quantity": true}'],
    ['null', '{"quantity": null}'],
    ['an array', '{"quantity": [5]}'],
    ['an object', '{"quantity": {"value": 5}}'],
    ['a negative count', '{"quantity": -1}'],
    ['more than int64', '{"quantity": 9223372036854775808}'],
    ['an enormous number', '{"quantity": 1e999999999}'],
    ['no quantity', '{}'],
    ['quantity in another case', '{"Quantity": 5}'],
    ['quantity twice', '{"quantity": 5, "quantity": 6}'],
    ['an inherited quantity', '{"__proto__": {"quantity": 5}}'],
    ['an array for a body', '[{"quantity": 5}]'],
    ['a string for a body', '"quantity"'],
    ['a number for a body', '5'],
    ['null for a body', 'null'],
    ['an empty body', ''],
    ['malformed JSON', '{"quantity": 5'],
    ['a trailing comma', '{"quantity": 5,}'],
    ['two values', '{"quantity": 5} {}'],
    ['bytes that are not UTF-8', Uint8Array.from(Buffer.from('{"quantity": 5, "\xff": 1}', 'latin1'))],
    ['bottomless nesting', '['.repeat(60_000)],
  ]

  it.each(bad)('%s: 400, nothing changed', async (_title, body) => {
    const store = stocked()
    const reply = await patch(store, body)
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.text)).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      status: 400,
    })
    expect((await ask(store, 'GET /inventory')).text).toBe(UNTOUCHED)
  })

  it('accepts -0 as 0', async () => {
    expect((await patch(stocked(), '{"quantity": -0}')).text).toContain('"quantity":0,"status":"sold"')
  })

  it.each([
    ['', 'empty'],
    ['{"quantity": 5, "quantity": 6}', 'twice'],
    ['{"quantity": 5', 'not valid JSON'],
    ['[]', 'an array'],
    ['null', 'null'],
  ])('says of %s: %s', async (body, word) => {
    expect(JSON.parse((await patch(stocked(), body)).text).message).toContain(word)
  })

  it('names the member and its problem', async () => {
    expect(JSON.parse((await patch(stocked(), '{"quantity": "5"}')).text)).toEqual({
      code: 'quantity_invalid',
      message: 'The member "quantity" must be an integer, not a string.',
      status: 400,
      details: [{ member: 'quantity', problem: 'must be an integer, not a string' }],
    })
  })

  it.each([
    ['a form', 400, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a compressed body', 415, { 'content-encoding': 'gzip' }],
  ])('%s: %i', async (_title, status, headers) => {
    const store = stocked()
    expect((await patch(store, '{"quantity": 5}', headers)).status).toBe(status)
    expect((await ask(store, 'GET /inventory')).text).toBe(UNTOUCHED)
  })

  it('answers 413 to a body above the limit, and accepts one at the limit', async () => {
    const padded = (length: number) => '{"quantity": 5}'.padEnd(length)
    expect((await patch(stocked(), padded(65_536))).status).toBe(200)
    expect((await patch(stocked(), padded(65_537))).status).toBe(413)
    expect((await patch(stocked(), padded(65_537), { 'content-length': '15' })).status).toBe(413)
  })

  it.each(['9', '501x', '%35', '-501', '501.5', '%FF'])(
    'unknown pet %s: 404, nothing created',
    async petId => {
      const store = stocked()
      const reply = await patch(store, '{"quantity": 5}', {}, petId)
      expect([reply.status, JSON.parse(reply.text).code]).toEqual([404, 'pet_not_found'])
      expect((await ask(store, 'GET /inventory')).text).toBe(UNTOUCHED)
    },
  )

  it('keeps one of many simultaneous quantities', async () => {
    const store = stocked()
    const sent = Array.from({ length: 50 }, (_, n) => n + 100)
    const replies = await Promise.all(sent.map(quantity => patch(store, JSON.stringify({ quantity }))))
    expect(replies.map(({ text }) => JSON.parse(text).quantity)).toEqual(sent)
    const [entry] = JSON.parse((await ask(store, 'GET /inventory')).text)
    expect(sent).toContain(entry.quantity)
  })

  it('returns a petId as it was written, and finds it by its value', async () => {
    const store = referenceStore({ demo: false })
    addEntry(store.domain, { petId: '12.50', quantity: 1n })
    addEntry(store.domain, { petId: '9007199254740993', quantity: 1n })
    expect((await patch(store, '{"quantity": 2}', {}, '12.50')).text).toContain('"petId":12.50,"quantity":2')
    expect((await patch(store, '{"quantity": 3}', {}, '12.5')).text).toContain('"petId":12.50,"quantity":3')
    expect((await patch(store, '{"quantity": 4}', {}, '9007199254740993')).status).toBe(200)
    expect((await patch(store, '{"quantity": 4}', {}, '9007199254740992')).status).toBe(404)
  })
})
