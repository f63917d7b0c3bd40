import type { ClauseId } from '../../support/interface/clauses.ts'
import { operations } from '../../support/interface/operations.ts'
import { answer, effect, HELD, LONG_LISTS, type Rule, rulesOf } from '../rule.ts'

const field = (about: string | readonly string[]) => [answer('fields', { about, ...HELD })]
const every = { named: 'nothing', context: ['plain', 'end', 'data', 'history'] } as const

/** What holds for both lists. */
export const rulesOfList = (
  operation: 'listOrders' | 'listInventory',
  own: {
    /** What is in the list, the clause about it, and the clause that the list is complete. */
    readonly item: readonly [title: string, clause: ClauseId]
    readonly all: ClauseId
    readonly ok: ClauseId
    /** The effects that a list shows. */
    readonly shows: readonly string[]
    readonly wrapped: string
  },
): readonly Rule[] => {
  const { slug } = operations[operation]
  return rulesOf(operation, {
    [`conditional-${slug}`]: {
      because:
        'The document describes one list of the store. RFC 9110 §15.4.5: a 304 states that the earlier response is still current, and a client with a cache relies on it.',
      implied: own.all,
      title: '{} returns the new list after a change, also with the ETag or date of an earlier response',
      judges: [answer('status', { row: 'conditional' }), effect(own.shows, { row: 'conditional' })],
      usually:
        'The ETag is computed from something that the change does not touch. Or a connection keeps its own cache.',
    },
    [`${slug}-200`]: {
      required: own.ok,
      title: '{} answers 200',
      judges: [answer('status')],
      usually: `A handler fails on one ${own.item[0].split(' ').at(-1)}, or the path is another one.`,
    },
    [`${slug}-content-type`]: {
      required: '1/json',
      title: 'The response of {} has Content-Type application/json',
      judges: [answer('type', { answered: 200, ...HELD })],
    },
    [`${slug}-json`]: {
      required: '1/json',
      title: 'The response of {} is valid JSON in UTF-8',
      judges: [answer('json', { answered: 200, ...HELD })],
    },
    [`${slug}-array`]: {
      required: own.ok,
      title: 'The response of {} is an array of objects',
      judges: [answer('shape', { answered: 200, ...HELD })],
      usually: own.wrapped,
    },
    [`${slug}-no-repeated-names`]: {
      because:
        'The document is silent. RFC 8259 §4 says that names should be unique, because programs differ in which member they read.',
      advisory: own.item[1],
      title: `No ${own.item[0]} in the list repeats a member name`,
      judges: [answer('advice', { about: 'repeated', ...HELD })],
    },
  })
}

const SHOWN = ['pending listed', 'shipped listed', 'kept', 'members'] as const

/** listOrders returns every order (§4.1), each with members of the types of §2. */
export const rules: readonly Rule[] = [
  ...rulesOf('listOrders', {
    'list-orders-query-ignored': {
      required: '8/no-paging',
      title:
        'listOrders with query parameters (limit, page, status, q …) returns every order, or refuses the request',
      judges: [answer('status', { row: 'query' }), effect(SHOWN, { row: 'query' })],
      usually: 'A generic controller turns every query parameter into a filter.',
    },
  }),
  ...rulesOfList('listOrders', {
    item: ['order', '2/order'],
    all: '4.1/all',
    ok: '4.1/200',
    shows: SHOWN,
    wrapped: 'The list is wrapped in an object, as paging libraries do, or a removed order leaves a gap.',
  }),
  ...rulesOf('listOrders', {
    'order-id-int64': {
      required: '2/order-id',
      title: 'id of an order, where present, is a 64-bit integer',
      judges: field('id'),
      usually: 'Ids are written as strings.',
    },
    'order-pet-id-int64': {
      required: '2/order-pet-id',
      title: 'petId of an order, where present, is a 64-bit integer',
      judges: field('petId'),
    },
    'order-quantity-integer': {
      required: '2/order-quantity',
      title: 'quantity of an order, where present, is an integer',
      judges: field('quantity'),
      usually: 'A missing quantity is written as null, which is no integer.',
    },
    'order-ship-date': {
      required: '2/order-ship-date',
      title: 'shipDate of an order, where present, is an ISO 8601 date-time that exists in the calendar',
      judges: field('shipDate'),
      usually: 'The date is written without a time, or as null if the order has not shipped.',
    },
    'order-complete-boolean': {
      required: '2/order-complete',
      title: 'complete of an order, where present, is a boolean',
      judges: field('complete'),
      usually: 'A database without booleans returns 0 and 1.',
    },
    'order-id-unique': {
      required: '2/order-id',
      title: 'Order ids are unique in the list',
      judges: field('unique'),
      usually: 'A join returns an order once for each of its rows.',
    },
    'order-ship-date-rfc3339': {
      because: 'The document asks for ISO 8601. Most programs read only RFC 3339, a profile of it.',
      advisory: '2/order-ship-date',
      title: 'shipDate, where present, has the form of RFC 3339',
      judges: [answer('advice', { about: 'rfc3339', ...HELD })],
    },
    'list-orders-unpaged': {
      needsProvider: LONG_LISTS,
      required: '4.1/all',
      title: 'listOrders returns every order, also if there are more than 1,000, and ids above 2^53 exactly',
      judges: [
        effect('page', { context: 'any' }),
        answer('status', { context: 'size' }),
        effect(SHOWN, { context: 'size' }),
      ],
      usually:
        'The database layer or a paging library has a default page size, or ids are stored or serialised as doubles.',
    },
    'list-orders-pending-listed': {
      required: '4.1/all',
      title: 'listOrders contains pending orders',
      judges: [effect('pending listed', every)],
      usually: 'The list is that of another customer, or is cached.',
    },
    'list-orders-shipped-listed': {
      required: '4.1/all',
      title: 'listOrders contains shipped orders',
      judges: [effect('shipped listed', every)],
      usually: 'Orders are moved to an archive once they have shipped.',
    },
    'list-orders-steady': {
      because:
        'The document describes one list of the store. An order that nothing changes is in each list as before.',
      implied: '4.1/all',
      title:
        'listOrders shows an order that nothing has changed as before, in every list and on every connection',
      judges: [effect(['members', 'kept'], every)],
      usually:
        'Several servers with separate data, or with copies that lag behind, answer at one address. Or the list is read in pages while it changes.',
    },
  }),
]
