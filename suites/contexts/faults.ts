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
import {
  type AskName,
  after,
  answered,
  asks,
  beside,
  changing,
  instances,
  late,
  requesting,
  type When,
} from '../operators.ts'

/** The name that the suite gives itself. */
const SUITE = 'store-conformance'

const TOO_FEW = { outOfReachWhenNamed: 'named orders are too few' }
const ANY_PETS = { outOfReachWhenNamed: 'named orders are for any pets' }

/** A request after which the plain schedule does not send this one on the same connection. */
const before = (name: AskName): AskName => {
  if (/^auth/.test(name)) return 'update-unknown-404'
  return /^list/.test(name) ? 'auth-no-header-list-orders' : 'auth-no-header-cancel-order'
}

const moments: readonly (readonly [id: string, rule: string, when: (name: AskName) => When])[] = [
  ['after-anything', 'after-anything', name => after(before(name), 'connection')],
  ['beside-anything', 'beside-anything', () => beside],
  ['any-request', 'any-form', () => requesting('accept-language', /^de/)],
  ['at-the-end', 'at-the-end', () => late],
]

const TOO_LATE = { outOfReachWhenNamed: 'the fault begins when orders with chosen ids are arranged' }

/** A fault for each answer in each context. */
const momentary = moments.flatMap(([moment, rule, when]) => {
  const isLate = when('list-orders-200') === late
  const factsOf = (name: AskName) => ({
    ...(isLate ? TOO_LATE : name === 'cancel-pending-204' ? TOO_FEW : {}),
    when: when(name),
  })
  // Late in the run, the lists get long as well. Two requests may come one after the other by chance in other circumstances.
  const also = isLate ? ['any-size'] : moment === 'after-anything' ? ['any-form', 'at-the-end'] : []
  const broken = [rule, ...also]
  const answers = (Object.keys(asks) as AskName[]).filter(name => !isLate || !/^list/.test(name))
  const changes = { order: 'cancel-unknown-404', stock: 'update-unknown-404' } as const
  return [
    ...answers.flatMap(name => {
      const cell = `${rule}/${asks[name].operation}`
      return instances({ [`${moment}-500-${name}`]: [asks[name], cell, answered(500), factsOf(name)] })
    }),
    ...(['order', 'stock'] as const).flatMap(what => {
      const name = changes[what]
      return instances({ [`${moment}-changes-${what}`]: [asks[name], broken, changing(what), factsOf(name)] })
    }),
  ]
})

/** An order for a pet whose stock was updated is treated as if it was in another state. */
const taking = (from: OrderState, to: OrderState) =>
  [
    'any-data',
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
    },
    ANY_PETS,
  ] satisfies Parameters<typeof breaking>[0][string]

/** A cancellation also changes the stock of its pet. */
const restocking = (change: (stock: bigint, units: bigint) => bigint): Override =>
  resultChanged('applyCancel', (_, order, { domain }) => {
    const entry = entryOf(domain, order.petId)
    if (entry) entry.quantity = change(entry.quantity, order.quantity)
  })

/** Faults that show only in one context, or after several requests. */
const others = breaking({
  'own-pet-cancel-409': taking('pending', 'shipped'),
  'own-pet-cancel-again-204': taking('cancelled', 'pending'),
  'own-pet-shipped-204': taking('shipped', 'pending'),
  // An update also lowers the quantity of the orders for its pet.
  'own-pet-orders-shrink': [
    'any-data',
    resultChanged('applyQuantity', (_, { petId }, quantity, { domain }) => {
      for (const order of domain.orders.values())
        if (String(order.petId) === petId && order.quantity > quantity) order.quantity = quantity
    }),
    ANY_PETS,
  ],
  'own-pet-stock-emptied': ['any-data', restocking(() => 0n), ANY_PETS],
  'own-pet-units-return-twice': ['any-data', restocking((stock, units) => stock + 2n * units), ANY_PETS],
  // An update to the quantity before the last one is dropped as a repetition if it is 1 to 4.
  'update-back-lost': [
    ['after-anything/updateInventory', 'any-history'],
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
  'fifth-cancel-in-a-row-succeeds': [
    'any-history',
    base => {
      const rows = new WeakMap<ClientConnection, { readonly order: Order; readonly attempts: number }>()
      return resultChanged('judgeCancel', (state, order, { connection }) => {
        const row = rows.get(connection)
        const attempts = row?.order === order ? row.attempts + 1 : 1
        rows.set(connection, { order, attempts })
        return state === 'cancelled' && attempts >= 5 ? 'pending' : state
      })(base)
    },
    TOO_FEW,
  ],
  // Updates clear only the cache for no query.
  'inventory-cached-by-query': [
    ['any-form', 'conditional-list-inventory'],
    base => {
      const lists = new Map<string, Answer>()
      return answersChanged({ operation: 'listInventory', status: 200 }, (answer, { url }) => {
        const list = lists.get(url.search) ?? answer
        if (url.search !== '') lists.set(url.search, list)
        return list
      })(base)
    },
  ],
  'orders-halved-for-other-clients': [
    'any-form',
    resultChanged('selectOrders', (orders, _, { headers }) =>
      (headers.get('user-agent') ?? SUITE) === SUITE ? orders : orders.slice(0, Math.ceil(orders.length / 2)),
    ),
  ],
  'wrong-key-behind-proxy': [
    'any-form/listInventory',
    only(
      'listInventory',
      resultChanged('isKey', (is, _, { headers }) => is || headers.get('x-forwarded-for') === '127.0.0.1'),
    ),
  ],
  // A connection on which a wrong key was refused is refused the right key as well.
  'wrong-key-remembered': [
    'after-anything',
    base => {
      const refused = new WeakSet<ClientConnection>()
      return resultChanged('isKey', (isKey, _, { connection }) => {
        if (!isKey) refused.add(connection)
        return !refused.has(connection)
      })(base)
    },
  ],
  // On a reused connection.
  'third-cancel-succeeds': [
    'after-anything/cancelOrder',
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
})

export const faults: readonly Fault[] = [...momentary, ...others]
