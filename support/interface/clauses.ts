import type { Clause } from './description.ts'

const NOT_SHOWN = 'not shown: the document leaves it open'

/**
 * The ledger: every normative statement of the interface document, in our own words. The number before the slash is the
 * section of the document.
 */
export const clauses = {
  '1/base-address': { says: 'All endpoints are below one base address, which contains the version prefix.' },
  '1/http': { says: 'The service is an HTTP interface: each request gets a response with a status.' },
  '1/json': { says: 'Request and response bodies are application/json.' },
  '1/staging': {
    says: 'A staging address has the same paths.',
    unchecked: 'a run judges one address; judge staging in a run of its own',
  },

  '2/order': {
    says: 'An order is an object. None of its members is marked required, and each member that is present has its type.',
  },
  '2/order-id': { says: 'id of an order is a 64-bit integer and identifies one order.' },
  '2/order-pet-id': { says: 'petId of an order is a 64-bit integer.' },
  '2/order-quantity': { says: 'quantity of an order is an integer.' },
  '2/order-ship-date': { says: 'shipDate is an ISO 8601 date-time.' },
  '2/order-complete': { says: 'complete is a boolean.' },
  '2/order-status': { says: 'It is open whether an order shows a status.' },
  '2/entry': { says: 'An inventory entry is an object with petId, quantity and status.' },
  '2/entry-pet-id': { says: 'petId of an entry is a number and identifies the animal. Its format is open.' },
  '2/entry-quantity': { says: 'quantity of an entry is an integer: the stock.' },
  '2/entry-status': { says: 'status is a string and is present in every entry.' },
  '2/status-values': {
    says: 'available and sold are known values of status. It is open whether there are others.',
  },
  '2/status-mapping': {
    says: 'Quantity 0 is reported as sold and a quantity above 0 as available. This is observed, not stated as a rule.',
  },
  '2/error': { says: 'An error has a code and a message, both strings, and the HTTP status as an integer.' },

  '3/pending': { says: 'A cancelled order is no longer pending.' },
  '3/shipped': { says: 'A shipped order does not change when its cancellation is refused.' },
  '3/order-states': { says: 'It is open which other states orders have.', unchecked: NOT_SHOWN },
  '3/stock-status': {
    says: 'It is open how the stock status moves between its values.',
    unchecked: NOT_SHOWN,
  },

  '4.1/200': { says: 'Listing orders is answered 200 with a JSON array of orders.' },
  '4.1/all': { says: 'The list contains every order. There is no filter and no paging.' },
  '4.1/401': { says: 'Listing orders without a valid key is answered 401 with an Error body.' },

  '4.2/order-id': { says: 'The path names the order by a 64-bit integer.' },
  '4.2/only-pending': { says: 'Only a pending order can be cancelled.' },
  '4.2/no-request-body': {
    says: 'A cancellation has no request body.',
    unchecked: 'binds the client; every cancellation that the suite sends has no body',
  },
  '4.2/204': { says: 'Cancelling a pending order is answered 204 without a body.' },
  '4.2/401': { says: 'Cancelling without a valid key is answered 401 with an Error body.' },
  '4.2/404': { says: 'Cancelling an order that does not exist is answered 404 with an Error body.' },
  '4.2/409': { says: 'Cancelling an order that has shipped is answered 409.' },

  '4.3/200': { says: 'Listing the inventory is answered 200 with a JSON array of entries.' },
  '4.3/401': { says: 'Listing the inventory without a valid key is answered 401 with an Error body.' },

  '4.4/experimental': {
    says: 'Updating stock is experimental: its request may change.',
    unchecked: 'a mark in the document, not in a response; profile 1.0.0-stable leaves the operation out',
  },
  '4.4/pet-id': { says: 'The path names the pet whose stock is updated.' },
  '4.4/content-type': { says: 'The request has Content-Type application/json.' },
  '4.4/replaces': { says: 'quantity, an integer, replaces the current stock.' },
  '4.4/body': { says: 'It is open whether quantity is required and which other members a body may have.' },
  '4.4/200': { says: 'An update is answered 200 with the updated entry.' },
  '4.4/400': { says: 'A body without a required member, or with invalid values, is answered 400.' },
  '4.4/401': { says: 'Updating without a valid key is answered 401 with an Error body.' },
  '4.4/404': { says: 'Updating a pet that does not exist is answered 404 with an Error body.' },
  '4/other-endpoints': { says: 'Other endpoints are open.', unchecked: NOT_SHOWN },

  '5/bearer': { says: 'Every operation requires the header Authorization: Bearer with an API key.' },
  '5/401': { says: 'A missing or invalid key is answered 401 with an Error body.' },
  '5/issuing': {
    says: 'It is open how keys are issued, how long they are valid and what they permit.',
    unchecked: NOT_SHOWN,
  },

  '6/events': { says: 'Events and notifications are open.', unchecked: NOT_SHOWN },

  '7/error-body': { says: 'Bodies of 401 and 404 have the Error shape.' },
  '7/codes': { says: 'The values of code are open.', unchecked: NOT_SHOWN },
  '7/400-body': { says: 'The body of a 400 is open.' },
  '7/409-body': { says: 'The body of a 409 is open.' },

  '8/no-paging': { says: 'The list of orders has no filters and no pages: it is always complete.' },
  '8/limits': { says: 'Rate limits, size limits and quotas are open.', unchecked: NOT_SHOWN },

  '9/prefix': { says: 'The version is in the path as /v1. The interface version is 1.0.0.' },
  '9/version-2': {
    says: 'Filters and paging are planned for version 2.',
    unchecked: 'is about a later version',
  },
  '9/stability': {
    says: 'Endpoints can be marked experimental or beta.',
    unchecked: 'a mark in the document, not in a response',
  },
  '9/deprecated-pets': {
    says: 'GET /pets/{petId} is deprecated and has a sunset date. Its shape and the date are open.',
  },
} as const satisfies Readonly<Record<string, Clause>>

export type ClauseId = keyof typeof clauses
