import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { randomness } from '../judge/randomness.ts'
import { newFolder } from '../wire/testing/folder.ts'
import type { TargetOptions } from './open.ts'
import { restoreFromJournal } from './restore.ts'
import {
  BASE_URL,
  type Habit,
  quantityOf,
  refused,
  runOn,
  Shop,
  type ShopAnswer,
  type ShopRequest,
} from './testing/shop.ts'

/** What a run may leave changed in a store, besides the named pending orders. */
interface Left {
  /** Pets whose stock differs. */
  readonly stock?: readonly string[]
  /** Pets that exist since, and orders of others that are cancelled, at most. */
  readonly created?: number
  readonly cancelled?: number
  /** Named pets that the run reports. Default: those among `stock`. */
  readonly unrestored?: readonly string[]
  readonly warning?: RegExp
  /** Why some requests were not sent. */
  readonly unsent?: RegExp
  /** Updates of pet 1 with the key, at most. */
  readonly updates?: number
}

const isUpdate = ({ method, id, hasKey }: ShopRequest) => method === 'PATCH' && id !== '' && hasKey
const isCancellation = ({ method, hasKey }: ShopRequest) => method === 'DELETE' && hasKey
const isInventory = ({ method, resource, id }: ShopRequest) =>
  method === 'GET' && resource === 'pet' && id === ''
const stockOf = (shop: Shop, pet: string): bigint => shop.stock.get(pet) ?? 0n

/** A store that makes valid updates in another way. */
const updating =
  (
    make: (shop: Shop, pet: string, quantity: bigint, nth: number) => bigint | ShopAnswer | undefined,
  ): Habit =>
  (request, shop, next) => {
    const quantity = quantityOf(request.body)
    if (!isUpdate(request) || quantity === undefined || !shop.stock.has(request.id)) return next()
    const made = make(shop, request.id, quantity, shop.updates(request.id).length)
    return typeof made === 'bigint' ? shop.set(request.id, made) : (made ?? next())
  }
/** A store that reads the id of an order or a pet in another way. */
const reading =
  (read: (id: string, shop: Shop) => string | undefined): Habit =>
  (request, shop, next) => {
    const id = request.hasKey && request.id !== '' ? read(request.id, shop) : undefined
    return id === undefined ? next() : shop.answer({ ...request, id })
  }
const listing =
  (list: (shop: Shop) => string | ShopAnswer | undefined): Habit =>
  (request, shop, next) => {
    const answer = isInventory(request) && request.hasKey ? list(shop) : undefined
    return typeof answer === 'string' ? { status: 200, body: answer } : (answer ?? next())
  }
const when =
  (isIt: (request: ShopRequest, shop: Shop) => boolean, answer: ShopAnswer): Habit =>
  (request, shop, next) =>
    isIt(request, shop) ? answer : next()
/** Something that another client does at this request. */
const meanwhile =
  (nth: number, change: (shop: Shop) => void): Habit =>
  (request, shop, next) => {
    if (request.nth === nth) change(shop)
    return next()
  }
/** A store with many orders of other people. */
const crowded = (shop: Shop) => {
  for (let id = 1; id <= 700; id += 1)
    if (!shop.orders.has(String(id))) shop.orders.set(String(id), 'pending')
}

const LOST =
  /^the stock of pet 1 was 7 and is \d+ now; it could not be restored: .*Set it to 7 in the store itself/
const NOT_EXACT = /^pet 1 had a stock of \d+; after an update to \d+, answered 200, the inventory shows/
const UNKNOWN =
  /which did not exist, so no further id that does not exist is tried|does not exist, was answered/

