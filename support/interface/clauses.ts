/** The ledger: every normative statement of the interface document, in our own words, by its section and a name. */
export const clauses = {
  '1/base-address': 'All endpoints are below one base address, which contains the version prefix.',
  '1/http': 'The service is an HTTP interface: each request gets a response with a status.',
  '1/json': 'Request and response bodies are application/json.',
  '1/staging': 'A staging address has the same paths.',

  '2/order': 'An order is an object. No member is marked required, and each that is present has its type.',
  '2/order-id': 'id of an order is a 64-bit integer and identifies one order.',
  '2/order-pet-id': 'petId of an order is a 64-bit integer.',
  '2/order-quantity': 'quantity of an order is an integer.',
  '2/order-ship-date': 'shipDate is an ISO 8601 date-time.',
  '2/order-complete': 'complete is a boolean.',
  '2/order-status': 'It is open whether an order shows a status.',
  '2/entry': 'An inventory entry is an object with petId, quantity and status.',
  '2/entry-pet-id': 'petId of an entry is a number and identifies the animal. Its format is open.',
  '2/entry-quantity': 'quantity of an entry is an integer: the stock.',
  '2/entry-status': 'status is a string and is present in every entry.',
  '2/status-values': 'available and sold are known values of status. It is open whether there are others.',
  '2/status-mapping':
    'Quantity 0 is observed as sold, and a higher one as available. It is not stated as a rule.',
  '2/error': 'An error has a code and a message, both strings, and the HTTP status as an integer.',

  '3/pending': 'A cancelled order is no longer pending.',
  '3/shipped': 'A shipped order does not change when its cancellation is refused.',
  '3/order-states': 'It is open which other states orders have.',
  '3/stock-status': 'It is open how the stock status moves between its values.',

  '4.1/200': 'Listing orders is answered 200 with a JSON array of orders.',
  '4.1/all': 'The list contains every order. There is no filter and no paging.',
  '4.1/401': 'Listing orders without a valid key is answered 401 with an Error body.',

  '4.2/order-id': 'The path names the order by a 64-bit integer.',
  '4.2/only-pending': 'Only a pending order can be cancelled.',
  '4.2/no-request-body': 'A cancellation has no request body.',
  '4.2/204': 'Cancelling a pending order is answered 204 without a body.',
  '4.2/401': 'Cancelling without a valid key is answered 401 with an Error body.',
  '4.2/404': 'Cancelling an order that does not exist is answered 404 with an Error body.',
  '4.2/409': 'Cancelling an order that has shipped is answered 409.',

  '4.3/200': 'Listing the inventory is answered 200 with a JSON array of entries.',
  '4.3/401': 'Listing the inventory without a valid key is answered 401 with an Error body.',

  '4.4/experimental': 'Updating stock is experimental: its request may change.',
  '4.4/pet-id': 'The path names the pet whose stock is updated.',
  '4.4/content-type': 'The request has Content-Type application/json.',
  '4.4/replaces': 'quantity, an integer, replaces the current stock.',
  '4.4/body': 'It is open whether quantity is required and which other members a body may have.',
  '4.4/200': 'An update is answered 200 with the updated entry.',
  '4.4/400': 'A body without a required member, or with invalid values, is answered 400.',
  '4.4/401': 'Updating without a valid key is answered 401 with an Error body.',
  '4.4/404': 'Updating a pet that does not exist is answered 404 with an Error body.',
  '4/other-endpoints': 'Other endpoints are open.',

  '5/bearer': 'Every operation requires the header Authorization: Bearer with an API key.',
  '5/401': 'A missing or invalid key is answered 401 with an Error body.',
  '5/issuing': 'It is open how keys are issued, how long they are valid and what they permit.',

  '6/events': 'Events and notifications are open.',

  '7/error-body': 'Bodies of 401 and 404 have the Error shape.',
  '7/codes': 'The values of code are open.',
  '7/400-body': 'The body of a 400 is open.',
  '7/409-body': 'The body of a 409 is open.',

  '8/no-paging': 'The list of orders has no filters and no pages: it is always complete.',
  '8/limits': 'Rate limits, size limits and quotas are open.',

  '9/prefix': 'The version is in the path as /v1. The interface version is 1.0.0.',
  '9/version-2': 'Filters and paging are planned for version 2.',
  '9/stability': 'Endpoints can be marked experimental or beta.',
  '9/deprecated-pets':
    'GET /pets/{petId} is deprecated, with a sunset date. Its shape and the date are open.',
} as const

export type ClauseId = keyof typeof clauses

const NOT_SHOWN = 'not shown: the document leaves it open'

/** Why no rule and no observation checks a clause. */
export const unchecked: Readonly<Partial<Record<ClauseId, string>>> = {
  '1/staging': 'a run judges one address; judge staging in a run of its own',
  '3/order-states': NOT_SHOWN,
  '3/stock-status': NOT_SHOWN,
  '4.2/no-request-body': 'binds the client; every cancellation that the suite sends has no body',
  '4.4/experimental': 'a mark in the document; profile 1.0.0-stable leaves the operation out',
  '4/other-endpoints': NOT_SHOWN,
  '5/issuing': NOT_SHOWN,
  '6/events': NOT_SHOWN,
  '7/codes': NOT_SHOWN,
  '8/limits': NOT_SHOWN,
  '9/version-2': 'is about a later version',
  '9/stability': 'a mark in the document, not in a response',
}
