import {
  addOrder,
  decidedFirst,
  emptyAnswer,
  type Freedom,
  leavingOpen,
  type Members,
  type Order,
  type Override,
  oneOf,
  readInt64,
  refusedIf,
  resultChanged,
} from '../index.ts'

const [LIMIT32, LIMIT64] = [2n ** 31n, 2n ** 63n]
const LIMITS = [0n, -1n, LIMIT32 - 1n, LIMIT32, 2n * LIMIT32, -LIMIT32 - 1n, 2n ** 53n + 1n, 2n ** 62n - 3n]

const shown = (change: (members: Members, order: Order) => Members): Override =>
  resultChanged('orderMembers', change)

const listed = (select: (orders: readonly Order[]) => readonly Order[]): Override =>
  resultChanged('selectOrders', select)

const hidden = (member: string) => shown(members => ({ ...members, [member]: undefined }))

/** Fields, ids and states of orders. */
export const freedoms: readonly Freedom[] = [
  ...leavingOpen('§2: further members are not excluded, and shipDate is in whichever spelling', {
    // Orders have further members that change with each list, and shipDate another time zone.
    'order-read-at': base => {
      let reads = 0
      return {
        orderMembers: (order, ctx) => {
          const hours = ++reads % 12
          const local = new Date(order.shipDate.getTime() + hours * 3_600_000).toISOString().slice(0, -1)
          return {
            ...base.orderMembers(order, ctx),
            shipDate: `"${local}+${String(hours).padStart(2, '0')}:00"`,
            readAt: `"${new Date().toISOString()}-${reads}"`,
            links: `{"self":"/orders/${order.id}?signature=${reads}"}`,
          }
        },
      }
    },
  }),
  ...leavingOpen('§2: no field of Order is marked required', {
    'order-without-petid': hidden('petId'),
    'order-without-quantity': hidden('quantity'),
    'order-without-shipdate': hidden('shipDate'),
    'order-without-complete': hidden('complete'),
  }),
  // Orders without ids and orders at every limit exclude each other: together they leave no id that is certainly unused.
  ...oneOf('ids-shown', '§2: id is an int64, and no field is required; how ids are assigned is not shown', {
    'order-without-id': hidden('id'),
    'some-orders-without-id': shown((members, { id }) =>
      id % 2n === 0n ? { ...members, id: undefined } : members,
    ),
    'orders-empty': shown(() => ({})),
    // There are orders with the ids 0, -1 and the limits of int64.
    'orders-at-the-edges': resultChanged('open', (_, domain) => {
      for (const id of [...LIMITS, LIMIT64 - 1n, -LIMIT64]) addOrder(domain, { id })
    }),
  }),
  ...oneOf('order-ids', '§2: id is an int64; how ids are assigned is not shown', {
    'order-ids-negative': () => ({ newOrderId: n => -BigInt(n) }),
    'order-ids-from-0': () => ({ newOrderId: n => BigInt(n - 1) }),
    'order-ids-at-the-end': () => ({ newOrderId: n => LIMIT64 - BigInt(n) }),
    'order-ids-at-the-start': () => ({ newOrderId: n => -LIMIT64 + BigInt(n - 1) }),
    'order-ids-around-32-bits': () => ({ newOrderId: n => LIMIT32 - 10n + BigInt(n) }),
    'order-ids-scattered': () => ({ newOrderId: n => BigInt.asIntN(64, BigInt(n) * 0x9e3779b97f4a7c15n) }),
  }),
  // Only the list shows these quantities: a cancellation would return others to the stock.
  ...oneOf('stock-of-orders', '§2: an integer; its range is not shown', {
    'order-quantities-odd': shown((members, { id }) => ({
      ...members,
      quantity: id % 3n === 0n ? '-4' : id % 3n === 1n ? '0' : '123456789012345678901234567890',
    })),
  }),
  ...leavingOpen('§4: a list may be empty', {
    'store-empty': base => ({
      open: domain => {
        domain.orders.clear()
        domain.stock.clear()
        base.open(domain)
      },
    }),
  }),
  ...oneOf('cancelled', '§3: whether a cancelled order stays is not shown', {
    'cancelled-unlisted': listed(orders => orders.filter(({ state }) => state !== 'cancelled')),
    'cancelled-removed': resultChanged('applyCancel', async (applied, { id }, { domain }) => {
      await applied
      domain.orders.delete(id)
    }),
  }),
  ...oneOf('second-cancel', '§4.2: the status of a second cancellation is not shown', {
    'second-cancel-404': refusedIf('answerCancel', met => met === 'cancelled', 404),
    'second-cancel-409-empty': decidedFirst('answerCancel', met =>
      met === 'cancelled' ? emptyAnswer(409) : undefined,
    ),
  }),
  ...leavingOpen('§4.2: how an integer is written in a path, and the answer to other paths, are not shown', {
    // +12, 012, 12.0 and 12e0 identify the order 12.
    'id-spelled-otherwise': () => ({
      readOrderId: text => readInt64(text.replace(/^\+|\.0+$|e0$/g, '').replace(/^(-?)0+(?=\d)/, '$1')),
    }),
    'malformed-id-400': refusedIf('readOrderId', text => readInt64(text) === undefined),
  }),
  ...oneOf('order-order', '§4.1: the sequence of the list is not shown', {
    'orders-newest-first': listed(all => all.toReversed()),
    'orders-shuffled': listed(orders => {
      const at = Math.floor(Math.random() * orders.length)
      return [...orders.slice(at), ...orders.slice(0, at).reverse()]
    }),
  }),
  ...leavingOpen('§8: there is no filtering and no pagination; the response to a query string is not shown', {
    'query-refused': refusedIf('selectOrders', (_, { url }) => url.search !== ''),
  }),
]
