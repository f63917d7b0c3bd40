import type { Schedule } from '../acts.ts'
import { listInventory, listOrders } from '../asks.ts'

/**
 * A store that applies one of these leaves an order out (§8). Each group is sent as one query. A parameter that occurs in both groups has
 * different values.
 */
const GROUPS = [
  [
    'limit=1',
    '_limit=1',
    'offset=1',
    'size=1',
    'page=9999&per_page=1',
    'status=no-such-status',
    'q=no-such-order',
    'cursor=none',
    'id=0',
    'first=1',
    'count=1',
    'include=pet',
    'format=xml',
    'envelope=true',
    'sort=-id',
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
    'ids=0',
    '$top=1&$skip=1',
    'page%5Bsize%5D=1',
    'callback=show',
    'since=9999-12-31',
  ],
] as const

const QUERIED = { row: 'query', declined: [400, 414, 422] } as const

/** Lists with query parameters, on several connections. Whether a store refuses unknown parameters is open. */
export const queries: Schedule = {
  name: 'queries',
  title: 'lists with query parameters',
  requests: [9, 9, 9],
  context: 'plain',
  async run(acts) {
    await acts.send(listOrders())
    const orders = listOrders({ ...QUERIED, title: 'the list of orders with a query' })
    for (const group of GROUPS) {
      const ask = (query: string) => [{ ...orders }, { query }] as const
      const answer = await acts.send(...ask(group.join('&')))
      // A refusal of one parameter hides what the store does with the others.
      if (answer?.response?.status !== 200) await acts.all(group.map(ask))
    }
    await acts.send(listInventory({ ...QUERIED, title: 'the inventory with a query' }), {
      query: 'limit=1&page=2&status=sold',
    })
    // Several servers with separate data may answer at one address.
    await acts.all(
      [0, 1, 2].map(
        () =>
          [
            listOrders({ row: 'connection', title: 'the list of orders on a new connection' }),
            { headers: [['Connection', 'close']] },
          ] as const,
      ),
    )
    await acts.look()
  },
}