const rows: Readonly<Record<string, readonly [Habit, Left, ((shop: Shop) => void)?]>> = {
  'does what it should': [(_request, _shop, next) => next(), {}],

  'adds the quantity': [
    updating((shop, pet, quantity) => stockOf(shop, pet) + quantity),
    { stock: ['1'], updates: 2, warning: LOST, unsent: NOT_EXACT },
  ],
  'adds the quantity, to nothing': [
    updating((shop, pet, quantity) => stockOf(shop, pet) + quantity),
    { stock: ['1'], updates: 3, warning: /^the stock of pet 1 was 0 and is/, unsent: NOT_EXACT },
    shop => void shop.stock.set('1', 0n),
  ],
  'ignores updates': [updating((shop, pet) => stockOf(shop, pet)), { updates: 2, unsent: NOT_EXACT }],
  'ignores the update that restores the stock': [
    updating((shop, pet, quantity) => (quantity === 7n ? stockOf(shop, pet) : quantity)),
    { stock: ['1'], updates: 3, warning: LOST, unsent: NOT_EXACT },
  ],
  'updates another pet as well': [
    updating((shop, _pet, quantity) => void shop.stock.set('3', quantity)),
    {
      stock: ['3'],
      updates: 2,
      warning: /^the stock of pet 3 was 31, and is \d+ after an update of pet 1/,
      unsent: /^the stock of pet 3 was 31/,
    },
  ],
  'updates another pet instead': [
    updating((shop, _pet, quantity) => {
      shop.stock.set('3', quantity)
      return { status: 200, body: `{"petId":1,"quantity":${quantity}}` }
    }),
    { stock: ['3'], updates: 1, warning: /^the stock of pet 3 was 31/, unsent: /^the stock of pet 3 was 31/ },
  ],
  'updates every pet': [
    updating((shop, _pet, quantity) => {
      for (const each of shop.stock.keys()) shop.stock.set(each, quantity)
      return quantity
    }),
    {
      stock: ['1', '3', '12.5'],
      updates: 4,
      warning: /^the stock of pet \S+ was \d+/,
      unsent: /^the stock of pet/,
    },
  ],
  'keeps one stock for two pets': [
    updating((shop, _pet, quantity) => {
      for (const each of ['1', '2']) shop.stock.set(each, quantity)
      return quantity
    }),
    { stock: ['1'], updates: 4, warning: LOST, unsent: /^the stock of pet 2 was 0/ },
  ],
  'refuses its own stock': [
    updating((_shop, _pet, quantity) => (quantity > 1000n ? refused(400) : undefined)),
    { updates: 1, unsent: /has|had a stock of 5000; after an update to 5000, answered 400/ },
    shop => void shop.stock.set('1', 5_000n),
  ],
  'has a negative stock, and refuses one': [
    (_request, _shop, next) => next(),
    { updates: 1, unsent: /had a stock of -3; after an update to -3, answered 400/ },
    shop => void shop.stock.set('1', -3n),
  ],
  'has a large stock, and accepts one': [
    (_request, _shop, next) => next(),
    {},
    shop => void shop.stock.set('1', 2n ** 31n),
  ],

  'creates the pet that it does not find': [
    (request, shop, next) =>
      isUpdate(request) && quantityOf(request.body) !== undefined ? shop.set(request.id, 7n) : next(),
    {
      created: 1,
      warning:
        /^pet \d+ exists because of this run, so remove it: PATCH .* was answered 200 \(exchange \d+\)$/,
      unsent: UNKNOWN,
    },
  ],
  'creates the pet, and answers 404': [
    (request, shop, next) => {
      const answer = next()
      if (answer.status === 404 && isUpdate(request)) shop.stock.set(request.id, 7n)
      return answer
    },
    { created: 1, warning: /^pet \d+ exists because of this run.* was answered 404/, unsent: UNKNOWN },
  ],
  'answers 204 for an order that it does not find': [
    (request, _shop, next) => {
      const answer = next()
      return isCancellation(request) && answer.status === 404 && !request.id.startsWith('1')
        ? { status: 204 }
        : answer
    },
    { warning: /^the store accepted a change of order \d+, which does not exist/, unsent: UNKNOWN },
  ],
  'cancels its last order for each that it does not find': [
    reading((id, shop) =>
      id.startsWith('inv') || shop.orders.has(id) || shop.stock.has(id)
        ? undefined
        : [...shop.orders].findLast(([, state]) => state === 'pending')?.[0],
    ),
    { cancelled: 1, warning: /^the store accepted a change of order/, unsent: UNKNOWN },
  ],
  'cancels a named order for each that it does not find, and answers 404': [
    (request, shop, next) => {
      const answer = next()
      if (isCancellation(request) && answer.status === 404) shop.orders.set('103', 'cancelled')
      return answer
    },
    { unsent: /^order 103 was changed while requests named only ids that do not exist/ },
  ],

  'writes the id of an order into a condition': [
    (request, shop, next) => {
      const [id = '', other = '0'] = decodeURIComponent(request.id).split(/ or /i)
      if (isCancellation(request) && Number(other) !== 0)
        for (const each of shop.orders.keys()) shop.orders.set(each, 'cancelled')
      return isCancellation(request) ? shop.answer({ ...request, id }) : next()
    },
    {},
    crowded,
  ],
  'reads an id with a leading zero as octal': [
    reading(id => (/^0[0-7]+$/.test(id) ? String(Number.parseInt(id, 8)) : undefined)),
    {},
    crowded,
  ],
  'reads the first digits of an id': [reading(id => /^[0-9]+/.exec(id)?.[0]), {}, crowded],
  'reads the last digits of an id': [reading(id => /[0-9]+$/.exec(id)?.[0]), {}, crowded],
  'reads all digits of an id': [reading(id => id.replace(/\D/g, '')), {}, crowded],
  'reads an id as a double': [reading(id => String(Math.trunc(Number(id)) || 0)), {}, crowded],
  'reads an id as 32 bits': [
    reading(id => String(Number(BigInt.asIntN(32, BigInt(/^-?[0-9]+$/.test(id) ? id : 0))))),
    {},
    crowded,
  ],
  'clamps an id to 32 bits': [
    reading(id => String(Math.min(Number.parseFloat(id), 2 ** 31 - 1) || 0)),
    {},
    shop => void shop.orders.set(String(2 ** 31 - 1), 'pending'),
  ],
  'reads what is no id as 0': [
    reading(id => (/^-?[0-9.]+$/.test(id) ? undefined : '0')),
    {},
    shop => void shop.orders.set('0', 'pending'),
  ],
  'shows orders without ids': [
    (request, shop, next) =>
      request.resource === 'order' && request.method === 'GET'
        ? { status: 200, body: `[${[...shop.orders].map(() => '{}').join()}]` }
        : next(),
    { unsent: /^DELETE \S+ could change order|^no order id is known/ },
    crowded,
  ],

  'accepts any key': [(request, shop) => shop.answer({ ...request, hasKey: true }), {}],
  'needs no key to update': [
    (request, shop, next) =>
      request.method === 'PATCH' ? shop.answer({ ...request, hasKey: true }) : next(),
    {},
  ],
  'takes another method from the query, without a key': [
    (request, shop, next) =>
      request.method === 'POST' || (request.method === 'GET' && request.id !== '')
        ? shop.answer({ ...request, method: request.resource === 'pet' ? 'PATCH' : 'DELETE', hasKey: true })
        : next(),
    {},
  ],
  'accepts quantities that are no integers': [
    (request, shop, next) => {
      const [, digits] = /"quantity"\s*:\s*"?(-?[0-9]{1,9})/.exec(request.body) ?? []
      return isUpdate(request) && digits && shop.stock.has(request.id)
        ? shop.set(request.id, BigInt(digits))
        : next()
    },
    {},
  ],
  'changes the stock, and refuses the update': [
    (request, shop, next) => {
      const answer = next()
      if (isUpdate(request) && answer.status === 400 && shop.stock.has(request.id))
        shop.stock.set(request.id, 3n)
      return answer
    },
    {},
  ],

  'always shows an old inventory': [
    listing(() => '[{"petId":1,"quantity":7},{"petId":2,"quantity":0},{"petId":3,"quantity":31}]'),
    { updates: 2, unsent: NOT_EXACT },
  ],
  'shows an old inventory at the end': [
    listing(shop => (shop.isEnding ? '[{"petId":1,"quantity":7},{"petId":2,"quantity":0}]' : undefined)),
    {},
  ],
  'fails at the inventory': [
    listing(() => refused(500)),
    { updates: 0, unsent: /^the inventory could not be read, or does not show a whole quantity of pet 1/ },
  ],
  'fails at the list of orders': [
    when(({ method, resource }) => method === 'GET' && resource === 'order', refused(500)),
    { unsent: /^the list of orders could not be read, so no order id is known to be unused/ },
  ],
  'fails at the inventory at the end': [
    listing(shop => (shop.isEnding ? refused(500) : undefined)),
    {
      unrestored: ['1', '2'],
      warning: /^the stock of pet [12] was \d and is unknown now, because the inventory could not be read/,
    },
  ],
  'fails at the updates that restore the stock': [
    when((request, shop) => shop.isEnding && isUpdate(request), refused(500)),
    { stock: ['1', '2'], warning: /it could not be restored: the update was answered 500$/ },
  ],
  'refuses the key at the end': [
    when((_request, shop) => shop.isEnding, refused(401)),
    {
      stock: ['1', '2'],
      warning: /is unknown now, because the inventory could not be read; the update was answered 401$/,
    },
  ],
  'asks to retry later at the end, and serves then': [
    (() => {
      let times = 0
      return (request: ShopRequest, shop: Shop, next: () => ShopAnswer) =>
        shop.isEnding && isUpdate(request) && ++times <= 3
          ? { status: 429, headers: [['Retry-After', '0.1']] }
          : next()
    })(),
    {},
  ],
  'asks to retry in an hour at the end': [
    when((_request, shop) => shop.isEnding, { status: 429, headers: [['Retry-After', '3600']] }),
    { stock: ['1', '2'], warning: /is unknown now.*answered nothing$/ },
  ],
  'closes the connection on each second update': [
    (() => {
      let times = 0
      return (request: ShopRequest, _shop: Shop, next: () => ShopAnswer) => {
        const answer = next()
        if (isUpdate(request) && ++times % 2 === 0)
          throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
        return answer
      }
    })(),
    {},
  ],

  'gets another value from another client in the middle of the run': [
    meanwhile(300, shop => void shop.stock.set('1', 123_456n)),
    {},
  ],
  'gets another value from another client between two lists': [
    (() => {
      let isDone = false
      return (request: ShopRequest, shop: Shop, next: () => ShopAnswer) => {
        const sent = shop.requests.slice(0, -1)
        const lastList = sent.findLastIndex(each => isInventory(each) && each.hasKey)
        const isQuiet = sent.slice(lastList).every(({ method }) => method === 'GET') && sent.length > 200
        if (isInventory(request) && request.hasKey && isQuiet && !isDone) {
          shop.stock.set('1', 123_456n)
          isDone = true
        }
        return next()
      }
    })(),
    {
      stock: ['1'],
      warning:
        /^the stock of pet 1 was 7 and is 123456 now, which this run did not send; it was left as it is$/,
      unsent: /^another client changes the stock of pet 1/,
    },
  ],
  'gets another value from another client at the end': [
    (request, shop, next) => {
      if (shop.isEnding && shop.updates('1').length > 0 && isInventory(request) && stockOf(shop, '1') !== 7n)
        shop.stock.set('1', 123_456n)
      return next()
    },
    {
      stock: ['1'],
      warning:
        /^the stock of pet 1 was 7 and is 123456 now, which this run did not send; it was left as it is$/,
    },
  ],
  'sells other pets all the time': [
    (_request, shop, next) => {
      shop.stock.set('3', stockOf(shop, '3') + 1n)
      return next()
    },
    { stock: ['3'], unrestored: [] },
  ],
}

