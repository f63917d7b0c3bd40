import { expect, it } from 'vitest'
import { isWrong } from '../../suites/oracle/answer.ts'
import type { Habit, ShopAnswer, ShopRequest } from './testing/shop.ts'
import { isUpdate, quantityOf, refused, runOn, Shop, stockOf } from './testing/shop.ts'

/** What a run may leave changed in a store, besides the named pending orders. */
interface Left {
  /** Pets whose stock differs. The run must report exactly these, or `unrestored`. */
  readonly stock?: readonly string[]
  readonly unrestored?: readonly string[]
  /** Pets that exist since, and orders of others that are cancelled, at most. */
  readonly created?: number
  readonly cancelled?: number
  readonly warning?: RegExp
  /** Why some requests were not sent. */
  readonly unsent?: RegExp
  /** Updates of pet 1 with the key, at most. */
  readonly updates?: number
}
type Prepare = (shop: Shop) => void
type Row = readonly [Habit, Left?, Prepare?]

const isCancellation = ({ method, hasKey }: ShopRequest) => method === 'DELETE' && hasKey
const isInventory = ({ method, resource, id, hasKey }: ShopRequest) =>
  method === 'GET' && resource === 'pet' && id === '' && hasKey
const isOrders = ({ method, resource }: ShopRequest) => method === 'GET' && resource === 'order'

const does: Habit = () => undefined
/** A store that makes valid updates in another way. */
const updating =
  (make: (shop: Shop, pet: string, quantity: bigint) => bigint | ShopAnswer | undefined): Habit =>
  (request, shop) => {
    const quantity = quantityOf(request.body)
    if (!isUpdate(request) || quantity === undefined || !shop.stock.has(request.id)) return undefined
    const made = make(shop, request.id, quantity)
    return typeof made === 'bigint' ? shop.set(request.id, made) : made
  }
/** A store that reads the id of an order or a pet in another way. */
const reading =
  (read: (id: string, shop: Shop) => string | undefined): Habit =>
  (request, shop) => {
    const id = request.hasKey && request.id !== '' ? read(request.id, shop) : undefined
    return id === undefined ? undefined : shop.answer({ ...request, id })
  }
/** A store that takes some requests for others. */
const taking =
  (isIt: (request: ShopRequest) => boolean, other: (request: ShopRequest) => Partial<ShopRequest>): Habit =>
  (request, shop) =>
    isIt(request) ? shop.answer({ ...request, ...other(request) }) : undefined
const answering =
  (isIt: (request: ShopRequest, shop: Shop) => boolean, answer: ShopAnswer): Habit =>
  (request, shop) =>
    isIt(request, shop) ? answer : undefined
const afterwards =
  (act: (request: ShopRequest, shop: Shop, status: number) => void): Habit =>
  (request, shop, next) => {
    const answer = next()
    act(request, shop, answer.status)
    return answer
  }
const adding = updating((shop, pet, quantity) => stockOf(shop, pet) + quantity)
/** Sets these as well. */
const settingAll = (pets: (shop: Shop) => Iterable<string>) =>
  updating((shop, _pet, quantity) => {
    for (const each of pets(shop)) shop.stock.set(each, quantity)
    return quantity
  })
const withStock =
  (quantity: bigint): Prepare =>
  ({ stock }) =>
    void stock.set('1', quantity)
