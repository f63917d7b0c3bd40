import {
  type Answer,
  answersChanged,
  breaking,
  type ClientConnection,
  entryOf,
  type Fault,
  type Order,
  type OrderState,
  type Override,
  only,
  resultChanged,
} from '../../support/reference/index.ts'

/** The name that the suite gives itself. */
const SUITE = 'store-conformance'

const TOO_FEW = { outOfReachWhenNamed: 'named orders are too few' }

/** An order for a pet whose stock was updated is treated as if it was in another state. */
const taking =
  (from: OrderState, to: OrderState): Override =>
  base => {
    const pets = new Set<string>()
    return {
      applyQuantity: (entry, quantity, ctx) => {
        pets.add(entry.petId)
        return base.applyQuantity(entry, quantity, ctx)
      },
      judgeCancel: (order, ctx) => {
        const state = base.judgeCancel(order, ctx)
        return state === from && pets.has(String(order.petId)) ? to : state
      },
    }
  }

/** A cancellation also changes the stock of its pet. */
const restocking = (change: (stock: bigint, units: bigint) => bigint): Override =>
  resultChanged('applyCancel', (_, order, { domain }) => {
    const entry = entryOf(domain, order.petId)
    if (entry) entry.quantity = change(entry.quantity, order.quantity)
  })

/** Faults that show only where an order is for a pet whose stock the run changes. */
const ownPets: readonly Fault[] = [
  ...breaking('any-data', {
    'own-pet-cancel-409': [
      'A pending order counts as shipped once its pet is updated',
      taking('pending', 'shipped'),
    ],
    'own-pet-cancel-again-204': [
      'A cancelled order is pending once its pet is updated',
      taking('cancelled', 'pending'),
    ],
    'own-pet-shipped-204': [
      'A shipped order is pending once its pet is updated',
      taking('shipped', 'pending'),
    ],
  }),
  ...breaking('any-data', {
    'own-pet-orders-shrink': [
      'An update also lowers the quantity of the orders for its pet',
      resultChanged('applyQuantity', (_, { petId }, quantity, { domain }) => {
        for (const order of domain.orders.values())
          if (String(order.petId) === petId && order.quantity > quantity) order.quantity = quantity
      }),
    ],
    'own-pet-stock-emptied': ['A cancellation sets its pet to 0', restocking(() => 0n)],
    'own-pet-units-return-twice': [
      'A cancellation returns the units of the order twice',
      restocking((stock, units) => stock + 2n * units),
    ],
  }),
].map(fault => ({ ...fault, outOfReachWhenNamed: 'named orders are for any pets' }))

/** Faults that show only in one context, or after several requests. */
export const faults: readonly Fault[] = [
  ...ownPets,
  ...breaking(['after-anything/updateInventory', 'any-history'], {
    'update-back-lost': [
      'An update to the quantity before the last one is dropped as a repetition if it is 1 to 4',
      base => {
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
    ],
  }),
  ...breaking('any-history', {
    'fifth-cancel-in-a-row-succeeds': [
      'The fifth cancellation in a row of the same order on a connection succeeds again',
      base => {
        const rows = new WeakMap<ClientConnection, { readonly order: Order; readonly attempts: number }>()
        return {
          judgeCancel: (order, ctx) => {
            const row = rows.get(ctx.connection)
            const attempts = row?.order === order ? row.attempts + 1 : 1
            rows.set(ctx.connection, { order, attempts })
            const state = base.judgeCancel(order, ctx)
            return state === 'cancelled' && attempts >= 5 ? 'pending' : state
          },
        }
      },
      TOO_FEW,
    ],
  }),
  ...breaking('any-form', {
    'inventory-cached-by-query': [
      'The inventory is cached for each query, and updates clear only the cache for no query',
      base => {
        const lists = new Map<string, Answer>()
        return answersChanged({ operation: 'listInventory', status: 200 }, (answer, { url }) => {
          const list = lists.get(url.search) ?? answer
          if (url.search !== '') lists.set(url.search, list)
          return list
        })(base)
      },
      { also: ['conditional-list-inventory'] },
    ],
    'orders-halved-for-other-clients': [
      'Only requests with the User-Agent of the suite get every order',
      resultChanged('selectOrders', (orders, _, { headers }) =>
        (headers.get('user-agent') ?? SUITE) === SUITE
          ? orders
          : orders.slice(0, Math.ceil(orders.length / 2)),
      ),
    ],
  }),
  ...breaking('any-form/listInventory', {
    'wrong-key-behind-proxy': [
      'A wrong key is accepted for the inventory if a proxy on the same machine passes the request on',
      only(
        'listInventory',
        resultChanged(
          'isKey',
          (isKey, _, ctx) => isKey || ctx.headers.get('x-forwarded-for') === '127.0.0.1',
        ),
      ),
    ],
  }),
  ...breaking('after-anything', {
    'wrong-key-remembered': [
      'A connection on which a wrong key was refused is refused the right key as well',
      base => {
        const refused = new WeakSet<ClientConnection>()
        return {
          isKey: (sent, ctx) => {
            if (!base.isKey(sent, ctx)) refused.add(ctx.connection)
            return !refused.has(ctx.connection)
          },
        }
      },
      { also: ['auth-scheme-case'] },
    ],
  }),
  ...breaking('after-anything/cancelOrder', {
    'third-cancel-succeeds': [
      'The third cancellation of an order on a reused connection succeeds again',
      base => {
        const attempts = new Map<bigint, number>()
        const requests = new WeakMap<ClientConnection, number>()
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
      { also: ['cancel-race-once'] },
    ],
  }),
]
