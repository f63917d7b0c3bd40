import { emptyAnswer } from '../answer.ts'
import { ordersChanged } from '../changes.ts'
import { addOrder, type Domain, type OrderState } from '../domain.ts'
import type { Freedom } from '../fault.ts'
import { readInt64 } from '../numbers.ts'
import { Refusal } from '../refusal.ts'

/** Orders without ids and orders at every limit exclude each other: together they leave no id that is certainly unused. */
const IDS_SHOWN = 'ids-shown'

const NOT_REQUIRED = '§2: no field of Order is marked required'

const refused = (status: number) =>
  new Refusal({ status, code: 'refused', message: 'The request is refused.' })

const addOrderWith = (domain: Domain, id: bigint, state: OrderState = 'pending') =>
  addOrder(domain, { id, petId: 1n, quantity: 1n, shipDate: new Date(0), complete: false, state })

const LIMITS = [
  0n,
  -1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  -(2n ** 31n) - 1n,
  2n ** 53n + 1n,
  2n ** 62n - 3n,
  2n ** 63n - 1n,
  -(2n ** 63n),
]

const ids: readonly (readonly [id: string, title: string, of: (n: number) => bigint])[] = [
  ['negative', 'are negative', n => -BigInt(n)],
  ['from-0', 'begin at 0', n => BigInt(n - 1)],
  ['beyond-double', 'are above 2^53', n => 2n ** 53n + BigInt(n)],
  ['at-the-end', 'are the highest int64 values', n => 2n ** 63n - BigInt(n)],
  ['at-the-start', 'are the lowest int64 values', n => -(2n ** 63n) + BigInt(n - 1)],
  ['around-32-bits', 'are around 2^31', n => 2n ** 31n - 10n + BigInt(n)],
  ['scattered', 'are scattered over 64 bits', n => BigInt.asIntN(64, BigInt(n) * 0x9e3779b97f4a7c15n)],
]