/** A store with many orders of other people. */
const crowded: Prepare = ({ orders }) => {
  for (let id = 1; id <= 700; id += 1) if (!orders.has(String(id))) orders.set(String(id), 'pending')
}
/** And with those that misread ids often are. */
const crowdedAtEnds: Prepare = shop => {
  crowded(shop)
  for (const id of [0, 2 ** 31 - 1]) shop.orders.set(String(id), 'pending')
}
/** How stores misread ids. */
const misreadings: Readonly<Record<string, (id: string) => string | undefined>> = {
  'an id with a leading zero as octal': id =>
    /^0[0-7]+$/.test(id) ? String(Number.parseInt(id, 8)) : undefined,
  'the first digits of an id': id => /^[0-9]+/.exec(id)?.[0],
  'the last digits of an id': id => /[0-9]+$/.exec(id)?.[0],
  'all digits of an id': id => id.replace(/\D/g, ''),
  'an id as a double': id => String(Math.trunc(Number(id)) || 0),
  'an id as 32 bits': id => String(BigInt.asIntN(32, BigInt(/^-?[0-9]+$/.test(id) ? id : 0))),
  'an id up to 2^31 - 1': id => String(Math.min(Number.parseFloat(id), 2 ** 31 - 1) || 0),
  'what is no id as 0': id => (/^-?[0-9.]+$/.test(id) ? undefined : '0'),
}

const LOST =
  /^the stock of pet 1 was 7 and is \d+ now; it could not be restored: .*Set it to 7 in the store itself/
const NOT_EXACT = /^pet 1 had a stock of \d+; after an update to \d+, answered 200, the inventory shows/
const OTHER = /^the stock of pet 3 was 31, and is \d+ after an update of pet 1/
const CREATED =
  /^pet \d+, which did not exist, and which updateInventory created or changed \(exchange \d+, answered (200|404)\)$/
const ACCEPTED = /^order \d+, which did not exist, and which cancelOrder created or changed/
const UNKNOWN =
  /which did not exist, so no further id that does not exist is tried|does not exist, was answered/
const UNREAD = 'is unknown now, because the inventory could not be read'
const FOREIGN =
  /^the stock of pet 1 was 7 and is 123456 now, which this run did not send; it was left as it is$/
const OLD = '[{"petId":1,"quantity":7},{"petId":2,"quantity":0},{"petId":3,"quantity":31}]'
const later = (after: string): ShopAnswer => ({ status: 429, headers: [['Retry-After', after]] })
let busyTimes = 3

