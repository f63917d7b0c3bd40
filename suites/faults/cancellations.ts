import { setTimeout as sleep } from 'node:timers/promises'
import { INT64_MAX, isInt64 } from '../../support/interface/numbers.ts'
import {
  addOrder,
  type Domain,
  entryOf,
  messageOf,
  type Order,
  type OrderState,
  type RequestContext,
  resultChanged,
  withBody,
  withHeader,
} from '../../support/reference/index.ts'
import { afterUpdate, besideLike, endingIn, onlyThe, repeated, requesting } from './moments.ts'
import {
  answered,
  ask,
  asks,
  type Defect,
  deciding,
  doing,
  emptied,
  headed,
  lost,
  member,
  rowsOf,
  sent,
  unanswered,
} from './operators.ts'

const { 'cancel-pending-204': cancel, 'cancel-twice-refused': cancelAgain } = asks
const { 'cancel-shipped-409': cancelShipped, 'cancel-unknown-404': cancelUnknown } = asks
const any = ask()
const cancelQueried = ask('cancelOrder', 204, ({ url }) => url.search !== '')
const cancelAmong = ask('cancelOrder', 204, ({ domain }) => domain.orders.size > 900)
const unknown = (isMet: (id: bigint) => boolean) =>
  ask('cancelOrder', 404, ({ found: { orderId } }) => orderId !== undefined && isMet(orderId))
const cancelInt64 = unknown(() => true)
const cancelLong = unknown(id => BigInt.asIntN(32, id) !== id)
const cancelLowest = unknown(id => id === -(2n ** 63n))
const cancelNameless = ask('cancelOrder', 404, ({ found }) => found.orderId === undefined)

/** Changes the id that was read from the path. */
const read = (change: (id: bigint) => bigint) =>
  deciding(resultChanged('readOrderId', id => (id === undefined ? undefined : change(id))))

/** Reads the path in another way. */
const readAs = (change: (text: string, ctx: RequestContext) => string) =>
  deciding(base => ({ readOrderId: (text, ctx) => base.readOrderId(change(text, ctx), ctx) }))

const readDigits = (change: (id: bigint) => bigint) =>
  readAs(text => (/^\d+$/.test(text) ? String(change(BigInt(text))) : text))

/** Finds an order by an id that has one digit more, and is not its own. */
const finding = (matches: (id: string, order: string) => boolean) =>
  deciding(
    resultChanged('findOrder', (found, id, { domain }) => {
      const text = String(id)
      const isMet = (order: string) => order.length + 1 === text.length && matches(text, order)
      return found ?? [...domain.orders.values()].find(order => isMet(String(order.id)))
    }),
  )

/** Finds no order by such ids. */
const missing = (isMissing: (id: bigint) => boolean) =>
  deciding(resultChanged('findOrder', (order, id) => (isMissing(id) ? undefined : order)))

/** Finds no order by an id that no order had before. */
const remembering = deciding(base => {
  const unknown = new Set<bigint>()
  return resultChanged('findOrder', (order, id) => {
    if (!order) unknown.add(id)
    return unknown.has(id) ? undefined : order
  })(base)
})

/** Treats an order as if it was in another state. */
const taking = (from: OrderState, to: OrderState) =>
  deciding(resultChanged('judgeCancel', state => (state === from ? to : state)))

/** The request also changes the order. */
const changing = (change: (order: Order, domain: Domain) => unknown) =>
  doing(({ found: { order }, domain }) => order && change(order, domain))

/** The request also changes other pending orders. */
const others = (changes: Partial<Order>, isMet = (_other: bigint, _id: bigint) => true) =>
  changing(({ id }, { orders }) => {
    for (const each of orders.values())
      if (each.state === 'pending' && isMet(each.id, id)) Object.assign(each, changes)
  })

/** The request also changes the stock of pets: of the one that the order is for, or of all. */
const restocking = (change: (stock: bigint, units: bigint) => bigint, which: 'own' | 'all' = 'own') =>
  changing(({ petId, quantity }, domain) => {
    for (const each of domain.stock.values())
      if (which === 'all' || each === entryOf(domain, petId)) each.quantity = change(each.quantity, quantity)
  })

