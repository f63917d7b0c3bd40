import {
  control,
  type Exchange,
  expectListed,
  expectStatus,
  NotApplicable,
  quantityIn,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { bodiesRefused, inventoryChanged, ordersChanged } from './scenarios.ts'

const ofInventory = { operation: 'listInventory', given: inventoryChanged } as const
const ofOrders = { operation: 'listOrders', given: ordersChanged } as const

const NOT_CURRENT =
  'RFC 9110 §15.4.5: a 304 states that the earlier response is still current. A client with a cache relies on it.'
const SAME_STORE =
  'The document describes one list of the store. That every connection shows the same follows.'

function expectStock(list: Exchange, pet: string): void {
  expectStatus(list, 200)
  const quantity = quantityIn(list, pet)
  if (quantity !== 41n) throw new Violation(`quantity 41 of pet ${pet}`, String(quantity), list)
}

function expectOrder(list: Exchange, order: string): void {
  expectStatus(list, 200)
  expectListed(list, 'id', [order])
}

/** The pet or order that changed between the requests. @throws {NotApplicable} if nothing did */
function changedIn({ changed }: { readonly changed: string | undefined }): string {
  if (changed !== undefined) return changed
  throw new NotApplicable('nothing that the list shows could be changed during the run')
}

export const rules = [
  rule({
    ...ofInventory,
    id: 'conditional-list-inventory',
    level: 'implied',
    because: NOT_CURRENT,
    clause: '4.3/200',
    title: 'GET /inventory with the ETag or date of an earlier response returns the new list after a change',
    after: 'connections-agree-list-inventory',
    expect(seen) {
      const pet = changedIn(seen)
      expectStatus(seen.unchanged, [200, 304])
      for (const list of seen.conditional) expectStock(list, pet)
    },
    usually: 'The ETag is computed from something that the change does not touch.',
  }),
  rule({
    ...ofInventory,
    id: 'connections-agree-list-inventory',
    level: 'implied',
    because: SAME_STORE,
    clause: '4.3/200',
    title: 'GET /inventory shows a change on every connection',
    after: ['update-listed', 'list-inventory-pets-listed'],
    expect(seen) {
      for (const list of [seen.kept, seen.other]) expectStock(list, changedIn(seen))
    },
    usually: 'A connection keeps its own cache, or a database transaction that began before the change.',
  }),
  rule({
    ...ofOrders,
    id: 'conditional-list-orders',
    level: 'implied',
    because: NOT_CURRENT,
    clause: '4.1/all',
    title:
      'GET /store/orders with the ETag or date of an earlier response returns the new list after a change',
    after: 'connections-agree-list-orders',
    expect(seen) {
      const order = changedIn(seen)
      expectStatus(seen.unchanged, [200, 304])
      for (const list of seen.conditional) expectOrder(list, order)
    },
    usually: 'The ETag is computed from something that the change does not touch.',
  }),
  rule({
    ...ofOrders,
    id: 'connections-agree-list-orders',
    level: 'implied',
    because: SAME_STORE,
    clause: '4.1/all',
    title: 'GET /store/orders shows a new order on every connection',
    after: ['list-orders-pending-listed', 'list-orders-unpaged'],
    expect(seen) {
      for (const list of [seen.kept, seen.other]) expectOrder(list, changedIn(seen))
    },
    usually: 'A connection keeps its own cache, or a database transaction that began before the change.',
  }),
  rule({
    id: 'unread-body-update-inventory',
    operation: 'updateInventory',
    given: bodiesRefused,
    level: 'implied',
    because:
      'RFC 9112 §9.3: a server reads the whole body of a request or closes the connection. Else the next request of the client is answered wrongly.',
    clause: '4.4/401',
    title: 'After a refused PATCH /inventory/{petId} the connection serves the next request, or is closed',
    after: ['auth-no-header-update-inventory', 'cancel-unknown-404'],
    expect({ pairs }) {
      for (const { refused, next } of pairs) {
        control(refused, [401, 404], 'the refused update')
        // Only a kept connection can still hold the body.
        if (next.connection === 'kept') expectStatus(next, 404)
      }
    },
    usually:
      'The request is refused before its body is read, and the server takes the body for the next request.',
  }),
]
