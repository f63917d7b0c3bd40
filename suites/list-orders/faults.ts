import {
  breaking,
  type Fault,
  type Order,
  type Override,
  resultChanged,
} from '../../support/reference/index.ts'

const selected = (select: (orders: readonly Order[]) => readonly Order[]): Override =>
  resultChanged('selectOrders', select)

const without = (state: Order['state']): Override =>
  selected(orders => orders.filter(each => each.state !== state))

const TOO_FEW = { outOfReachWhenNamed: 'three named orders do not fill a page' }

/** The list lacks orders, or has them twice. */
export const faults: readonly Fault[] = [
  ...breaking('list-orders-unpaged', {
    'page-of-200': ['Only 200 orders are listed', selected(orders => orders.slice(0, 200)), TOO_FEW],
    'page-of-1000': ['Only 1000 orders are listed', selected(orders => orders.slice(0, 1_000)), TOO_FEW],
    'ids-listed-through-double': [
      'Order ids in the list are rounded to a double',
      resultChanged('orderMembers', (members, { id }) => ({ ...members, id: String(BigInt(Number(id))) })),
      { outOfReachWhenNamed: 'it shows only with ids above 2^53, and named ids cannot be chosen' },
    ],
  }),
  ...breaking('list-orders-query-ignored', {
    'query-limit-applied': [
      'The query parameter limit is applied',
      resultChanged('selectOrders', (orders, _, { url }) =>
        orders.slice(0, Number(url.searchParams.get('limit') ?? orders.length)),
      ),
    ],
  }),
  ...breaking('list-orders-shipped-listed', {
    'shipped-hidden': ['Shipped orders are not in the list', without('shipped')],
  }),
  ...breaking('list-orders-pending-listed', {
    'pending-hidden': ['Pending orders are not in the list', without('pending')],
  }),
  ...breaking('list-orders-steady', {
    'every-third-list-lags': [
      'Every third list of orders lacks the first shipped order',
      base => {
        let lists = 0
        return {
          selectOrders: (orders, ctx) => {
            const first = orders.find(({ state }) => state === 'shipped')
            lists += 1
            return base.selectOrders(lists % 3 === 0 ? orders.filter(each => each !== first) : orders, ctx)
          },
        }
      },
    ],
  }),
  ...breaking('order-id-unique', {
    'order-listed-twice': ['One order is listed twice', selected(all => [...all, ...all.slice(0, 1)])],
  }),
  ...breaking('order-ship-date-rfc3339', {
    'ship-date-without-offset': [
      'shipDate has no offset, which ISO 8601 allows and RFC 3339 does not',
      () => ({ renderDate: date => date.toISOString().replace('Z', '') }),
    ],
  }),
  ...breaking('list-orders-no-repeated-names', {
    'order-member-twice': [
      'Every order repeats the member quantity',
      resultChanged('orderMembers', ({ complete, ...members }) => ({
        ...members,
        complete: `${complete},"quantity":${members.quantity}`,
      })),
    ],
  }),
]
