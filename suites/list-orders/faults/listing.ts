import {
  breaking,
  type ClientConnection,
  type Fault,
  type Order,
  type Override,
  resultChanged,
} from '../../../support/reference/authoring.ts'
import { misshapenLists } from '../../every-answer/faults/misshapen.ts'

const selected = (select: (orders: readonly Order[]) => readonly Order[]): Override =>
  resultChanged('selectOrders', select)

const TOO_FEW = { outOfReachWhenNamed: 'three named orders do not fill a page' }

/** The list is wrong as a whole. */
export const faults: readonly Fault[] = [
  ...misshapenLists('listOrders', 'list-orders'),
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
  ...breaking('list-orders-unpaged', {
    'page-of-200': [
      'The list contains only the first 200 orders',
      selected(orders => orders.slice(0, 200)),
      TOO_FEW,
    ],
  }),
  ...breaking('list-orders-unpaged', {
    'page-of-1000': [
      'The list contains only the first 1000 orders',
      selected(orders => orders.slice(0, 1_000)),
      TOO_FEW,
    ],
  }),
  ...breaking('list-orders-query-ignored', {
    'query-limit-applied': [
      'The query parameter limit is applied',
      resultChanged('selectOrders', (orders, _, { url }) => {
        const limit = url.searchParams.get('limit')
        return limit === null ? orders : orders.slice(0, Number(limit))
      }),
    ],
    'query-500': [
      'An unknown query parameter is answered 500',
      resultChanged('selectOrders', (orders, _, { url }) => {
        if (url.search !== '') throw new TypeError('no such column')
        return orders
      }),
    ],
  }),
  ...breaking('list-orders-shipped-listed', {
    'shipped-hidden': [
      'Shipped orders are not in the list',
      selected(orders => orders.filter(({ state }) => state !== 'shipped')),
    ],
  }),
  ...breaking('list-orders-pending-listed', {
    'pending-hidden': [
      'Pending orders are not in the list',
      selected(orders => orders.filter(({ state }) => state !== 'pending')),
    ],
  }),
  ...breaking('list-orders-steady', {
    'orders-on-some-connections': [
      'Every second connection that begins with the list is to another server, which has only the first 12 orders',
      base => {
        const known = new WeakSet<ClientConnection>()
        const other = new WeakSet<ClientConnection>()
        let lists = 0
        return {
          selectOrders: (orders, { connection }) => (other.has(connection) ? orders.slice(0, 12) : orders),
          operate: ctx => {
            if (!known.has(ctx.connection) && ctx.operation === 'listOrders' && ++lists % 2 === 0)
              other.add(ctx.connection)
            known.add(ctx.connection)
            return base.operate(ctx)
          },
        }
      },
    ],
  }),
  ...breaking('list-orders-unpaged', {
    'ids-listed-through-double': [
      'Order ids in the list are rounded to a double',
      resultChanged('orderMembers', (members, { id }) => ({ ...members, id: String(BigInt(Number(id))) })),
      { outOfReachWhenNamed: 'it shows only with ids above 2^53, and named ids cannot be chosen' },
    ],
  }),
]