/** Stores that do harm, or that tempt to, with what a run may leave changed in them. */
// biome-ignore format: a table
const rows: Readonly<Record<string, Row>> = {
  'does what it should': [does],
  // Makes valid updates in another way.
  'adds the quantity': [adding, { stock: ['1'], updates: 2, warning: LOST, unsent: NOT_EXACT }, ({ stock }) => void stock.set('2', 12n)],
  'adds the quantity, to nothing': [adding, { stock: ['1'], updates: 3, warning: /^the stock of pet 1 was 0 and is/, unsent: NOT_EXACT }, withStock(0n)],
  'ignores updates': [updating((shop, pet) => stockOf(shop, pet)), { updates: 2, unsent: NOT_EXACT }],
  'ignores the update that restores the stock': [updating((shop, pet, quantity) => (quantity === 7n ? stockOf(shop, pet) : quantity)), { stock: ['1'], updates: 3, warning: LOST, unsent: NOT_EXACT }],
  'updates another pet as well': [settingAll(() => ['3']), { stock: ['3'], updates: 2, warning: OTHER, unsent: OTHER }],
  'updates another pet instead': [updating((shop, _pet, quantity) => shop.set('3', quantity)), { stock: ['3'], updates: 1, warning: OTHER, unsent: OTHER }],
  'updates every pet': [settingAll(({ stock }) => stock.keys()), { stock: ['1', '12.5', '3'], updates: 4, warning: /^the stock of pet/, unsent: /^the stock of pet/ }],
  'keeps one stock for two pets': [settingAll(() => ['1', '2']), { stock: ['1'], updates: 4, warning: LOST, unsent: /^the stock of pet 2 was 0/ }],
  'refuses its own stock': [updating((_shop, _pet, quantity) => (quantity > 1000n ? refused(400) : undefined)), { updates: 1, unsent: /had a stock of 5000; after an update to 5000, answered 400/ }, withStock(5_000n)],
  'has a negative stock, and refuses one': [does, { updates: 1, unsent: /had a stock of -3; after an update to -3, answered 400/ }, withStock(-3n)],
  'has a large stock, and accepts one': [does, {}, withStock(2n ** 31n)],
  'accepts quantities that are no integers': [
    (request, shop) => {
      const [, digits] = /"quantity"\s*:\s*"?(-?[0-9]{1,9})/.exec(request.body) ?? []
      const isMade = isUpdate(request) && digits && shop.stock.has(request.id)
      return isMade ? shop.set(request.id, BigInt(digits)) : undefined
    },
  ],
  'changes the stock, and refuses the update': [
    afterwards((request, { stock }, status) => {
      if (isUpdate(request) && status === 400 && stock.has(request.id)) stock.set(request.id, 3n)
    }),
  ],
  'closes the connection on each second update': [
    afterwards((request, { requests }) => {
      if (isUpdate(request) && requests.filter(isUpdate).length % 2 === 0)
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    }),
  ],
  // Does something to what it does not find.
  'creates the pet that it does not find': [
    (request, shop) => (isUpdate(request) && quantityOf(request.body) !== undefined ? shop.set(request.id, 7n) : undefined),
    { created: 1, warning: CREATED, unsent: UNKNOWN },
  ],
  'creates the pet, and answers 404': [
    afterwards((request, { stock }, status) => void (status === 404 && isUpdate(request) && stock.set(request.id, 7n))),
    { created: 1, warning: CREATED, unsent: UNKNOWN },
  ],
  'answers 204 for an order that it does not find': [
    answering((request, { orders }) => isCancellation(request) && /^[^1]/.test(request.id) && !orders.has(request.id), { status: 204 }),
    { warning: ACCEPTED, unsent: UNKNOWN },
  ],
  'cancels its last order for each that it does not find': [
    reading((id, { orders, stock }) =>
      id.startsWith('inv') || orders.has(id) || stock.has(id)
        ? undefined
        : [...orders].findLast(([, state]) => state === 'pending')?.[0],
    ),
    { cancelled: 1, warning: ACCEPTED, unsent: UNKNOWN },
  ],
  'cancels a named order for each that it does not find, and answers 404': [
    afterwards((request, { orders }, status) => void (isCancellation(request) && status === 404 && orders.set('103', 'cancelled'))),
    { unsent: /^order 103 was changed while requests named only ids that do not exist/ },
  ],
  'writes the id of an order into a condition': [
    (request, shop) => {
      const [id = '', other = '0'] = decodeURIComponent(request.id).split(/ or /i)
      if (isCancellation(request) && Number(other) !== 0)
        for (const each of shop.orders.keys()) shop.orders.set(each, 'cancelled')
      return isCancellation(request) ? shop.answer({ ...request, id }) : undefined
    },
    {},
    crowded,
  ],
  ...Object.fromEntries(Object.entries(misreadings).map(([what, read]): [string, Row] => [`reads ${what}`, [reading(read), {}, crowdedAtEnds]])),
  'shows orders without ids': [
    (request, { orders }) => (isOrders(request) ? { status: 200, body: `[${[...orders].map(() => '{}')}]` } : undefined),
    { unsent: /^DELETE \S+ could change order|^no order id is known/ },
    crowded,
  ],
  // Accepts requests without a key.
  'accepts any key': [taking(() => true, () => ({ hasKey: true }))],
  'needs no key to update': [taking(({ method }) => method === 'PATCH', () => ({ hasKey: true }))],
  'takes another method from the query, without a key': [
    taking(
      ({ method, id }) => method === 'POST' || (method === 'GET' && id !== ''),
      ({ resource }) => ({ method: resource === 'pet' ? 'PATCH' : 'DELETE', hasKey: true }),
    ),
  ],
  // Does not show the stock, or does not take it back.
  'always shows an old inventory': [answering(isInventory, { status: 200, body: OLD }), { updates: 2, unsent: NOT_EXACT }],
  'shows an old inventory at the end': [answering((request, { isEnding }) => isEnding && isInventory(request), { status: 200, body: OLD })],
  'fails at the inventory': [answering(isInventory, refused(500)), { updates: 0, unsent: /^the inventory could not be read, so pet 1 is not used$/ }],
  'fails at the list of orders': [answering(isOrders, refused(500)), { unsent: /^the list of orders could not be read, so no order id is known to be unused/ }],
  'fails at the inventory at the end': [answering((request, { isEnding }) => isEnding && isInventory(request), refused(500)), { unrestored: ['1', '2'], warning: new RegExp(`^the stock of pet [12] was \\d and ${UNREAD}`) }],
  'fails at the updates that restore the stock': [answering((request, { isEnding }) => isEnding && isUpdate(request), refused(500)), { stock: ['1', '2'], warning: /it could not be restored: the update was answered 500$/ }],
  'refuses the key at the end': [answering((_request, { isEnding }) => isEnding, refused(401)), { stock: ['1', '2'], warning: new RegExp(`${UNREAD}: the update was answered 401$`) }],
  'asks to retry later at the end, and serves then': [
    answering((request, { isEnding }) => isEnding && isUpdate(request) && busyTimes-- > 0, later('0.1')),
  ],
  'asks to retry in an hour at the end': [answering((_request, { isEnding }) => isEnding, later('3600')), { stock: ['1', '2'], warning: /is unknown now.*answered nothing$/ }],
  'gets another value from another client in the middle of the run': [afterwards(({ nth }, { stock }) => void (nth === 300 && stock.set('1', 123_456n)))],
  'gets another value from another client at the end': [
    (request, shop) => {
      const isChanged = shop.updates('1').length > 0 && stockOf(shop, '1') !== 7n
      if (shop.isEnding && isChanged && isInventory(request)) shop.stock.set('1', 123_456n)
      return undefined
    },
    { stock: ['1'], warning: FOREIGN },
  ],
  'sells other pets all the time': [afterwards((_request, shop) => void shop.stock.set('3', stockOf(shop, '3') + 1n)), { stock: ['3'], unrestored: [] }],
}