/** Fields, ids and states of orders. */
export const freedoms: readonly Freedom[] = [
  {
    id: 'order-read-at',
    title: 'Orders have further members that change with each list',
    clause: '§2: further members are not excluded',
    override: base => {
      let reads = 0
      return {
        orderMembers: (order, ctx) => ({
          ...base.orderMembers(order, ctx),
          readAt: `"${new Date().toISOString()}-${++reads}"`,
          reads: `${reads}`,
          links: `{"self":"/orders/${order.id}?signature=${reads}"}`,
        }),
      }
    },
  },
  {
    id: 'ship-date-in-other-zones',
    title: 'Each list shows shipDate in another time zone',
    clause: '§2: shipDate is an ISO 8601 date-time, whichever of its spellings',
    override: base => {
      let reads = 0
      return {
        orderMembers: (order, ctx) => {
          const hours = ++reads % 12
          const local = new Date(order.shipDate.getTime() + hours * 3_600_000).toISOString().slice(0, -1)
          const shipDate = `"${local}+${String(hours).padStart(2, '0')}:00"`
          return { ...base.orderMembers(order, ctx), shipDate }
        },
      }
    },
  },
  ...(['id', 'petId', 'quantity', 'shipDate', 'complete'] as const).map(
    (member): Freedom => ({
      id: `order-without-${member.toLowerCase()}`,
      title: `Orders have no ${member}`,
      clause: NOT_REQUIRED,
      ...(member === 'id' ? { topic: IDS_SHOWN } : {}),
      override: ordersChanged(members => ({ ...members, [member]: undefined })),
    }),
  ),
  {
    id: 'some-orders-without-id',
    topic: IDS_SHOWN,
    title: 'Every second order has no id',
    clause: NOT_REQUIRED,
    override: ordersChanged((members, { id }) => (id % 2n === 0n ? { ...members, id: undefined } : members)),
  },
  {
    id: 'orders-empty',
    topic: IDS_SHOWN,
    title: 'Orders have no fields at all',
    clause: NOT_REQUIRED,
    override: () => ({ orderMembers: () => ({}) }),
  },
  ...ids.map(
    ([id, title, of]): Freedom => ({
      id: `order-ids-${id}`,
      title: `Ids of orders ${title}`,
      clause: '§2: id is an int64; how ids are assigned is not shown',
      topic: 'order-ids',
      override: () => ({ newOrderId: of }),
    }),
  ),
  {
    id: 'orders-at-the-edges',
    topic: IDS_SHOWN,
    title: 'There are orders with the ids 0, -1 and the limits of int64',
    clause: '§2: id is an int64; how ids are assigned is not shown',
    override: base => ({
      open: domain => {
        base.open(domain)
        for (const id of LIMITS) addOrderWith(domain, id)
      },
    }),
  },
  {
    id: 'order-quantities-odd',
    title: 'Quantities of orders are negative, 0 or beyond 64 bits',
    clause: '§2: an integer; its range is not shown',
    override: ordersChanged((members, { id }) => ({
      ...members,
      quantity: id % 3n === 0n ? '-4' : id % 3n === 1n ? '0' : '123456789012345678901234567890',
    })),
  },
  {
    id: 'store-empty',
    title: 'The store is empty at the start',
    clause: '§4: a list may be empty',
    override: base => ({
      open: domain => {
        domain.orders.clear()
        domain.stock.clear()
        base.open(domain)
      },
    }),
  },
  {
    id: 'cancelled-unlisted',
    title: 'Cancelled orders are not listed',
    clause: '§3: whether a cancelled order stays is not shown',
    topic: 'cancelled',
    override: () => ({ listsOrder: ({ state }) => state !== 'cancelled' }),
  },
  {
    id: 'cancelled-removed',
    title: 'Cancelled orders are removed',
    clause: '§3: whether a cancelled order stays is not shown',
    topic: 'cancelled',
    override: base => ({
      applyCancel: async (order, ctx) => {
        await base.applyCancel(order, ctx)
        ctx.domain.orders.delete(order.id)
      },
    }),
  },
  ...[404, 410].map(
    (status): Freedom => ({
      id: `second-cancel-${status}`,
      title: `A second cancellation is answered ${status}`,
      clause: '§4.2: the status of a second cancellation is not shown',
      topic: 'second-cancel',
      override: base => ({
        answerCancel: (met, ctx) =>
          met === 'cancelled' ? ctx.decide.refuse(refused(status), ctx) : base.answerCancel(met, ctx),
      }),
    }),
  ),
  {
    id: 'second-cancel-409-empty',
    title: 'A second cancellation is answered 409 without a body',
    clause: '§4.2: the status of a second cancellation is not shown',
    topic: 'second-cancel',
    override: base => ({
      answerCancel: (met, ctx) => (met === 'cancelled' ? emptyAnswer(409) : base.answerCancel(met, ctx)),
    }),
  },
  {
    id: 'malformed-id-400',
    title: 'An orderId that is not an int64 is answered 400',
    clause: '§4.2: the status for an orderId that is not an int64 is not shown',
    override: base => ({
      answerCancel: (met, ctx) =>
        met === 'unknown' && ctx.found.orderId === undefined
          ? ctx.decide.refuse(refused(400), ctx)
          : base.answerCancel(met, ctx),
    }),
  },
  {
    id: 'id-spelled-otherwise',
    title: '+12, 012, 12.0 and 12e0 identify the order 12',
    clause: '§4.2: how an integer is written in a path is not shown',
    override: () => ({
      readOrderId: text => {
        const plain = text
          .replace(/^[+]/, '')
          .replace(/\.0+$|e0$/, '')
          .replace(/^(-?)0+(?=\d)/, '$1')
        return readInt64(plain)
      },
    }),
  },
  {
    id: 'orders-newest-first',
    title: 'listOrders starts with the newest order',
    clause: '§4.1: the sequence of the list is not shown',
    topic: 'order-order',
    override: () => ({ selectOrders: orders => orders.toReversed() }),
  },
  {
    id: 'orders-shuffled',
    title: 'listOrders returns a random order each time',
    clause: '§4.1: the sequence of the list is not shown',
    topic: 'order-order',
    override: () => ({
      selectOrders: orders =>
        orders
          .map(order => ({ order, at: Math.random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ order }) => order),
    }),
  },
  {
    id: 'query-refused',
    title: 'A query string is answered 400',
    clause: '§8: there is no filtering and no pagination; the response to a query string is not shown',
    override: base => ({
      selectOrders: (orders, ctx) => {
        if (ctx.url.search !== '') throw refused(400)
        return base.selectOrders(orders, ctx)
      },
    }),
  },
]
