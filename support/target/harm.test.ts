import { expect, it } from 'vitest'
import {
  type Habit,
  isUpdate,
  quantityOf,
  refused,
  runOn,
  Shop,
  type ShopAnswer,
  type ShopRequest,
  stockOf,
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

const isCancellation = ({ method, hasKey }: ShopRequest) => method === 'DELETE' && hasKey
const isInventory = ({ method, resource, id }: ShopRequest) =>
  method === 'GET' && resource === 'pet' && id === ''

const does: Habit = (_request, _shop, next) => next()
/** A store that makes valid updates in another way. */
const updating =
  (make: (shop: Shop, pet: string, quantity: bigint) => bigint | ShopAnswer | undefined): Habit =>
  (request, shop, next) => {
    const quantity = quantityOf(request.body)
    if (!isUpdate(request) || quantity === undefined || !shop.stock.has(request.id)) return next()
    const made = make(shop, request.id, quantity)
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
const afterwards =
  (act: (request: ShopRequest, shop: Shop, answer: ShopAnswer) => void): Habit =>
  (request, shop, next) => {
    const answer = next()
    act(request, shop, answer)
    return answer
  }
/** Something that another client does at this request. */
const meanwhile =
  (nth: number, change: (shop: Shop) => void): Habit =>
  (request, shop, next) => {
    if (request.nth === nth) change(shop)
    return next()
  }
const withStock = (pet: string, quantity: bigint) => (shop: Shop) => void shop.stock.set(pet, quantity)
/** A store with many orders of other people. */
const crowded = (shop: Shop) => {
  for (let id = 1; id <= 700; id += 1)
    if (!shop.orders.has(String(id))) shop.orders.set(String(id), 'pending')
}
/** And with those that misread ids often are. */
const crowdedAtEnds = (shop: Shop) => {
  crowded(shop)
  for (const id of [0, 2 ** 31 - 1]) shop.orders.set(String(id), 'pending')
}

const LOST =
  /^the stock of pet 1 was 7 and is \d+ now; it could not be restored: .*Set it to 7 in the store itself/
const NOT_EXACT = /^pet 1 had a stock of \d+; after an update to \d+, answered 200, the inventory shows/
const OTHER = /^the stock of pet 3 was 31, and is \d+ after an update of pet 1/
const UNKNOWN =
  /which did not exist, so no further id that does not exist is tried|does not exist, was answered/

/** Stores that do harm, or that tempt to, with what a run may leave changed in them. */
type Row = readonly [Habit, Left?, ((shop: Shop) => void)?]

/** Makes valid updates in another way. */
const wrongUpdates: Readonly<Record<string, Row>> = {
  'adds the quantity': [
    updating((shop, pet, quantity) => stockOf(shop, pet) + quantity),
    { stock: ['1'], updates: 2, warning: LOST, unsent: NOT_EXACT },
  ],
  'adds the quantity, to nothing': [
    updating((shop, pet, quantity) => stockOf(shop, pet) + quantity),
    { stock: ['1'], updates: 3, warning: /^the stock of pet 1 was 0 and is/, unsent: NOT_EXACT },
    withStock('1', 0n),
  ],
  'ignores updates': [updating((shop, pet) => stockOf(shop, pet)), { updates: 2, unsent: NOT_EXACT }],
  'ignores the update that restores the stock': [
    updating((shop, pet, quantity) => (quantity === 7n ? stockOf(shop, pet) : quantity)),
    { stock: ['1'], updates: 3, warning: LOST, unsent: NOT_EXACT },
  ],
  'updates another pet as well': [
    updating((shop, _pet, quantity) => void shop.stock.set('3', quantity)),
    { stock: ['3'], updates: 2, warning: OTHER, unsent: OTHER },
  ],
  'updates another pet instead': [
    updating((shop, _pet, quantity) => shop.set('3', quantity)),
    { stock: ['3'], updates: 1, warning: OTHER, unsent: OTHER },
  ],
  'updates every pet': [
    updating((shop, _pet, quantity) => {
      for (const each of shop.stock.keys()) shop.stock.set(each, quantity)
      return quantity
    }),
    { stock: ['1', '3', '12.5'], updates: 4, warning: /^the stock of pet/, unsent: /^the stock of pet/ },
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
    { updates: 1, unsent: /had a stock of 5000; after an update to 5000, answered 400/ },
    withStock('1', 5_000n),
  ],
  'has a negative stock, and refuses one': [
    does,
    { updates: 1, unsent: /had a stock of -3; after an update to -3, answered 400/ },
    withStock('1', -3n),
  ],
  'has a large stock, and accepts one': [does, {}, withStock('1', 2n ** 31n)],
  'accepts quantities that are no integers': [
    (request, shop, next) => {
      const [, digits] = /"quantity"\s*:\s*"?(-?[0-9]{1,9})/.exec(request.body) ?? []
      const isMade = isUpdate(request) && digits && shop.stock.has(request.id)
      return isMade ? shop.set(request.id, BigInt(digits)) : next()
    },
  ],
  'changes the stock, and refuses the update': [
    afterwards((request, shop, { status }) => {
      if (isUpdate(request) && status === 400 && shop.stock.has(request.id)) shop.stock.set(request.id, 3n)
    }),
  ],
  'closes the connection on each second update': [
    (() => {
      let times = 0
      return afterwards(request => {
        if (isUpdate(request) && ++times % 2 === 0)
          throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
      })
    })(),
  ],
}

/** Does something to what it does not find. */
const wrongIds: Readonly<Record<string, Row>> = {
  'creates the pet that it does not find': [
    (request, shop, next) =>
      isUpdate(request) && quantityOf(request.body) !== undefined ? shop.set(request.id, 7n) : next(),
    {
      created: 1,
      warning:
        /^pet \d+, which did not exist, was created or changed by this run: PATCH .* was answered 200 \(exchange \d+\)/,
      unsent: UNKNOWN,
    },
  ],
  'creates the pet, and answers 404': [
    afterwards((request, shop, { status }) => {
      if (status === 404 && isUpdate(request)) shop.stock.set(request.id, 7n)
    }),
    {
      created: 1,
      warning: /^pet \d+, which did not exist, was created .* was answered 404/,
      unsent: UNKNOWN,
    },
  ],
  'answers 204 for an order that it does not find': [
    (request, _shop, next) => {
      const answer = next()
      const isUnknown = isCancellation(request) && answer.status === 404 && !request.id.startsWith('1')
      return isUnknown ? { status: 204 } : answer
    },
    { warning: /^order \d+, which did not exist, was created or changed/, unsent: UNKNOWN },
  ],
  'cancels its last order for each that it does not find': [
    reading((id, shop) =>
      id.startsWith('inv') || shop.orders.has(id) || shop.stock.has(id)
        ? undefined
        : [...shop.orders].findLast(([, state]) => state === 'pending')?.[0],
    ),
    { cancelled: 1, warning: /^order \d+, which did not exist, was/, unsent: UNKNOWN },
  ],
  'cancels a named order for each that it does not find, and answers 404': [
    afterwards((request, shop, { status }) => {
      if (isCancellation(request) && status === 404) shop.orders.set('103', 'cancelled')
    }),
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
  ...Object.fromEntries(
    Object.entries<(id: string) => string | undefined>({
      'an id with a leading zero as octal': id =>
        /^0[0-7]+$/.test(id) ? String(Number.parseInt(id, 8)) : undefined,
      'the first digits of an id': id => /^[0-9]+/.exec(id)?.[0],
      'the last digits of an id': id => /[0-9]+$/.exec(id)?.[0],
      'all digits of an id': id => id.replace(/\D/g, ''),
      'an id as a double': id => String(Math.trunc(Number(id)) || 0),
      'an id as 32 bits': id => String(BigInt.asIntN(32, BigInt(/^-?[0-9]+$/.test(id) ? id : 0))),
      'an id up to 2^31 - 1': id => String(Math.min(Number.parseFloat(id), 2 ** 31 - 1) || 0),
      'what is no id as 0': id => (/^-?[0-9.]+$/.test(id) ? undefined : '0'),
    }).map(([what, read]): [string, Row] => [`reads ${what}`, [reading(read), {}, crowdedAtEnds]]),
  ),
  'shows orders without ids': [
    (request, shop, next) =>
      request.resource === 'order' && request.method === 'GET'
        ? { status: 200, body: `[${[...shop.orders].map(() => '{}').join()}]` }
        : next(),
    { unsent: /^DELETE \S+ could change order|^no order id is known/ },
    crowded,
  ],
}

/** Accepts requests without a key. */
const wrongKeys: Readonly<Record<string, Row>> = {
  'accepts any key': [(request, shop) => shop.answer({ ...request, hasKey: true })],
  'needs no key to update': [
    (request, shop, next) =>
      request.method === 'PATCH' ? shop.answer({ ...request, hasKey: true }) : next(),
  ],
  'takes another method from the query, without a key': [
    (request, shop, next) =>
      request.method === 'POST' || (request.method === 'GET' && request.id !== '')
        ? shop.answer({ ...request, method: request.resource === 'pet' ? 'PATCH' : 'DELETE', hasKey: true })
        : next(),
  ],
}

const UNREAD = 'is unknown now, because the inventory could not be read'
const FOREIGN =
  /^the stock of pet 1 was 7 and is 123456 now, which this run did not send; it was left as it is$/

/** Does not show the stock, or does not take it back. */
const wrongEnds: Readonly<Record<string, Row>> = {
  'always shows an old inventory': [
    listing(() => '[{"petId":1,"quantity":7},{"petId":2,"quantity":0},{"petId":3,"quantity":31}]'),
    { updates: 2, unsent: NOT_EXACT },
  ],
  'shows an old inventory at the end': [
    listing(shop => (shop.isEnding ? '[{"petId":1,"quantity":7},{"petId":2,"quantity":0}]' : undefined)),
  ],
  'fails at the inventory': [
    listing(() => refused(500)),
    { updates: 0, unsent: /^the inventory could not be read, so pet 1 is not used$/ },
  ],
  'fails at the list of orders': [
    when(({ method, resource }) => method === 'GET' && resource === 'order', refused(500)),
    { unsent: /^the list of orders could not be read, so no order id is known to be unused/ },
  ],
  'fails at the inventory at the end': [
    listing(shop => (shop.isEnding ? refused(500) : undefined)),
    { unrestored: ['1', '2'], warning: new RegExp(`^the stock of pet [12] was \\d and ${UNREAD}`) },
  ],
  'fails at the updates that restore the stock': [
    when((request, shop) => shop.isEnding && isUpdate(request), refused(500)),
    { stock: ['1', '2'], warning: /it could not be restored: the update was answered 500$/ },
  ],
  'refuses the key at the end': [
    when((_request, shop) => shop.isEnding, refused(401)),
    { stock: ['1', '2'], warning: new RegExp(`${UNREAD}: the update was answered 401$`) },
  ],
  'asks to retry later at the end, and serves then': [
    (() => {
      let times = 0
      const isBusy = (request: ShopRequest, shop: Shop) => shop.isEnding && isUpdate(request) && ++times <= 3
      return when(isBusy, { status: 429, headers: [['Retry-After', '0.1']] })
    })(),
  ],
  'asks to retry in an hour at the end': [
    when((_request, shop) => shop.isEnding, { status: 429, headers: [['Retry-After', '3600']] }),
    { stock: ['1', '2'], warning: /is unknown now.*answered nothing$/ },
  ],
  'gets another value from another client in the middle of the run': [
    meanwhile(300, withStock('1', 123_456n)),
  ],
  'gets another value from another client at the end': [
    (request, shop, next) => {
      if (shop.isEnding && shop.updates('1').length > 0 && isInventory(request) && stockOf(shop, '1') !== 7n)
        shop.stock.set('1', 123_456n)
      return next()
    },
    { stock: ['1'], warning: FOREIGN },
  ],
  'sells other pets all the time': [
    afterwards((_request, shop) => void shop.stock.set('3', stockOf(shop, '3') + 1n)),
    { stock: ['3'], unrestored: [] },
  ],
}

it.each(
  Object.entries({
    'does what it should': [does],
    ...wrongUpdates,
    ...wrongIds,
    ...wrongKeys,
    ...wrongEnds,
  } as Record<string, Row>),
)('a store that %s', async (_what, [habit, left = {}, prepare]) => {
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
  expect(shop.updates('1').length).toBeLessThanOrEqual(left.updates ?? Infinity)
  if (left.warning) expect(target.warnings).toContainEqual(expect.stringMatching(left.warning))
  else expect(target.warnings).toEqual([])
  const reasons = [...new Set(target.log.unsent.map(({ reason }) => reason))]
  if (left.unsent) expect(reasons).toContainEqual(expect.stringMatching(left.unsent))
  else expect(reasons.filter(reason => !/could change order/.test(reason))).toEqual([])
})
