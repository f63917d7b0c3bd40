import {
  CantTell,
  control,
  type Exchange,
  entriesOf,
  expectListed,
  expectStatus,
  idsIn,
  member,
  NotApplicable,
  rule,
} from '../../support/authoring/index.ts'
import { manyOrders, queried } from './scenarios.ts'

/** Other clients may add and remove orders, so only orders that were listed before and after are expected in between. */
function steadyIds({ before, after }: { before: Exchange; after: Exchange }): string[] {
  const later = new Set(idsIn(after, 'id'))
  return idsIn(before, 'id').filter(id => later.has(id))
}

export const rules = [
  rule({
    id: 'list-orders-unpaged',
    level: 'required',
    clause: '4.1/all',
    operation: 'listOrders',
    title: 'GET /store/orders returns every order, also if there are hundreds',
    given: manyOrders,
    after: 'list-orders-pending-listed',
    expect({ orders, list }) {
      control(list, 200, 'the list')
      expectListed(list, 'id', orders)
    },
    usually: 'The database layer or a paging library has a default page size.',
  }),
  rule({
    id: 'list-orders-query-ignored',
    level: 'required',
    clause: '8/no-paging',
    operation: 'listOrders',
    title:
      'GET /store/orders with query parameters (limit, page, status, q …) returns every order or refuses the request',
    given: queried,
    after: 'list-orders-objects',
    expect({ before, queries, after }) {
      const steady = steadyIds({ before, after })
      if (steady.length < 2 && entriesOf(before).some(({ entry }) => member(entry, 'id') === undefined)) {
        throw new NotApplicable('the listed orders have no ids, so a shorter list cannot be recognised')
      }
      if (steady.length < 2) {
        throw new CantTell(
          `only ${steady.length} orders with an id are listed; two are needed to recognise a shorter list`,
          before,
        )
      }
      for (const list of queries) {
        // Whether a store refuses unknown query parameters is not shown.
        if (list.response && list.response.status >= 400 && list.response.status < 500) continue
        expectStatus(list, 200)
        expectListed(list, 'id', steady)
      }
    },
    usually: 'A generic controller turns every query parameter into a filter.',
  }),
]
