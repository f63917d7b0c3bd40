import { describe, expect, it } from 'vitest'
import { type ReferenceStore, referenceStore } from './store.ts'
import { ask } from './testing/ask.ts'

const bare = () => referenceStore({ demo: false })

const idsOf = (store: ReferenceStore, state: string, count = 1) => {
  const { orderIds = [] } = store.states.setup(state, { count })
  return orderIds
}

const cancel = (store: ReferenceStore, id: number | string) => ask(store, `DELETE /store/orders/${id}`)

describe('cancelling (§3, §4.2)', () => {
  it('answers 204 with no body, once', async () => {
    const store = bare()
    const [id = 0] = idsOf(store, 'pending orders')
    const first = await cancel(store, id)
    expect([first.status, first.text, first.headers.get('content-type')]).toEqual([204, '', null])
    const second = await cancel(store, id)
    expect([second.status, JSON.parse(second.text).code]).toEqual([409, 'order_cancelled'])
  })

  it('keeps the order in the list, and other orders pending', async () => {
    const store = bare()
    const [one = 0, other = 0] = idsOf(store, 'pending orders', 2)
    const before = (await ask(store, 'GET /store/orders')).text
    await cancel(store, one)
    expect((await ask(store, 'GET /store/orders')).text).toBe(before)
    expect((await cancel(store, other)).status).toBe(204)
  })

  it('answers 409 for a shipped order each time, and does not change it', async () => {
    const store = bare()
    const [id = 0] = idsOf(store, 'shipped orders')
    const before = (await ask(store, 'GET /store/orders')).text
    for (const _ of [1, 2]) {
      const reply = await cancel(store, id)
      expect([reply.status, JSON.parse(reply.text).code]).toEqual([409, 'order_shipped'])
    }
    expect((await ask(store, 'GET /store/orders')).text).toBe(before)
  })

  it.each(['0', '-1', '2147483648', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'answers 404 to the unknown order %s, and names it',
    async id => {
      const reply = await cancel(bare(), id)
      expect(reply.status).toBe(404)
      expect(JSON.parse(reply.text)).toEqual({
        code: 'order_not_found',
        message: `There is no order ${id}.`,
        status: 404,
      })
    },
  )

  it.each([
    '12abc',
    '+12',
    '012',
    '12.0',
    '1e1',
    '%20',
    '%FF',
    '%',
    '12%2F',
    '9223372036854775808',
    '\u{1F415}',
  ])('answers 404 to "%s", which is not an id, and cancels nothing', async path => {
    const store = bare()
    for (const id of [12n, 10n, 0n, 1n, -(2n ** 63n)]) store.states.setup('pending order with id', { id })
    expect((await cancel(store, path)).status).toBe(404)
    expect([...store.domain.orders.values()].every(order => order.state === 'pending')).toBe(true)
  })

  it('does not quote a path that is not an id, because it may contain a key', async () => {
    const store = bare()
    expect((await cancel(store, store.apiKey)).text).not.toContain(store.apiKey)
  })

  it('reads an id that is percent-encoded without need (RFC 3986 §6.2.2.2)', async () => {
    const store = bare()
    store.states.setup('pending order with id', { id: 12 })
    expect((await cancel(store, '%31%32')).status).toBe(204)
  })

  it('cancels exactly its order above 2^53', async () => {
    const store = bare()
    for (const id of ['9007199254740992', '9007199254740993', '9007199254740994']) {
      store.states.setup('pending order with id', { id })
    }
    expect((await cancel(store, '9007199254740993')).status).toBe(204)
    expect([...store.domain.orders.values()].map(order => order.state)).toEqual([
      'pending',
      'cancelled',
      'pending',
    ])
  })

  it('accepts exactly one of a hundred simultaneous cancellations', async () => {
    const store = bare()
    const [id = 0] = idsOf(store, 'pending orders')
    const replies = await Promise.all(Array.from({ length: 100 }, () => cancel(store, id)))
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(99)
  })
})
