import {
  type Answer,
  answersChanged,
  bodyText,
  type Context,
  type Fault,
  type Order,
  type Override,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'
import { brokenLists } from '../../every-exchange/faults/broken-lists.ts'
import { wrongElements } from '../../every-exchange/faults/wrong-elements.ts'

const answer = (change: (answer: Answer) => Answer): Override =>
  answersChanged({ operation: 'listOrders', status: 200 }, change)

const selected =
  (select: (orders: readonly Order[], ctx: Context) => readonly Order[]): Override =>
  base => ({
    selectOrders: (orders, ctx) => select(base.selectOrders(orders, ctx), ctx),
  })

const query = (name: string, { url }: Context): string | undefined => url.searchParams.get(name) ?? undefined

/** The store applies a query parameter. */
const applied = (
  id: string,
  title: string,
  select: (orders: readonly Order[], value: string) => readonly Order[],
  name = id,
): Fault => ({
  id: `query-${id}-applied`,
  title,
  breaks: ['list-orders-query-ignored'],
  override: selected((orders, ctx) => {
    const value = query(name, ctx)
    return value === undefined ? orders : select(orders, value)
  }),
})

const numeric = (value: string): number => Number.parseInt(value, 10) || 0

const pages: readonly Fault[] = [20, 50, 100, 200].map(
  (size): Fault => ({
    id: `page-of-${size}`,
    title: `The list contains only the first ${size} orders`,
    breaks: ['list-orders-unpaged'],
    outOfReachWhenNamed: 'three named orders do not fill a page',
    override: selected(orders => orders.slice(0, size)),
  }),
)

const TOO_FEW = 'three named orders do not fill a page'

/** Faults that show in long lists, or late. */
const inLongLists: readonly Fault[] = [
  ...[500, 1_000].map(
    (size): Fault => ({
      id: `page-of-${size}`,
      title: `The list contains only the first ${size} orders`,
      breaks: ['list-orders-unpaged-1000'],
      outOfReachWhenNamed: TOO_FEW,
      override: selected(orders => orders.slice(0, size)),
    }),
  ),
  {
    id: 'orders-cut-at-64-kib',
    title: 'The list ends with the last order within 64 KiB',
    breaks: ['list-orders-unpaged-1000'],
    outOfReachWhenNamed: TOO_FEW,
    override: base => ({
      renderArray: (items, ctx) => {
        let size = 2
        const fitting = items.filter(item => {
          size += item.length + 1
          return size <= 64 * 1024
        })
        return base.renderArray(ctx.operation === 'listOrders' ? fitting : items, ctx)
      },
    }),
  },
  ...wrongElements({
    operation: 'listOrders',
    id: 'order',
    element: 'order',
    breaks: 'order-quantity-integer',
    long: 250,
  }),
]

/** The list is wrong as a whole. */
export const faults: readonly Fault[] = [
  ...brokenLists('listOrders', 'list-orders'),
  {
    id: 'list-orders-201',
    title: 'GET /store/orders is answered 201',
    breaks: ['list-orders-200'],
    override: answer(each => withStatus(each, 201)),
  },
  {
    id: 'list-orders-206',
    title: 'GET /store/orders is answered 206, as paging libraries do',
    breaks: ['list-orders-200'],
    override: answer(each => withStatus(each, 206)),
  },
  {
    id: 'list-orders-empty-204',
    title: 'GET /store/orders is answered 204',
    breaks: ['list-orders-200'],
    override: answer(({ body: _body, ...each }) => withHeader({ ...each, status: 204 }, 'Content-Type')),
  },
  ...pages,
  ...inLongLists,
  {
    id: 'page-of-100-newest',
    title: 'The list contains only the newest 100 orders',
    breaks: ['list-orders-unpaged'],
    outOfReachWhenNamed: 'three named orders do not fill a page',
    override: selected(orders => orders.slice(-100)),
  },
  {
    id: 'page-with-next-link',
    title: 'The list contains 100 orders and has a Link header to the next page',
    breaks: ['list-orders-unpaged'],
    outOfReachWhenNamed: 'three named orders do not fill a page',
    override: base => ({
      selectOrders: (orders, ctx) => base.selectOrders(orders, ctx).slice(0, 100),
      finish: async (each, ctx) =>
        withHeader(await base.finish(each, ctx), 'Link', '</v1/store/orders?page=2>; rel="next"'),
    }),
  },
  applied('limit', 'The query parameter limit is applied', (orders, value) =>
    orders.slice(0, numeric(value)),
  ),
  applied('offset', 'The query parameter offset is applied', (orders, value) => orders.slice(numeric(value))),
  applied('skip', 'The query parameter skip is applied', (orders, value) => orders.slice(numeric(value))),
  applied('size', 'The query parameter size is applied', (orders, value) => orders.slice(0, numeric(value))),
  applied('page', 'The query parameter page is applied, with 100 orders a page', (orders, value) =>
    orders.slice((numeric(value) - 1) * 100, numeric(value) * 100),
  ),
  applied(
    'per-page',
    'The query parameter per_page is applied',
    (orders, value) => orders.slice(0, numeric(value)),
    'per_page',
  ),
  applied('status', 'The query parameter status is applied', (orders, value) =>
    orders.filter(({ state }) => state === value),
  ),
  applied('complete', 'The query parameter complete is applied', (orders, value) =>
    orders.filter(({ complete }) => String(complete) === value),
  ),
  applied(
    'pet-id',
    'The query parameter petId is applied',
    (orders, value) => orders.filter(({ petId }) => `${petId}` === value),
    'petId',
  ),
  applied('q', 'The query parameter q is applied', (orders, value) =>
    orders.filter(({ id }) => String(id).includes(value)),
  ),
  {
    id: 'query-500',
    title: 'An unknown query parameter is answered 500',
    breaks: ['list-orders-query-ignored'],
    override: selected((orders, ctx) => {
      if (ctx.url.search !== '') throw new TypeError('no such column')
      return orders
    }),
  },
  {
    id: 'shipped-hidden',
    title: 'Shipped orders are not in the list',
    breaks: ['list-orders-shipped-listed'],
    override: () => ({ listsOrder: ({ state }) => state !== 'shipped' }),
  },
  {
    id: 'pending-hidden',
    title: 'Pending orders are not in the list',
    breaks: ['list-orders-pending-listed'],
    override: () => ({ listsOrder: ({ state }) => state !== 'pending' }),
  },
  {
    id: 'orders-on-some-connections',
    title: 'Every second connection is to another server, which has only the first 12 orders',
    breaks: ['list-orders-on-every-connection'],
    namedBreaks: ['list-orders-pending-listed'],
    // Ordinary clients are spared, because their lists are compared with others of the suite.
    override: selected((orders, { connection, headers }) =>
      connection.id % 2 === 0 && headers.get('user-agent') === 'store-conformance'
        ? orders.slice(0, 12)
        : orders,
    ),
  },
  {
    id: 'list-orders-stale',
    title: 'The order list is cached for ever',
    breaks: ['list-orders-pending-listed'],
    outOfReachWhenNamed: 'named orders exist before the list is cached, and cancelled orders may stay in it',
    override: base => {
      let kept: Answer | Promise<Answer> | undefined
      return {
        fromCache: (ctx, make) => {
          if (ctx.operation !== 'listOrders') return base.fromCache(ctx, make)
          kept ??= base.fromCache(ctx, make)
          return kept
        },
      }
    },
  },
  {
    id: 'ids-listed-through-double',
    title: 'Order ids in the list are rounded to a double',
    breaks: ['list-orders-exact-ids'],
    outOfReachWhenNamed: 'it shows only with ids above 2^53, and named ids cannot be chosen',
    override: base => ({
      renderNumber: (decimal, place, ctx) =>
        base.renderNumber(place === 'order.id' ? String(BigInt(Number(decimal))) : decimal, place, ctx),
    }),
  },
  {
    id: 'ids-listed-in-32-bits',
    title: 'Order ids in the list are truncated to 32 bits',
    breaks: ['list-orders-exact-ids'],
    outOfReachWhenNamed: 'it shows only with ids above 2^31, and named ids cannot be chosen',
    override: base => ({
      renderNumber: (decimal, place, ctx) =>
        base.renderNumber(
          place === 'order.id' ? String(BigInt.asIntN(32, BigInt(decimal))) : decimal,
          place,
          ctx,
        ),
    }),
  },
  {
    id: 'big-ids-hidden',
    title: 'Orders with ids above 2^53 are not in the list',
    breaks: ['list-orders-exact-ids'],
    outOfReachWhenNamed: 'it shows only with ids above 2^53, and named ids cannot be chosen',
    override: selected(orders => orders.filter(({ id }) => Number.isSafeInteger(Number(id)))),
  },
  {
    id: 'list-orders-lines',
    title: 'The orders are sent as NDJSON, one on each line, without an array',
    breaks: ['list-orders-json'],
    override: answer(each => withBody(each, bodyText(each).slice(1, -1).replaceAll('},{', '}\n{'))),
  },
]
