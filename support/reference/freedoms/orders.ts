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

const hidden = (member: string) => shown(members => ({ ...members, [member]: undefined }))

const unlisted = resultChanged('selectOrders', all => all.filter(each => each.state !== 'cancelled'))

/** In another sequence each time. */
const shuffled = <Item>(items: readonly Item[]): readonly Item[] => {
  const at = Math.floor(Math.random() * items.length)
  return [...items.slice(at), ...items.slice(0, at).reverse()]
}

/** Fields, ids and states of orders, and the two lists. */
export const freedoms: readonly Freedom[] = [
  ...leavingOpen('§4: a list may be empty, and its sequence is not shown', {
    'store-empty': resultChanged('open', (_, domain) => {
      domain.orders.clear()
      domain.stock.clear()
    }),
    'lists-shuffled': base => ({
      selectOrders: (orders, ctx) => shuffled(base.selectOrders(orders, ctx)),
      selectEntries: (entries, ctx) => shuffled(base.selectEntries(entries, ctx)),
    }),
  }),
  ...leavingOpen(
    '§2: no field of Order is required, further ones are not excluded, and shipDate has any zone',
    {
      'order-without-petid': hidden('petId'),
      'order-without-quantity': hidden('quantity'),
      'order-without-shipdate': hidden('shipDate'),
      'order-without-complete': hidden('complete'),
      // Each list shows another time zone, a further member has another value, and a shipped order is fulfilled at some time.
      'order-read-at': base => {
        let reads = 0
        return shown((members, { shipDate, state }) => {
          const hours = ++reads % 10
          const local = new Date(shipDate.getTime() + hours * 3_600_000).toISOString().slice(0, -1)
          const changed = { ...members, shipDate: `"${local}+0${hours}:00"`, readAt: String(reads) }
          return state === 'shipped' ? { ...changed, complete: String(reads > 5_000) } : changed
        })(base)
      },
    },
  ),
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
  ...oneOf('cancelled', '§3: whether a cancelled order stays is not shown', {
    'cancelled-unlisted': unlisted,
    // An earlier run has arranged and cancelled orders with these ids.
    'cancelled-unlisted-before': base => ({
      ...unlisted(base),
      open(domain) {
        base.open(domain)
        for (const id of [0n, LIMIT32, LIMIT64 - 1n, -LIMIT64]) addOrder(domain, { id, state: 'cancelled' })
      },
    }),
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
  ...leavingOpen('§4.2, §8: other spellings of an integer in a path, other paths and queries are not shown', {
    // +12, 012, 12.0 and 12e0 identify the order 12.
    'id-spelled-otherwise': () => ({
      readOrderId: text => readInt64(text.replace(/^\+|\.0+$|e0$/g, '').replace(/^(-?)0+(?=\d)/, '$1')),
    }),
    'malformed-id-400': refusedIf('readOrderId', text => readInt64(text) === undefined),
    'query-refused': refusedIf('selectOrders', (_, { url }) => url.search !== '', 422),
  }),
]