/** The state is read, and written a moment later, without a lock. */
const racing = deciding(base => ({
  applyCancel: (...given) => sleep(5).then(() => base.applyCancel(...given)),
}))

const ending = others({ state: 'cancelled' }, (other, id) => String(other).endsWith(String(id)))
/** Compares ids as `LIKE '%7'` does. The ids are scattered, because consecutive ids seldom end alike. */
const endingAlike: Defect = isMet => base => ({
  newOrderId: n => BigInt((n * 7919) % 6007),
  ...ending(isMet)(base),
})
const alike = others({ state: 'cancelled' }, (other, id) => BigInt.asUintN(32, other ^ id) === 0n)
const removed = changing(({ id }, { orders }) => orders.delete(id))
const reversed = changing(order => Object.assign(order, { state: 'pending' }))
const created = doing(({ found, domain }) => addOrder(domain, { id: found.orderId ?? 0n }))
const queryFirst = readAs((text, { url }) => url.searchParams.get('orderId') ?? text)
const withNull = sent(answer => messageOf(withBody(answer, 'null')))
const inChunks = sent(answer => messageOf(withHeader(answer, 'Transfer-Encoding', 'chunked')))

const TRACE = '"Traceback (most recent call last):\\n  File \\"store.py\\", line 7\\n"'
const STOCK = 'cancel-changes-no-other-stock'
const NAMELESS = 'cancel-nameless-path-cancels-nothing'
const NOT_CHOSEN = { outOfReachWhenNamed: 'named ids cannot be chosen' }
const TOO_FEW = { outOfReachWhenNamed: 'named orders are too few' }
const STALE = { outOfReachWhenNamed: 'a named order may have been cancelled since, so a 409 proves nothing' }
const NOT_LOST = { outOfReachWhenNamed: 'a named order may not be lost by a request that names another one' }
const ANY_PETS = { outOfReachWhenNamed: 'named orders are for any pets' }
const OWN_PET = { ...ANY_PETS, when: afterUpdate }
const DECLINED = { ...TOO_FEW, also: ['cancel-path-names-order'] }
const TWICE = { also: ['cancel-race-once'] }
const BESIDE = { ...TOO_FEW, ...TWICE, when: besideLike }
const THIRD = { ...TWICE, when: repeated(3) }
const THIRD_ONLY = { when: onlyThe(3) }
const ENDING_IN_9 = { ...TOO_FEW, when: endingIn('9') }
const OTHER_ORIGIN = { ...TOO_FEW, when: requesting('origin', /./) }