it.each(Object.entries(rows))('a store that %s', async (_what, [habit, left, prepare]) => {
  const shop = new Shop(habit)
  prepare?.(shop)
  const [orders, stock] = [new Map(shop.orders), new Map(shop.stock)]
  const { target, error } = await runOn(shop)
  expect(error).toBeUndefined()
  const changed = [...stock].flatMap(([pet, quantity]) => (shop.stock.get(pet) === quantity ? [] : [pet]))
  expect(changed).toEqual(left.stock ?? [])
  const lost = [...orders].filter(
    ([id, state]) => shop.orders.get(id) !== state && !['101', '102', '103'].includes(id),
  )
  expect(lost.length).toBeLessThanOrEqual(left.cancelled ?? 0)
  expect(shop.stock.size - stock.size).toBeLessThanOrEqual(left.created ?? 0)
  expect([...target.unrestored].sort()).toEqual(left.unrestored ?? changed.sort())
  expect(target.effects.left.length > 0).toBe(target.unrestored.length + target.client.created.length > 0)
  if (left.updates !== undefined) expect(shop.updates('1').length).toBeLessThanOrEqual(left.updates)
  if (left.warning) expect(target.warnings).toContainEqual(expect.stringMatching(left.warning))
  else expect(target.warnings).toEqual([])
  const reasons = [...new Set(target.log.unsent.map(({ reason }) => reason))]
  if (left.unsent) expect(reasons).toContainEqual(expect.stringMatching(left.unsent))
  else expect(reasons.filter(reason => !/could change order/.test(reason))).toEqual([])
})

