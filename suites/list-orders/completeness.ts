import {
  CantTell,
  countInBoth,
  type Exchange,
  expectArray,
  expectKept,
  expectStatus,
  find,
  isSuccess,
  lengthOf,
  missingOfBoth,
  NotApplicable,
  rule,
  scenario,
  showsIds,
  Violation,
} from '../../support/authoring/index.ts'
import { unpagedRules } from '../lists.ts'

/**
 * A store that applies one of these leaves an order out. Each group is sent as one query. A parameter that occurs in both groups has
 * different values.
 */
const QUERIES = [
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

const queried = scenario(
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

const differing = (what: string, how: string, list: Exchange): Violation =>
  new Violation(`${what} in every list, on every connection`, how, list)

const all = { operation: 'listOrders', level: 'required', clause: '4.1/all' } as const

export const rules = [
  ...unpagedRules('listOrders', {
    many: 250,
    further: [400, 400],
    arrangeFurther: states => states.extraOrders,
    facts: {
      level: 'required',
      clause: '4.1/all',
      title: 'GET /store/orders returns every order, also if there are hundreds',
      after: 'list-orders-pending-listed',
      usually:
        'The database layer or a paging library has a default page size. Or a buffer is sent without its end.',
    },
  }),
  rule({
    ...all,
    id: 'list-orders-on-every-connection',
    title: 'GET /store/orders returns every order on every connection',
    given: queried,
    after: 'list-orders-objects',
    expect({ own, before, connections, after }) {
      const lists = [before, ...connections, after]
      for (const list of lists) expectStatus(list, 200)
      // Other clients may add and remove orders, but nobody cancels those of this scenario.
      const shown = own.filter(order => lists.some(list => find(list, 'id', order)))
      if (shown.length === 0 && countInBoth(before, after, 'id') === 0)
        throw new NotApplicable('the lists show no order by which they could be compared')
      for (const order of shown) {
        const hiding = lists.filter(list => !find(list, 'id', order))
        if (hiding[0])
          throw differing(`order ${order}`, `${hiding.length} of ${lists.length} lists without it`, hiding[0])
      }
      for (const list of connections) {
        const missing = missingOfBoth(list, 'id', before, after)
        if (missing[0])
          throw differing(
            `order ${missing[0]}`,
            `a list without ${missing.length} orders of the others`,
            list,
          )
      }
    },
    usually:
      'Several servers with separate data, or with copies that lag behind, answer at one address. Or the list has only the newest orders.',
  }),
  rule({
    ...all,
    id: 'list-orders-query-ignored',
    clause: '8/no-paging',
    title:
      'GET /store/orders with query parameters (limit, page, status, q …) returns every order or refuses the request',
    given: queried,
    after: ['list-orders-objects', 'list-orders-on-every-connection'],
    expect({ own, before, queries, after }) {
      // Other clients may add and remove orders, so only orders that were listed before and after are expected in between.
      const steady = countInBoth(before, after, 'id')
      const isHidden = steady < 2 && !showsIds(before, 'id')
      if (steady < 2 && !isHidden) {
        throw new CantTell(
          `only ${steady} orders with an id are listed; two are needed to recognise a shorter list`,
          before,
        )
      }
      for (const list of queries) {
        // Whether a store refuses unknown query parameters is not shown.
        if (list.response && list.response.status >= 400 && list.response.status < 500) continue
        expectStatus(list, 200)
        expectArray(list)
        if (lengthOf(list) < own.length)
          throw new Violation(`a list of at least ${own.length} orders`, `${lengthOf(list)} orders`, list)
        expectKept(list, 'id', before, after)
      }
      if (isHidden)
        throw new NotApplicable('the listed orders have no ids, so a shorter list cannot be recognised')
    },
    usually: 'A generic controller turns every query parameter into a filter.',
  }),
]
