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
} from '../../../support/reference/index.ts'
import { brokenLists } from '../../every-exchange/faults/broken-lists.ts'

const answer = (change: (answer: Answer) => Answer): Override =>
  answersChanged({ operation: 'listOrders', status: 200 }, change)

const selected =
  (select: (orders: readonly Order[], ctx: Context) => readonly Order[]): Override =>
  base => ({
    selectOrders: (orders, ctx) => select(base.selectOrders(orders, ctx), ctx),
  })

const query = (name: string, { url }: Context): string | undefined => url.searchParams.get(name) ?? undefined

/** A parameter that is heeded, and should not be. */
const heeded = (
  id: string,
  title: string,
  select: (orders: readonly Order[], value: string) => readonly Order[],
  name = id,
): Fault => ({
  id: `query-${id}-heeded`,
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
    title: `The list has its first ${size} orders`,
    breaks: ['list-orders-unpaged'],
    outOfReachWhenNamed: 'two of three named orders are not enough to fill a page',
    override: selected(orders => orders.slice(0, size)),
  }),
)

/** The list as a whole is wrong. */
export const faults: readonly Fault[] = [
  ...brokenLists('listOrders', 'list-orders'),
  {
    id: 'list-orders-201',
    title: 'Listing orders answers 201',
    breaks: ['list-orders-200'],
    override: answer(each => withStatus(each, 201)),
  },
  {
    id: 'list-orders-206',
    title: 'Listing orders answers 206, as paging libraries do',
    breaks: ['list-orders-200'],
    override: answer(each => withStatus(each, 206)),
  },
  {
    id: 'list-orders-empty-204',
    title: 'Listing orders answers 204',
    breaks: ['list-orders-200'],
    override: answer(({ body: _body, ...each }) => withHeader({ ...each, status: 204 }, 'Content-Type')),
  },
  ...pages,
  {
    id: 'page-of-100-newest',
    title: 'The list has its newest 100 orders',
    breaks: ['list-orders-unpaged'],
    outOfReachWhenNamed: 'two of three named orders are not enough to fill a page',
    override: selected(orders => orders.slice(-100)),
  },
  {
    id: 'page-with-next-link',
    title: 'The list has 100 orders and a Link to the next page',
    breaks: ['list-orders-unpaged'],
    outOfReachWhenNamed: 'two of three named orders are not enough to fill a page',
    override: base => ({
      selectOrders: (orders, ctx) => base.selectOrders(orders, ctx).slice(0, 100),
      finish: async (each, ctx) =>
        withHeader(await base.finish(each, ctx), 'Link', '</v1/store/orders?page=2>; rel="next"'),
    }),
  },
  heeded('limit', 'limit is heeded', (orders, value) => orders.slice(0, numeric(value))),
  heeded('offset', 'offset is heeded', (orders, value) => orders.slice(numeric(value))),
  heeded('skip', 'skip is heeded', (orders, value) => orders.slice(numeric(value))),
  heeded('size', 'size is heeded', (orders, value) => orders.slice(0, numeric(value))),
  heeded('page', 'page is heeded, with a hundred orders on each', (orders, value) =>
    orders.slice((numeric(value) - 1) * 100, numeric(value) * 100),
  ),
  heeded('per-page', 'per_page is heeded', (orders, value) => orders.slice(0, numeric(value)), 'per_page'),
  heeded('status', 'status is heeded', (orders, value) => orders.filter(({ state }) => state === value)),
  heeded('complete', 'complete is heeded', (orders, value) =>
    orders.filter(({ complete }) => String(complete) === value),
  ),
  heeded(
    'pet-id',
    'petId is heeded',
    (orders, value) => orders.filter(({ petId }) => `${petId}` === value),
    'petId',
  ),
  heeded('q', 'q is heeded', (orders, value) => orders.filter(({ id }) => String(id).includes(value))),
  {
    id: 'query-500',
    title: 'A query that is unknown is an error of the server',
    breaks: ['list-orders-query-ignored'],
    override: selected((orders, ctx) => {
      if (ctx.url.search !== '') throw new TypeError('no such column')
      return orders
    }),
  },
  {
    id: 'shipped-hidden',
    title: 'The list has open orders alone',
    breaks: ['list-orders-shipped-listed'],
    override: () => ({ listsOrder: ({ state }) => state !== 'shipped' }),
  },
  {
    id: 'pending-hidden',
    title: 'The list has no pending orders',
    breaks: ['list-orders-pending-listed'],
    override: () => ({ listsOrder: ({ state }) => state !== 'pending' }),
  },
  {
    id: 'list-orders-stale',
    title: 'The list of orders is made once, and kept',
    breaks: ['list-orders-pending-listed'],
    outOfReachWhenNamed:
      'named orders were there before the list was made, and cancelled ones may stay in it',
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
    title: 'Ids in the list go through a double',
    breaks: ['list-orders-exact-ids'],
    outOfReachWhenNamed: 'only ids above 2^53 show it, and named ones are what they are',
    override: base => ({
      renderNumber: (decimal, place, ctx) =>
        base.renderNumber(place === 'order.id' ? String(BigInt(Number(decimal))) : decimal, place, ctx),
    }),
  },
  {
    id: 'ids-listed-in-32-bits',
    title: 'Ids in the list are cut to 32 bits',
    breaks: ['list-orders-exact-ids'],
    outOfReachWhenNamed: 'only ids above 2^31 show it, and named ones are what they are',
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
    title: 'Orders whose ids a double cannot hold are left out',
    breaks: ['list-orders-exact-ids'],
    outOfReachWhenNamed: 'only ids above 2^53 show it, and named ones are what they are',
    override: selected(orders => orders.filter(({ id }) => Number.isSafeInteger(Number(id)))),
  },
  {
    id: 'list-orders-lines',
    title: 'The orders come one a line, without an array (NDJSON)',
    breaks: ['list-orders-json'],
    override: answer(each => withBody(each, bodyText(each).slice(1, -1).replaceAll('},{', '}\n{'))),
  },
]