/** What was in a store before. */
const contentOf = (shop: Shop) => [new Map(shop.orders), new Map(shop.stock)] as const

type States = NonNullable<TargetOptions['states']>
/** Setups that differ. Undefined: the usual one. @param nth of this state, from 1 */
const arranging =
  (setup: (shop: Shop, state: string, params: Readonly<Record<string, unknown>>, nth: number) => unknown) =>
  (shop: Shop): States => {
    const times = new Map<string, number>()
    return {
      ...shop.states,
      setup(state, params) {
        const nth = (times.get(state) ?? 0) + 1
        times.set(state, nth)
        return setup(shop, state, params, nth) ?? shop.states.setup(state, params)
      },
    }
  }
/** New orders, and one from before. */
const withOldOrder = ({ states }: Shop, state: string, { count }: Readonly<Record<string, unknown>>) => ({
  orderIds: [...(states.setup(state, { count: Number(count) - 1 })['orderIds'] ?? []), '104'],
})
const failing = (): never => {
  throw new Error('the pool is empty')
}

interface Outcome {
  readonly error?: RegExp
  readonly warning?: RegExp
  readonly unsent?: RegExp
  readonly tornDown?: RegExp
  readonly left?: string
}

const stateRows: Readonly<Record<string, readonly [(shop: Shop) => States, Outcome]>> = {
  'arrange what they are asked for': [shop => shop.states, {}],
  'hand out an order from before, beside new ones': [
    arranging((shop, state, params) =>
      state === 'pending orders' ? withOldOrder(shop, state, params) : undefined,
    ),
    {
      error:
        /^the provider states answered "pending orders" with orders that were in the store before: 104\. None of them was changed/,
      tornDown: /^pending orders$/,
    },
  ],
  'hand out only orders from before': [
    arranging((_shop, state) =>
      state === 'shipped orders'
        ? { orderIds: [...Array.from({ length: 7 }, (_, at) => String(104 + at)), '203'] }
        : undefined,
    ),
    { error: /were in the store before: 104, 105/, tornDown: /^pending orders$/ },
  ],
  'hand out pets from before': [
    arranging((_shop, state, { count }) =>
      state === 'pets' && count === 40
        ? { petIds: ['3', ...Array.from({ length: 39 }, (_, at) => String(-1 - at))] }
        : undefined,
    ),
    { error: /with pets that were in the store before: 3\./ },
  ],
  'hand out an order from before in a later setup': [
    arranging((shop, state, params, nth) =>
      state === 'pending orders' && nth === 2 ? withOldOrder(shop, state, params) : undefined,
    ),
    { error: /were in the store before: 104\./ },
  ],
  'hand out an order from before instead of the chosen one': [
    arranging((_shop, state) => (state === 'pending order with id' ? { orderIds: ['104'] } : undefined)),
    { error: /were in the store before: 104\./ },
  ],
  'hand out the same orders twice': [
    arranging((shop, state, params) =>
      state === 'shipped orders'
        ? { orderIds: [...shop.orders.keys()].slice(-Number(params['count'])) }
        : undefined,
    ),
    { error: /^the provider states arranged order \d+ for two setups/ },
  ],
  'hand out too few': [
    arranging((shop, state) =>
      state === 'pets'
        ? { petIds: shop.states.setup(state, { count: 1, quantity: 5 })['petIds'] }
        : undefined,
    ),
    { unsent: /^the provider states should answer the state "pets"/, tornDown: /pets/ },
  ],
  'arrange nothing': [arranging(failing), { unsent: /^the provider states threw: the pool is empty$/ }],
  'do not know pets': [
    arranging((_shop, state) => (state === 'pets' ? failing() : undefined)),
    { unsent: /the pool is empty/ },
  ],
  'never end one setup': [
    arranging((_shop, state) => (state === 'pets' ? new Promise(() => undefined) : undefined)),
    { unsent: /^the provider states gives no answer within 300 ms to "pets"/, tornDown: /pets/ },
  ],
  'never end any setup': [
    arranging(() => new Promise(() => undefined)),
    {
      error: /^the provider states gives no answer within 300 ms to "pending orders"/,
      tornDown: /pending orders/,
    },
  ],
  'arrange ten orders at a time': [
    arranging((_shop, state, { count }) => (state !== 'pets' && Number(count) > 10 ? failing() : undefined)),
    { unsent: /the pool is empty/ },
  ],
  'arrange in another store': [
    () => new Shop().states,
    {
      error:
        /^the provider states arranged order \d+, but the store at \S+ lists neither it nor anything else/,
    },
  ],
  'fail at teardown': [
    shop => ({ ...shop.states, teardown: failing }),
    {
      warning:
        /did not tear down "pets": it threw: the pool is empty; what was arranged may still be in the store$/,
      left: 'what the provider states arranged',
    },
  ],
  'never end a teardown': [
    shop => ({ ...shop.states, teardown: () => new Promise(() => undefined) }),
    { warning: /what was arranged may still be in the store$/, left: 'what the provider states arranged' },
  ],
}

