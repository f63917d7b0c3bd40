import { lastOf, scenario, sendUntilComplete } from '../../support/authoring/index.ts'

export const ordersListed = scenario('list the orders', {}, async ({ store }) => {
  const answers = await sendUntilComplete(() => store.listOrders())
  return { answers, list: lastOf(answers) }
})

/** More than the usual default page sizes: 10, 20, 25, 50, 100, 200. */
const MANY = 250

export const manyOrders = scenario(
  'list several hundred orders',
  { arranges: 'hundreds of orders' },
  async ({ store, states }) => {
    const orders = await states.manyOrders(MANY)
    return { orders, list: await store.listOrders() }
  },
)

/** A store that applies one of these leaves an order out. */
const QUERIES = [
  'limit=1',
  'limit=0',
  'size=1',
  'page=2',
  'page=9999&per_page=1',
  'pageSize=1&pageNumber=2',
  'offset=1',
  'skip=1&take=1',
  'cursor=none',
  'status=no-such-status',
  'complete=neither',
  'petId=-1',
  'q=no-such-order',
  'filter=no-such-order',
  'fields=none',
]

export const queried = scenario(
  'list the orders with the usual query parameters',
  { extraOrders: 2, changes: 'orders' },
  async ({ store, states }) => {
    await states.extraOrders(2)
    const before = await store.listOrders({ step: 'before' })
    const queries = await Promise.all(
      QUERIES.map(query => store.listOrders({ query, step: `with ?${query}` })),
    )
    return { before, queries, after: await store.listOrders({ step: 'after' }) }
  },
)

/** Field rules judge every order list of the run, so a wrong order is found whenever and wherever it appears. */
export const everyOrderList = scenario(
  'look at every order list of the run',
  { atTheEnd: true },
  async ({ store, lists }) => {
    await store.listOrders({ step: 'at the end of the run' })
    return { lists: lists('listOrders').filter(({ response }) => response?.status === 200) }
  },
)
