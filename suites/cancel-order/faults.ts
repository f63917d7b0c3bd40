import { setTimeout as sleep } from 'node:timers/promises'
import { INT64_MAX } from '../../support/interface/numbers.ts'
import {
  type Answer,
  addOrder,
  breaking,
  type CancelCase,
  decidedFirst,
  entryOf,
  messageOf,
  type Order,
  type OrderState,
  type Override,
  type RequestContext,
  resultChanged,
  withBody,
  withHeader,
} from '../../support/reference/index.ts'
import { OUT_OF_REACH_STALE } from '../fault-timing.ts'

/** Changes the id that was read from the path. */
const read = (change: (id: bigint) => bigint): Override =>
  resultChanged('readOrderId', id => (id === undefined ? undefined : change(id)))

/** Reads the path in another way. */
const readAs =
  (change: (text: string, ctx: RequestContext) => string): Override =>
  base => ({ readOrderId: (text, ctx) => base.readOrderId(change(text, ctx), ctx) })

/** Finds an order by an id that is not its own but matches. */
const finding = (matches: (id: bigint, order: bigint) => boolean): Override =>
  resultChanged(
    'findOrder',
    (found, id, { domain }) => found ?? [...domain.orders.values()].find(order => matches(id, order.id)),
  )

/** Finds no order by such ids. */
const missing = (isMissing: (id: bigint) => boolean): Override =>
  resultChanged('findOrder', (order, id) => (isMissing(id) ? undefined : order))

const hasFurtherDigit = (id: bigint, order: bigint): boolean => String(id).length === String(order).length + 1

/** Treats an order as if it was in another state. */
const taking = (from: OrderState, to: OrderState): Override =>
  resultChanged('judgeCancel', state => (state === from ? to : state))

/** Changes the order, or others, before the cancellation is answered as it should be. */
const changing = (met: CancelCase, change: (order: Order, ctx: RequestContext) => void): Override =>
  decidedFirst('answerCancel', (each, ctx) => {
    if (each === met && ctx.found.order) change(ctx.found.order, ctx)
  })

/** Also cancels other pending orders. */
const alsoCancelling = (isMet: (other: bigint, id: bigint) => boolean): Override =>
  resultChanged('applyCancel', (_, { id }, { domain }) => {
    for (const each of domain.orders.values())
      if (each.state === 'pending' && isMet(each.id, id)) each.state = 'cancelled'
  })

/** Sends these bytes for a 204. */
const sent204 =
  (bytes: (answer: Answer) => Uint8Array): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      answer.status === 204 ? wire.raw(bytes(answer), 'keep') : base.deliver(answer, wire, ctx),
  })

const NOT_CHOSEN = { outOfReachWhenNamed: 'named ids cannot be chosen' }

const low = (id: bigint): bigint => BigInt.asUintN(32, id)