it.each(Object.entries(stateRows))(
  'provider states that %s',
  async (_what, [states, { error, warning, unsent, tornDown = /./, left }]) => {
    const shop = new Shop()
    const [orders, stock] = contentOf(shop)
    const ended = await runOn(shop, {
      pendingOrders: [],
      shippedOrders: [],
      pets: [],
      statesTimeoutMs: 300,
      states: states(shop),
    })
    if (error)
      expect(ended.error).toMatchObject({ name: 'Misconfigured', message: expect.stringMatching(error) })
    else expect(ended.error).toBeUndefined()
    expect([...orders].filter(([id, state]) => shop.orders.get(id) !== state)).toEqual([])
    expect([...stock].filter(([pet, quantity]) => shop.stock.get(pet) !== quantity)).toEqual([])
    const { target } = ended
    if (warning) expect(target.warnings).toContainEqual(expect.stringMatching(warning))
    else expect(target.warnings).toEqual([])
    const reasons = target.log.unsent.map(({ reason }) => reason)
    if (unsent) expect(reasons).toContainEqual(expect.stringMatching(unsent))
    if (left === undefined && shop.orders.size > orders.size) expect(shop.tornDown.join()).toMatch(tornDown)
    expect(target.effects.left).toEqual(left === undefined ? [] : [left])
  },
)

