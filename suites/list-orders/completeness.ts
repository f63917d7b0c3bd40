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

/** Others may add and remove orders meanwhile: what was there before and after was there in between. */
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
    title: 'The list has every order, also when there are hundreds',
    given: manyOrders,
    after: 'list-orders-pending-listed',
    expect({ orders, list }) {
      control(list, 200, 'the list')
      expectListed(list, 'id', orders)
    },
    usually: 'A default page size of the database layer or of a paging library.',
  }),
  rule({
    id: 'list-orders-query-ignored',
    level: 'required',
    clause: '8/no-paging',
    operation: 'listOrders',
    title: 'A query (limit, page, status, q …) does not shorten the list',
    given: queried,
    after: 'list-orders-objects',
    expect({ before, queries, after }) {
      const steady = steadyIds({ before, after })
      if (steady.length < 2 && entriesOf(before).some(({ entry }) => member(entry, 'id') === undefined)) {
        throw new NotApplicable('orders are listed without their ids, so a shorter list cannot be told')
      }
      if (steady.length < 2) {
        throw new CantTell(
          `only ${steady.length} orders with an id are listed; a shorter list shows among two or more`,
          before,
        )
      }
      for (const list of queries) {
        // A store may refuse a query that it does not know; whether it does, is not shown.
        if (list.response && list.response.status >= 400 && list.response.status < 500) continue
        expectStatus(list, 200)
        expectListed(list, 'id', steady)
      }
    },
    usually: 'A generic controller that turns every query parameter into a filter.',
  }),
]
