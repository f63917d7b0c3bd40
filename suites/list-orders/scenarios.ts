import { isSuccess, scenario } from '../../support/authoring/index.ts'
import { everyList, listed } from '../lists.ts'

export const ordersListed = listed('listOrders', 'list the orders')
export const everyOrderList = everyList('listOrders', 'look at every order list of the run')

/** More than the usual default page sizes: 10, 20, 25, 50, 100, 200. */
const MANY = 250

/** With these, more than the usual limits: 500 and 1,000 orders, 64 KiB. A provider state may arrange fewer at once. */
const FURTHER = [400, 400] as const

export const manyOrders = scenario(
  'list more than 1,000 orders',
  { turn: 'long lists' },
  async ({ store, states }) => {
    const orders = await states.manyOrders(MANY)
    const further: string[] = []
    for (const count of FURTHER) further.push(...(await states.extraOrders(count)))
    return { orders, further, list: await store.listOrders() }
  },
)

/**
 * A store that applies one of these leaves an order out. Each group is sent as one query. A parameter that occurs in both groups has
 * different values.
 */
const QUERIES = [
  [
    'limit=1',
    'offset=1',
    'size=1',
    'page=9999&per_page=1',
    'status=no-such-status',
    'q=no-such-order',
    'cursor=none',
  ],
  [
    'limit=0',
    'pageSize=1&pageNumber=2',
    'skip=1&take=1',
    'page=2',
    'complete=neither',
    'filter=no-such-order',
    'petId=-1',
    'fields=none',
  ],
] as const

export const queried = scenario(
  'list the orders with the usual query parameters',
  { extraOrders: 2 },
  async ({ store, states }) => {
    const own = await states.extraOrders(2)
    const before = await store.listOrders({ step: 'before' })
    const send = (query: string) => store.listOrders({ query, step: `with ?${query}` })
    const groups = await Promise.all(
      QUERIES.map(async group => {
        const together = await send(group.join('&'))
        // A refusal of one parameter hides what the store does with the others.
        return isSuccess(together) ? [together] : [together, ...(await Promise.all(group.map(send)))]
      }),
    )
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        store.listOrders({ connection: 'fresh', step: 'on a new connection' }),
      ),
    )
    return {
      own,
      before,
      queries: groups.flat(),
      connections,
      after: await store.listOrders({ step: 'after' }),
    }
  },
)

/** Few, because a list may be long. */
const CONNECTIONS = 3