describe('a run', () => {
  it.each([401, 403, 423, 429])(
    'that a store answers %i after 20 wrong keys sends few further requests, and restores what it can',
    async status => {
      let wrong = 0
      const shop = new Shop((request, _shop, next) => {
        if (wrong > 20) return { ...refused(status), headers: [['Retry-After', '3600']] }
        if (!request.hasKey) wrong += 1
        return next()
      })
      const { target } = await runOn(shop)
      const reason = expect.stringMatching(
        new RegExp(`^the key was accepted until request \\d+; since then ${status}: does the store lock out`),
      )
      expect(target.stopped()).toEqual(reason)
      expect([...new Set(target.log.unsent.map(each => each.reason))]).toEqual([reason])
      expect(shop.requests.length).toBeLessThan(300)
      expect(
        target.log.exchanges.filter(({ response }) => response?.status === status && status !== 401),
      ).toEqual([])
    },
  )

  it('without a journal that can be written changes no named pet', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'undo.json.new', 'in the way'), { recursive: true })
    const shop = new Shop()
    const { target } = await runOn(shop, { undoPath: join(folder, 'undo.json') })
    expect([shop.updates('1'), shop.updates('2')]).toEqual([[], []])
    expect(target.log.unsent[0]).toMatchObject({
      reason: expect.stringMatching(/cannot be saved/),
      need: 'make the reports folder writable',
    })
  })

  it('that is read-only sends GET requests alone, arranges nothing, and says so', async () => {
    const shop = new Shop()
    const { target } = await runOn(shop, { readOnly: true, states: { setup: failing } })
    expect(shop.requests.filter(({ method, id }) => method !== 'GET' || id !== '')).toEqual([])
    expect(new Set(target.log.unsent.map(({ need }) => need))).toEqual(new Set(['run without --read-only']))
    expect(target.effects).toEqual({ did: [], left: [] })
  })

  it('of a profile without an operation does not send it', async () => {
    const shop = new Shop()
    const { target } = await runOn(shop, { without: ['updateInventory'] })
    expect(shop.requests.filter(isUpdate)).toEqual([])
    expect(target.log.unsent.every(each => each.isInapplicable)).toBe(true)
  })

  it('with any pet uses the first two of the inventory', async () => {
    const shop = new Shop()
    const { target } = await runOn(shop, { pets: 'any' })
    expect(target.log.fixtures.flatMap(({ resource, id }) => (resource === 'pet' ? [id] : []))).toEqual([
      '1',
      '2',
    ])
  })

  it('credits a named pet with the units of a cancelled order for it', async () => {
    const shop = new Shop((_request, own, next) => {
      const answer = next()
      if (answer.status === 204) own.stock.set('1', stockOf(own, '1') + 4n)
      return answer
    })
    shop.orderList = () => `[${[...shop.orders].map(([id]) => `{"id":${id},"petId":1,"quantity":4}`).join()}]`
    const { target } = await runOn(shop)
    expect(stockOf(shop, '1')).toBeGreaterThan(7n)
    expect((stockOf(shop, '1') - 7n) % 4n).toBe(0n)
    expect(target.unrestored).toEqual([])
  })

  it('changes a pet no further whose update got no answer in time, and restores it at the end', async () => {
    let isLost = false
    const shop = new Shop(
      updating((_own, pet, _quantity, nth) => {
        if (isLost || pet !== '1' || nth < 4) return undefined
        isLost = true
        return new Promise(() => undefined) as never
      }),
    )
    const { target } = await runOn(shop, { transport: shop.transport(100) })
    expect(shop.updates('1').length).toBeLessThan(10)
    expect([stockOf(shop, '1'), target.unrestored]).toEqual([7n, []])
    expect(target.warnings).toEqual([
      expect.stringMatching(
        /^an update of pet 1 got no answer in time.* after this run\. Check later that its stock is 7$/,
      ),
    ])
  })

  describe('that ends early', () => {
    it.each([1, 3, 12, 25, 60, 150, 300, 600])(
      'by Ctrl-C at request %i restores stock, and sends nothing else',
      async nth => {
        const stop = new AbortController()
        const shop = new Shop(meanwhile(nth, () => stop.abort()))
        const { target, error } = await runOn(shop, { signal: stop.signal })
        expect(error).toBeUndefined()
        expect([stockOf(shop, '1'), stockOf(shop, '2'), target.unrestored]).toEqual([7n, 0n, []])
        expect(shop.requests.length).toBeLessThan(nth + 20)
        expect(target.stopped()).toBe('The run was stopped before its end.')
      },
    )

    it('by Ctrl-C tears down, and does not wait long for it', async () => {
      const stop = new AbortController()
      const shop = new Shop(meanwhile(40, () => stop.abort()))
      await runOn(shop, { signal: stop.signal, states: shop.states })
      // Each setup that was made by then, the last one first.
      expect(shop.tornDown).toEqual(['pets', 'pets', 'shipped orders', 'pending orders'])
    })

    it('at its time limit says so', async () => {
      const shop = new Shop(async (_request, _shop, next) => {
        await new Promise(resolve => setTimeout(resolve, 5))
        return next()
      })
      const { target } = await runOn(shop, { maxDurationMs: 300 })
      expect(target.stopped()).toBe('The run was stopped after 0.3 s, its time limit.')
      expect(target.log.unsent).toContainEqual(
        expect.objectContaining({ need: 'give it more time with --max-duration' }),
      )
      expect([stockOf(shop, '1'), stockOf(shop, '2'), target.unrestored]).toEqual([7n, 0n, []])
    })
  })
})

