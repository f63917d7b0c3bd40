import { setTimeout } from 'node:timers/promises'
import {
  type Answer,
  answersChanged,
  type Context,
  type Fault,
  type Order,
  only,
  resultChanged,
  withStatus,
} from '../../../support/reference/authoring.ts'
import * as contexts from './contexts.ts'
import * as ownPets from './own-pets.ts'
import { steps } from './steps.ts'

/** The name that the suite gives itself. */
const SUITE = 'store-conformance'

const _keyed = steps.filter(({ answer }) => answer !== '401')

/** Faults that show only after several requests, beside those of the other files. */
export const faults: readonly Fault[] = [
  ...contexts.faults,
  ...ownPets.faults,
  {
    id: 'update-back-lost',
    title:
      'An update to the quantity before the last one is taken for a repetition and dropped if it is 1 to 4',
    breaks: ['after-anything/updateInventory', 'any-history'],
    override: base => {
      const history = new Map<string, bigint[]>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          const past = history.get(entry.petId) ?? []
          history.set(entry.petId, [...past, quantity])
          const [beforeLast, last] = past.slice(-2)
          if (quantity > 0n && quantity < 5n && beforeLast === quantity && last !== quantity) return
          return base.applyQuantity(entry, quantity, ctx)
        },
      }
    },
  },
  {
    id: 'inventory-cached-by-query',
    title: 'The inventory is cached for each query, and updates clear only the cache for no query',
    breaks: ['any-form'],
    override: base => {
      const lists = new Map<string, Answer | Promise<Answer>>()
      return {
        fromCache(ctx, make) {
          if (ctx.operation !== 'listInventory' || ctx.url.search === '') return base.fromCache(ctx, make)
          const list = lists.get(ctx.url.search) ?? base.fromCache(ctx, make)
          lists.set(ctx.url.search, list)
          return list
        },
      }
    },
  },
  {
    id: 'fifth-cancel-in-a-row-succeeds',
    title: 'The fifth cancellation in a row of the same order on a connection succeeds again',
    breaks: ['any-history'],
    outOfReachWhenNamed: 'named orders are too few for random histories',
    override: base => {
      const rows = new WeakMap<object, { readonly order: Order; readonly attempts: number }>()
      return {
        judgeCancel: (order, { connection, ...ctx }) => {
          const row = rows.get(connection)
          const attempts = row?.order === order ? row.attempts + 1 : 1
          rows.set(connection, { order, attempts })
          const state = base.judgeCancel(order, { connection, ...ctx })
          return state === 'cancelled' && attempts >= 5 ? 'pending' : state
        },
      }
    },
  },
  {
    id: 'list-orders-paged-by-offset',
    title:
      'Orders are read in pages by their offset, so that one is missed if an earlier one is cancelled meanwhile',
    breaks: ['list-orders-steady', 'list-orders-unpaged'],
    outOfReachWhenNamed: 'the named orders fit in a page',
    override: base => {
      const read = new WeakMap<Context, readonly Order[]>()
      const PAGE = 150
      const open = ({ orders }: Context['domain']) =>
        [...orders.values()].filter(({ state }) => state !== 'cancelled')
      return {
        async fromCache(ctx, make) {
          if (ctx.operation !== 'listOrders') return base.fromCache(ctx, make)
          const orders: Order[] = []
          const next = () => open(ctx.domain).slice(orders.length)
          while (next().length > PAGE) {
            orders.push(...next().slice(0, PAGE))
            await setTimeout(5)
          }
          read.set(ctx, [...orders, ...next()])
          return base.fromCache(ctx, make)
        },
        selectOrders: (orders, ctx) => read.get(ctx) ?? base.selectOrders(orders, ctx),
      }
    },
  },
  {
    id: 'update-of-another-origin-labelled-wrongly',
    title: 'The response to an update that a page of another origin sends shows the other status',
    breaks: ['any-form/updateInventory'],
    override: resultChanged('entryMembers', (members, { quantity }, ctx) =>
      ctx.operation === 'updateInventory' && ctx.headers.has('origin')
        ? { ...members, status: quantity === 0n ? '"available"' : '"sold"' }
        : members,
    ),
  },
  {
    id: 'cancel-of-another-origin-without-effect',
    title: 'A cancellation that a page of another origin sends is answered 204 and has no effect',
    breaks: ['any-form/cancelOrder'],
    outOfReachWhenNamed: 'named orders are too few',
    override: base => ({
      applyCancel: (order, ctx) => (ctx.headers.has('origin') ? undefined : base.applyCancel(order, ctx)),
    }),
  },
  {
    id: 'cancel-declined-with-effect',
    title: 'A cancellation with a query string is answered 400, and has its effect',
    breaks: ['any-form/cancelOrder'],
    outOfReachWhenNamed: 'named orders are too few',
    override: answersChanged({ operation: 'cancelOrder', status: 204 }, (answer, { url }) =>
      url.search === '' ? answer : withStatus(answer, 400),
    ),
  },
  {
    id: 'cancel-behind-proxy-before-key',
    title: 'A cancellation that a proxy passes on has its effect before its key is refused',
    breaks: ['any-form/cancelOrder'],
    outOfReachWhenNamed: 'named orders are too few',
    override: base => ({
      refuse(refusal, ctx) {
        const id = ctx.operation === 'cancelOrder' ? base.readOrderId(ctx.segment ?? '', ctx) : undefined
        const order = id === undefined ? undefined : base.findOrder(id, ctx)
        if (order?.state === 'pending' && ctx.headers.has('via')) order.state = 'cancelled'
        return base.refuse(refusal, ctx)
      },
    }),
  },
  {
    id: 'wrong-key-remembered',
    title: 'A connection on which a wrong key was refused is refused the right key as well',
    breaks: ['after-anything'],
    // Named orders are too few to cancel one.
    namedBreaks: ['after-anything'],
    override: base => {
      const refused = new WeakSet<object>()
      return {
        isKey: (sent, ctx) => {
          if (!base.isKey(sent, ctx)) refused.add(ctx.connection)
          return !refused.has(ctx.connection)
        },
      }
    },
  },
  {
    id: 'wrong-key-behind-proxy',
    title:
      'A wrong key is accepted for the inventory in a request that a proxy on the same machine passes on',
    breaks: ['any-form/listInventory'],
    override: only(
      'listInventory',
      resultChanged(
        'isKey',
        (isKey, _sent, { headers }) => isKey || headers.get('x-forwarded-for') === '127.0.0.1',
      ),
    ),
  },
  {
    id: 'orders-halved-for-other-clients',
    title: 'Only requests with the User-Agent of the suite get every order',
    breaks: ['any-form'],
    override: resultChanged('selectOrders', (orders, _, { headers }) =>
      (headers.get('user-agent') ?? SUITE) === SUITE ? orders : orders.slice(0, Math.ceil(orders.length / 2)),
    ),
  },
  {
    id: 'update-without-id-has-no-effect',
    title: 'An update by a client with a name has no effect without an X-Request-Id',
    breaks: ['any-form/updateInventory'],
    override: base => ({
      applyQuantity: (entry, quantity, ctx) =>
        ctx.headers.has('user-agent') && !ctx.headers.has('x-request-id')
          ? undefined
          : base.applyQuantity(entry, quantity, ctx),
    }),
  },
  {
    id: 'third-cancel-succeeds',
    title: 'The third cancellation of an order on a reused connection succeeds again',
    breaks: ['after-anything/cancelOrder'],
    override: base => {
      const attempts = new Map<bigint, number>()
      const requests = new WeakMap<object, number>()
      return {
        authenticate: ctx => {
          requests.set(ctx.connection, (requests.get(ctx.connection) ?? 0) + 1)
          return base.authenticate(ctx)
        },
        judgeCancel: (order, ctx) => {
          const state = base.judgeCancel(order, ctx)
          if ((requests.get(ctx.connection) ?? 0) < 3) return state
          const attempt = (attempts.get(order.id) ?? 0) + 1
          attempts.set(order.id, attempt)
          return state === 'cancelled' && attempt >= 3 ? 'pending' : state
        },
      }
    },
  },
]