/** Wrong answers to cancellations, wrong orders for the id in the path, and wrong changes of states. */
export const faults = rowsOf({
  'cancel-200': [cancel, 'cancel-pending-204', answered(200)],
  'cancel-never': [any, 'cancel-pending-204', taking('pending', 'shipped'), STALE],
  '204-with-null': [cancel, 'cancel-204-no-body', withNull],
  'cancel-chunked-204': [cancel, 'cancel-no-transfer-encoding', inChunks],
  'cancelled-and-dropped': [cancel, 'every-request-answered/cancelOrder', unanswered, TOO_FEW],
  'cancel-declined-with-effect': [cancelQueried, 'any-form/cancelOrder', answered(400), DECLINED],
  'cancel-500-among-many': [cancelAmong, 'any-size/cancelOrder', answered(500), ANY_PETS],
  'cancel-no-effect': [cancel, 'cancel-twice-refused', lost],
  'cancel-third-lost': [cancel, ['at-the-end/cancelOrder', 'any-form/cancelOrder'], lost, THIRD_ONLY],
  'cancel-different-lost': [cancel, 'beside-anything/cancelOrder', lost, BESIDE],
  'cancel-of-another-origin-without-effect': [cancel, 'any-form/cancelOrder', lost, OTHER_ORIGIN],
  'cancel-race': [any, 'cancel-race-once', racing],
  'cancel-all': [cancel, 'cancel-only-that-order', others({ state: 'cancelled' }), STALE],
  'cancel-completes-others': [cancel, 'cancel-only-that-order', others({ complete: true })],
  'cancel-ending-alike': [cancel, 'any-data/cancelOrder', endingAlike, TOO_FEW],
  'cancel-equal-low-bits': [cancel, 'cancel-exact-id', alike, NOT_CHOSEN],
  'cancel-restocks-every-pet': [cancel, STOCK, restocking((stock, units) => stock + units, 'all')],
  'units-return-twice': [cancel, STOCK, restocking((all, units) => all + 2n * units), ANY_PETS],
  'cancel-twice-204': [cancelAgain, 'cancel-twice-refused', emptied(204)],
  'third-cancel-succeeds': [
    cancelAgain,
    ['after-anything/cancelOrder', 'beside-anything/cancelOrder'],
    emptied(204),
    THIRD,
  ],

  // Orders for a pet whose stock was updated.
  'own-pet-cancel-409': [cancel, 'any-data', answered(409), OWN_PET],
  'own-pet-cancel-again-204': [cancelAgain, 'any-data', emptied(204), OWN_PET],
  'shipped-ending-in-9-refused': [cancelShipped, 'any-data/cancelOrder', answered(422), ENDING_IN_9],
  'own-pet-shipped-204': [cancelShipped, 'any-data', emptied(204), OWN_PET],

  'shipped-cancelled': [any, 'cancel-shipped-409', taking('shipped', 'pending')],
  'shipped-refused-and-removed': [cancelShipped, 'cancel-shipped-unchanged', removed],
  'shipped-refused-and-restocked': [cancelShipped, STOCK, restocking((all, units) => all + units), ANY_PETS],
  'shipped-reverses': [cancelShipped, ['after-anything/cancelOrder', 'any-form/cancelOrder'], reversed],

  'unknown-order-404-and-created': [cancelInt64, 'cancel-unknown-creates-nothing', created],
  'unknown-order-remembered': [any, 'cancel-created-after-404', remembering, NOT_CHOSEN],
  'cancel-404-no-code': [cancelUnknown, 'cancel-404-error-body', member('code')],
  'cancel-404-html': [cancelUnknown, 'cancel-404-content-type', headed('Content-Type', 'text/html')],
  'malformed-id-trace': [cancelUnknown, 'no-stack-trace/cancelOrder', member('trace', TRACE)],
  'unknown-order-204': [cancelInt64, 'cancel-unknown-404', emptied(204)],
  'unknown-order-int32-400': [cancelLong, 'cancel-unknown-404', answered(400)],
  'unknown-order-lowest-400': [cancelLowest, 'cancel-unknown-404', answered(400)],

  'query-names-order': [any, 'cancel-path-names-order', queryFirst, NOT_LOST],
  'path-through-double': [any, 'cancel-exact-id', read(id => BigInt(Number(id))), NOT_CHOSEN],
  'id-zero-missing': [any, 'cancel-edge-id', missing(id => id === 0n), NOT_CHOSEN],
  'id-negative-missing': [any, 'cancel-edge-id', missing(id => id < 0n), NOT_CHOSEN],
  'path-sign-lost': [any, 'cancel-similar-id-404', read(id => (id < 0n ? -id : id))],
  'path-in-32-bits': [any, 'cancel-similar-id-404', read(id => BigInt.asIntN(32, id))],
  'path-leading-digits': [any, 'cancel-similar-id-404', finding((id, order) => id.startsWith(order))],
  'path-trailing-digits': [any, 'cancel-similar-id-404', finding((id, order) => id.endsWith(order))],
  'path-word-204': [cancelNameless, NAMELESS, emptied(204)],
  'path-as-far-as-digits': [any, NAMELESS, readAs(text => /^-?\d+/.exec(text)?.[0] ?? '')],
  'path-wraps-at-64-bits': [any, NAMELESS, readDigits(id => BigInt.asIntN(64, id))],
  'path-saturates-at-64-bits': [any, NAMELESS, readDigits(id => (isInt64(id) ? id : INT64_MAX)), NOT_CHOSEN],
  'path-words-as-zero': [any, NAMELESS, readAs(text => (/^-?\d+$/.test(text) ? text : '0')), NOT_CHOSEN],
})