/** A folder with the journal of an earlier run, which did not restore these pets. */
const leftBy = (...pets: readonly { petId: string; quantity: string; lost?: true }[]) => {
  const journal = { format: 'store-conformance-undo/1', baseUrl: BASE_URL, pets }
  return join(newFolder({ 'undo.json': JSON.stringify(journal) }), 'undo.json')
}

describe('what an earlier run has left', () => {
  it('is restored first if it is named, and else stays in the journal', async () => {
    const shop = new Shop()
    shop.stock.set('1', 99n)
    const undoPath = leftBy({ petId: '1', quantity: '7' }, { petId: '3', quantity: '8' })
    const { target } = await runOn(shop, { undoPath })
    expect([stockOf(shop, '1'), stockOf(shop, '3')]).toEqual([7n, 31n])
    expect(target.warnings).toEqual([
      'the stock of pet 1, which an earlier run had not restored, was restored from 99 to 7',
    ])
    expect(JSON.parse(readFileSync(undoPath, 'utf8')).pets).toEqual([{ petId: '3', quantity: '8' }])
  })

  it('is left alone if an earlier update that should have restored it did not', async () => {
    const shop = new Shop()
    shop.stock.set('1', 99n)
    const { target } = await runOn(shop, { undoPath: leftBy({ petId: '1', quantity: '7', lost: true }) })
    expect([stockOf(shop, '1'), shop.updates('1')]).toEqual([99n, []])
    expect(target.warnings).toEqual([expect.stringMatching(/^the stock of pet 1 was 7 and is 99 now/)])
  })

  it('a run that is killed at any of 30 moments is restored by restore, with nothing but undo.json and the key', async () => {
    const [undoPath, random] = [join(newFolder(), 'undo.json'), randomness(7).integers('moments')]
    const moments = new Set(Array.from({ length: 30 }, () => 1 + Number(random(1_000n))))
    const killed: { readonly stock: ReadonlyMap<string, bigint>; readonly folder: string }[] = []
    const copy = (shop: Shop) => {
      const folder = newFolder()
      if (existsSync(undoPath)) copyFileSync(undoPath, join(folder, 'undo.json'))
      killed.push({ stock: new Map(shop.stock), folder })
    }
    // Killed before the store has received a request, and after that.
    await runOn(
      new Shop((request, shop, next) => {
        if (moments.has(request.nth)) copy(shop)
        const answer = next()
        if (moments.has(request.nth)) copy(shop)
        return answer
      }),
      { undoPath },
    )
    expect(killed.length).toBeGreaterThan(50)
    expect(
      killed.filter(({ stock }) => stock.get('1') !== 7n || stock.get('2') !== 0n).length,
    ).toBeGreaterThan(20)
    for (const { stock, folder } of killed) {
      const shop = new Shop()
      for (const [pet, quantity] of stock) shop.stock.set(pet, quantity)
      const { baseUrl, apiKey, transport, timeoutMs } = shop.options
      await restoreFromJournal({
        baseUrl,
        apiKey,
        transport,
        timeoutMs,
        concurrency: 1,
        undoPath: join(folder, 'undo.json'),
      })
      expect([...shop.stock]).toEqual([...new Shop().stock])
      expect(existsSync(join(folder, 'undo.json'))).toBe(false)
    }
  })
})