it.each(Object.entries(rows))('a store that %s', async (_what, [habit, left = {}, prepare]) => {
  const shop = new Shop(habit)
  prepare?.(shop)
  const [orders, stock] = [new Map(shop.orders), new Map(shop.stock)]
  const { target, error } = await runOn(shop)
  expect(error).toBeUndefined()
  const changed = [...stock].flatMap(([pet, quantity]) => (shop.stock.get(pet) === quantity ? [] : [pet]))
  expect(changed.sort()).toEqual(left.stock ?? [])
  const lost = [...orders].filter(
    ([id, state]) => shop.orders.get(id) !== state && !['101', '102', '103'].includes(id),
  )
  expect(lost.length).toBeLessThanOrEqual(left.cancelled ?? 0)
  expect(shop.stock.size - stock.size).toBeLessThanOrEqual(left.created ?? 0)
  expect([...target.unrestored].sort()).toEqual(left.unrestored ?? changed)
  expect(target.effects.left.length > 0).toBe(target.unrestored.length + target.client.created.length > 0)
  expect(shop.updates('1').length).toBeLessThanOrEqual(left.updates ?? Infinity)
  if (left.warning) expect(target.warnings).toContainEqual(expect.stringMatching(left.warning))
  else expect(target.warnings).toEqual([])
  const reasons = [...new Set(target.log.unsent.map(({ reason }) => reason))]
  // Whether a store accepts a large or a negative quantity is open.
  const large = target.log.exchanges.filter(({ ask }) => /^-|^\d{4}/.test(ask.body?.quantity ?? ''))
  expect(large.filter(each => each.response?.status === 400 && isWrong(each))).toEqual([])
  if (left.unsent) expect(reasons).toContainEqual(expect.stringMatching(left.unsent))
  else expect(reasons.filter(reason => !/could change order/.test(reason))).toEqual([])
})