/** Wrong orders for the id in the path, and wrong state changes. */
export const faults = breaking({
  'query-names-order': [
    'cancel-path-names-order',
    readAs((text, { url }) => url.searchParams.get('orderId') ?? text),
    { outOfReachWhenNamed: 'a named order may not be lost by a request that names another one' },
  ],
  'unknown-order-404-and-created': [
    'cancel-unknown-creates-nothing',
    decidedFirst('answerCancel', (met, { found: { orderId }, domain }) => {
      if (met === 'unknown' && orderId !== undefined) addOrder(domain, { id: orderId })
    }),
  ],
  'path-through-double': ['cancel-exact-id', read(id => BigInt(Number(id))), NOT_CHOSEN],
  'cancel-equal-low-bits': [
    'cancel-exact-id',
    alsoCancelling((other, id) => low(other) === low(id)),
    NOT_CHOSEN,
  ],
  'id-zero-missing': ['cancel-edge-id', missing(id => id === 0n), NOT_CHOSEN],
  'id-negative-missing': ['cancel-edge-id', missing(id => id < 0n), NOT_CHOSEN],
  'unknown-order-remembered': [
    'cancel-created-after-404',
    base => {
      const unknown = new Set<bigint>()
      return resultChanged('findOrder', (order, id) => {
        if (!order) unknown.add(id)
        return unknown.has(id) ? undefined : order
      })(base)
    },
    NOT_CHOSEN,
  ],
  'path-sign-lost': ['cancel-similar-id-404', read(id => (id < 0n ? -id : id))],
  'path-in-32-bits': ['cancel-similar-id-404', read(id => BigInt.asIntN(32, id))],
  'path-leading-digits': [
    'cancel-similar-id-404',
    finding((id, order) => hasFurtherDigit(id, order) && id / 10n === order),
  ],
  'path-trailing-digits': [
    'cancel-similar-id-404',
    finding((id, order) => hasFurtherDigit(id, order) && String(id).endsWith(String(order))),
  ],
  'path-as-far-as-digits': [
    'cancel-nameless-path-cancels-nothing',
    readAs(text => /^-?\d+/.exec(text)?.[0] ?? ''),
  ],
  'path-wraps-at-64-bits': [
    'cancel-nameless-path-cancels-nothing',
    readAs(text => (/^\d+$/.test(text) ? String(BigInt.asIntN(64, BigInt(text))) : text)),
  ],
  'path-saturates-at-64-bits': [
    'cancel-nameless-path-cancels-nothing',
    readAs(text => (/^\d+$/.test(text) && BigInt(text) > INT64_MAX ? String(INT64_MAX) : text)),
    NOT_CHOSEN,
  ],
  'path-words-as-zero': [
    'cancel-nameless-path-cancels-nothing',
    readAs(text => (/^-?\d+$/.test(text) ? text : '0')),
    NOT_CHOSEN,
  ],
  'shipped-refused-and-removed': [
    'cancel-shipped-unchanged',
    changing('shipped', ({ id }, { domain }) => domain.orders.delete(id)),
  ],
  'shipped-refused-and-restocked': [
    'cancel-changes-no-other-stock',
    changing('shipped', ({ petId, quantity }, { domain }) => {
      const entry = entryOf(domain, String(petId))
      if (entry) entry.quantity += quantity
    }),
    { outOfReachWhenNamed: 'no pet is named that a named order is for' },
  ],
  'cancel-never': ['cancel-pending-204', taking('pending', 'shipped'), OUT_OF_REACH_STALE],
  '204-with-null': ['cancel-204-no-body', sent204(answer => messageOf(withBody(answer, 'null')))],
  'cancel-chunked-204': [
    'cancel-no-transfer-encoding',
    sent204(answer => messageOf(withHeader(answer, 'Transfer-Encoding', 'chunked'))),
  ],
  'cancel-all': ['cancel-only-that-order', alsoCancelling(() => true), OUT_OF_REACH_STALE],
  'cancel-completes-others': [
    'cancel-only-that-order',
    changing('pending', (_, { domain }) => {
      for (const each of domain.orders.values()) if (each.state === 'pending') each.complete = true
    }),
  ],
  // The state is read, and written a moment later, without a lock.
  'cancel-race': [
    'cancel-race-once',
    base => ({ applyCancel: (order, ctx) => sleep(5).then(() => base.applyCancel(order, ctx)) }),
  ],
  'shipped-cancelled': ['cancel-shipped-409', taking('shipped', 'pending')],
  // It is pending after its refused cancellation.
  'shipped-reverses': [
    ['after-anything/cancelOrder', 'any-form/cancelOrder'],
    changing('shipped', order => {
      order.state = 'pending'
    }),
  ],
  'cancel-restocks-every-pet': [
    'cancel-changes-no-other-stock',
    changing('pending', ({ quantity }, { domain }) => {
      for (const each of domain.stock.values()) each.quantity += quantity
    }),
  ],
})
