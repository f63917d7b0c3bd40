import { breaking, type Order, type Override, resultChanged } from '../../support/reference/index.ts'

const listed = (select: (orders: readonly Order[]) => readonly Order[]): Override =>
  resultChanged('selectOrders', select)

const without = (state: Order['state']): Override =>
  listed(orders => orders.filter(each => each.state !== state))

const TOO_FEW = { outOfReachWhenNamed: 'three named orders do not fill a page' }

/** The list lacks orders, or has them twice. */
export const faults = breaking({
  'page-of-200': ['list-orders-unpaged', listed(orders => orders.slice(0, 200)), TOO_FEW],
  'page-of-1000': ['list-orders-unpaged', listed(orders => orders.slice(0, 1_000)), TOO_FEW],
  'ids-listed-through-double': [
    'list-orders-unpaged',
    resultChanged('orderMembers', (members, { id }) => ({ ...members, id: String(BigInt(Number(id))) })),
    { outOfReachWhenNamed: 'it shows only with ids above 2^53, and named ids cannot be chosen' },
  ],
  'query-limit-applied': [
    'list-orders-query-ignored',
    resultChanged('selectOrders', (orders, _, { url }) =>
      orders.slice(0, Number(url.searchParams.get('limit') ?? orders.length)),
    ),
  ],
  'shipped-hidden': ['list-orders-shipped-listed', without('shipped')],
  'pending-hidden': ['list-orders-pending-listed', without('pending')],
  'every-third-list-lags': [
    'list-orders-steady',
    base => {
      let lists = 0
      return {
        selectOrders: (orders, ctx) => {
          const first = ++lists % 3 === 0 ? orders.find(({ state }) => state === 'shipped') : undefined
          return base.selectOrders(
            orders.filter(each => each !== first),
            ctx,
          )
        },
      }
    },
  ],
  'order-listed-twice': ['order-id-unique', listed(all => [...all, ...all.slice(0, 1)])],
  'ship-date-without-offset': [
    'order-ship-date-rfc3339',
    resultChanged('renderDate', date => date.replace('Z', '')),
  ],
  'order-member-twice': [
    'list-orders-no-repeated-names',
    resultChanged('orderMembers', ({ complete, ...members }) => ({
      ...members,
      complete: `${complete},"quantity":${members.quantity}`,
    })),
  ],
})
