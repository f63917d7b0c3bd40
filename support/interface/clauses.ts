/**
 * The ledger: every normative statement of the interface document, in our own words. The number before the slash is the
 * document's section. `rules` check it, unless `unchecked` says why none does.
 */
export interface Clause {
  readonly says: string
  readonly unchecked?: string
}

const NOT_SHOWN = 'not shown: the document leaves it open'

export const clauses = {
  '1/base-address': { says: 'All endpoints stand below one base address, which carries the version prefix.' },
  '1/json': { says: 'Bodies of requests and responses are application/json.' },
  '1/staging': {
    says: 'A staging address has the same paths.',
    unchecked: 'a run judges one address; judge staging by a run of its own',
  },

  '2/order': {
    says: 'An order is an object; none of its members is marked required, and those that are there have their types.',
  },
  '2/order-id': { says: 'id is an integer of 64 bits and identifies one order.' },
  '2/order-pet-id': { says: 'petId of an order is an integer of 64 bits.' },
  '2/order-quantity': { says: 'quantity of an order is an integer.' },
  '2/order-ship-date': { says: 'shipDate is an ISO 8601 date-time.' },
  '2/order-complete': { says: 'complete is a boolean.' },
  '2/order-status': { says: 'Whether an order shows a status is open.' },
  '2/entry': { says: 'An inventory entry is an object with petId, quantity and status.' },
  '2/entry-pet-id': { says: 'petId of an entry is a number and identifies the animal; its format is open.' },
  '2/entry-quantity': { says: 'quantity of an entry is an integer: the stock.' },
  '2/entry-status': { says: 'status is a string and is in every entry.' },
  '2/status-values': {
    says: 'available and sold are known values of status; whether there are others is open.',
  },
  '2/status-mapping': {
    says: 'Quantity 0 is reported as sold, above 0 as available; shown, not called a rule.',
  },
  '2/error': { says: 'An error has a code and a message, both strings, and the HTTP status as an integer.' },

  '3/pending': { says: 'A pending order that is cancelled is pending no longer.' },
  '3/shipped': { says: 'An order that has shipped stays as it is when its cancellation is tried.' },
  '3/order-states': { says: 'Which further states orders have is open.', unchecked: NOT_SHOWN },
  '3/stock-status': { says: 'How the stock status moves between its values is open.', unchecked: NOT_SHOWN },

  '4.1/200': { says: 'Listing orders answers 200 with a JSON array of orders.' },
  '4.1/all': { says: 'The list has every order; there is neither filter nor page.' },
  '4.1/401': { says: 'Listing orders without a valid key answers 401 with an Error body.' },

  '4.2/order-id': { says: 'The path names the order by an integer of 64 bits.' },
  '4.2/only-pending': { says: 'Only a pending order can be cancelled.' },
  '4.2/no-request-body': {
    says: 'A cancellation has no request body.',
    unchecked: 'binds the client; every cancellation that the suite sends is without a body',
  },
  '4.2/204': { says: 'Cancelling a pending order answers 204 without a body.' },
  '4.2/401': { says: 'Cancelling without a valid key answers 401 with an Error body.' },
  '4.2/404': { says: 'Cancelling an order that does not exist answers 404 with an Error body.' },
  '4.2/409': { says: 'Cancelling an order that has shipped answers 409.' },

  '4.3/200': { says: 'Listing the inventory answers 200 with a JSON array of entries.' },
  '4.3/401': { says: 'Listing the inventory without a valid key answers 401 with an Error body.' },

  '4.4/experimental': {
    says: 'Updating stock is experimental: its request may change.',
    unchecked: 'a mark in the document, not in a response; profile 1.0.0-stable leaves the operation out',
  },
  '4.4/pet-id': { says: 'The path names the pet whose stock is updated.' },
  '4.4/content-type': { says: 'The request is sent as application/json.' },
  '4.4/replaces': { says: 'quantity, an integer, replaces the current stock.' },
  '4.4/body': { says: 'Whether quantity is required, and what else a body may hold, is open.' },
  '4.4/200': { says: 'An update answers 200 with the updated entry.' },
  '4.4/400': { says: 'A body that lacks what is required, or holds invalid values, answers 400.' },
  '4.4/401': { says: 'Updating without a valid key answers 401 with an Error body.' },
  '4.4/404': { says: 'Updating a pet that does not exist answers 404 with an Error body.' },
  '4/other-endpoints': { says: 'Further endpoints are open.', unchecked: NOT_SHOWN },

  '5/bearer': { says: 'Every operation wants the header Authorization: Bearer with an API key.' },
  '5/401': { says: 'A missing or invalid key answers 401 with an Error body.' },
  '5/issuing': {
    says: 'How keys are issued, how long they live and what they permit is open.',
    unchecked: NOT_SHOWN,
  },

  '6/events': { says: 'Events and notifications are open.', unchecked: NOT_SHOWN },

  '7/error-body': { says: 'Bodies of 401 and 404 have the Error shape.' },
  '7/codes': { says: 'Which values code takes is open.', unchecked: NOT_SHOWN },
  '7/400-body': { says: 'The body of a 400 is open.' },
  '7/409-body': { says: 'The body of a 409 is open.' },

  '8/no-paging': { says: 'The list of orders ignores filters and pages: it is always whole.' },
  '8/limits': { says: 'Rates, sizes and quotas are open.', unchecked: NOT_SHOWN },

  '9/prefix': { says: 'The version stands in the path as /v1; this is interface version 1.0.0.' },
  '9/version-2': {
    says: 'Filters and pages may come with a version 2.',
    unchecked: 'says something about a later version, not about this one',
  },
  '9/stability': {
    says: 'Endpoints can be marked experimental or beta.',
    unchecked: 'a mark in the document, not in a response',
  },
  '9/deprecated-pets': { says: 'GET /pets/{petId} is deprecated and will go; its shape and date are open.' },
} as const satisfies Readonly<Record<string, Clause>>

export type ClauseId = keyof typeof clauses

/** `4.2/409` belongs to `§4.2`. */
export const sectionOf = (clause: ClauseId): string => `§${clause.split('/')[0]}`
