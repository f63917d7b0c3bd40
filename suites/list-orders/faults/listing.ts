import {
  type Answer,
  breaking,
  type Connection,
  type Context,
  type Fault,
  type Order,
  type Override,
} from '../../../support/reference/authoring.ts'
import { misshapenLists, wrongElements } from '../../every-exchange/faults/misshapen.ts'

const selected =
  (select: (orders: readonly Order[], ctx: Context) => readonly Order[]): Override =>
  base => ({
    selectOrders: (orders, ctx) => select(base.selectOrders(orders, ctx), ctx),
  })

type Apply = (orders: readonly Order[], value: string) => readonly Order[]

const numeric = (value: string): number => Number.parseInt(value, 10) || 0

/** What a store may do with a query parameter. */
const parameters: Readonly<Record<string, Apply>> = {
  limit: (orders, value) => orders.slice(0, numeric(value)),
  offset: (orders, value) => orders.slice(numeric(value)),
  page: (orders, value) => orders.slice((numeric(value) - 1) * 100, numeric(value) * 100),
  status: (orders, value) => orders.filter(({ state }) => state === value),
  petId: (orders, value) => orders.filter(({ petId }) => `${petId}` === value),
  q: (orders, value) => orders.filter(({ id }) => String(id).includes(value)),
}

const TOO_FEW = { outOfReachWhenNamed: 'three named orders do not fill a page' }
const NO_BIG_IDS = {
  outOfReachWhenNamed: 'it shows only with ids above 2^53, and named ids cannot be chosen',
}

/** The list is wrong as a whole. */
export const faults: readonly Fault[] = [
  ...misshapenLists('listOrders', 'list-orders'),
  ...wrongElements('listOrders', 'order', 'order-quantity-integer', 250),
  ...breaking(
    'list-orders-unpaged',
    {
      'page-of-200': [
        'The list contains only the first 200 orders',
        selected(orders => orders.slice(0, 200)),
      ],
      'page-of-100-newest': [
        'The list contains only the newest 100 orders',
        selected(orders => orders.slice(-100)),
      ],
    },
    TOO_FEW,
  ),
  ...breaking(
    'list-orders-unpaged-1000',
    {
      'page-of-1000': [
        'The list contains only the first 1000 orders',
        selected(orders => orders.slice(0, 1_000)),
      ],
      'orders-cut-at-64-kib': [
        'The list ends with the last order within 64 KiB',
        base => ({
          renderArray: (items, ctx) => {
            let size = 2
            const fitting = items.filter(item => {
              size += item.length + 1
              return size <= 64 * 1024
            })
            return base.renderArray(ctx.operation === 'listOrders' ? fitting : items, ctx)
          },
        }),
      ],
    },
    TOO_FEW,
  ),
  ...Object.entries(parameters).flatMap(([name, apply]) =>
    breaking('list-orders-query-ignored', {
      [`query-${name.replace(/[^a-z]/g, '-').toLowerCase()}-applied`]: [
        `The query parameter ${name} is applied`,
        selected((orders, { url }) => {
          const value = url.searchParams.get(name)
          return value === null ? orders : apply(orders, value)
        }),
      ],
    }),
  ),
  ...breaking('list-orders-query-ignored', {
    'query-500': [
      'An unknown query parameter is answered 500',
      selected((orders, ctx) => {
        if (ctx.url.search !== '') throw new TypeError('no such column')
        return orders
      }),
    ],
  }),
  ...breaking('list-orders-shipped-listed', {
    'shipped-hidden': [
      'Shipped orders are not in the list',
      () => ({ listsOrder: ({ state }) => state !== 'shipped' }),
    ],
  }),
  ...breaking('list-orders-pending-listed', {
    'pending-hidden': [
      'Pending orders are not in the list',
      () => ({ listsOrder: ({ state }) => state !== 'pending' }),
    ],
  }),
  ...breaking(
    'list-orders-pending-listed',
    {
      'list-orders-stale': [
        'The order list is cached for ever',
        base => {
          let kept: Answer | Promise<Answer> | undefined
          return {
            fromCache: (ctx, make) => {
              if (ctx.operation !== 'listOrders') return base.fromCache(ctx, make)
              kept ??= base.fromCache(ctx, make)
              return kept
            },
          }
        },
      ],
    },
    {
      outOfReachWhenNamed:
        'named orders exist before the list is cached, and cancelled orders may stay in it',
    },
  ),
  ...breaking('list-orders-on-every-connection', {
    'orders-on-some-connections': [
      'Every second connection that begins with the list is to another server, which has only the first 12 orders',
      base => {
        const known = new WeakSet<Connection>()
        const other = new WeakSet<Connection>()
        let lists = 0
        return {
          ...selected((orders, { connection }) => (other.has(connection) ? orders.slice(0, 12) : orders))(
            base,
          ),
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
  ...breaking(
    'list-orders-exact-ids',
    {
      'ids-listed-through-double': [
        'Order ids in the list are rounded to a double',
        base => ({
          renderNumber: (decimal, place, ctx) =>
            base.renderNumber(place === 'order.id' ? String(BigInt(Number(decimal))) : decimal, place, ctx),
        }),
      ],
      'big-ids-hidden': [
        'Orders with ids above 2^53 are not in the list',
        selected(orders => orders.filter(({ id }) => Number.isSafeInteger(Number(id)))),
      ],
    },
    NO_BIG_IDS,
  ),
]
