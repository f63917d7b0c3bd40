import {
  type ElementCheck,
  entries,
  expectEach,
  expectUnique,
  furtherMembers,
  hasType,
  isRfc3339,
  lengthOf,
  member,
  observation,
  rule,
  show,
} from '../../support/authoring/index.ts'
import { orderSchema } from '../../support/interface/schemas.ts'
import { listing } from '../lists.ts'

const { rules: listRules, listed, everyList } = listing('listOrders')
export const ordersListed = listed

const { fields } = orderSchema
const ofOrders = { operation: 'listOrders', given: everyList, after: 'list-orders-objects' } as const

/** The type of each field, with its name in a message. */
const TYPES = [
  ['order-id-int64', '2/order-id', 'id', 'a 64-bit integer', 'integers of 64 bits'],
  ['order-pet-id-int64', '2/order-pet-id', 'petId', 'a 64-bit integer', 'integers of 64 bits'],
  ['order-quantity-integer', '2/order-quantity', 'quantity', 'an integer', 'integers'],
  [
    'order-ship-date',
    '2/order-ship-date',
    'shipDate',
    'an ISO 8601 date-time that exists in the calendar',
    'ISO 8601 date-times',
  ],
  ['order-complete-boolean', '2/order-complete', 'complete', 'a boolean', 'booleans'],
] as const

const inRfc3339: ElementCheck = {
  name: 'RFC 3339 date-times as shipDate',
  problem(entry) {
    const date = member(entry, 'shipDate')
    return typeof date === 'string' && !isRfc3339(date) ? `.shipDate is ${show(date)}` : undefined
  },
}

/** No field of an order is required (§2), so each rule judges the field where it is present. */
export const rules = [
  ...listRules,
  ...TYPES.map(([id, clause, name, type, types]) =>
    rule({
      ...ofOrders,
      id,
      level: 'required',
      clause,
      title: `${name} of an order, where present, is ${type}`,
      expect: ({ lists }) => expectEach(lists, hasType(name, fields[name], types)),
    }),
  ),
  rule({
    ...ofOrders,
    id: 'order-id-unique',
    level: 'required',
    clause: '2/order-id',
    title: 'Order ids are unique in the list',
    after: ['order-id-int64', 'list-orders-exact-ids'],
    expect: ({ lists }) => expectUnique(lists, 'id'),
    usually:
      'Ids above 2^53 are converted to a double, so that two ids become equal; or a join repeats rows.',
  }),
  rule({
    ...ofOrders,
    id: 'order-ship-date-rfc3339',
    level: 'advisory',
    because:
      'The document asks for ISO 8601 only. RFC 3339 is the profile of it that most programs can read.',
    clause: '2/order-ship-date',
    title: 'shipDate, where present, has the form of RFC 3339',
    after: 'order-ship-date',
    expect: ({ lists }) => expectEach(lists, inRfc3339),
  }),
]

export const observations = [
  observation({
    id: 'order-members-present',
    clause: '2/order',
    operation: 'listOrders',
    title: 'Which of the documented fields do orders have?',
    given: ordersListed,
    saw({ list }) {
      const counts = new Map(Object.keys(fields).map(name => [name, 0]))
      for (const { entry } of entries(list))
        for (const [name, count] of counts) if (member(entry, name) !== undefined) counts.set(name, count + 1)
      return [...counts].map(([name, count]) => `${name} in ${count} of ${lengthOf(list)}`).join(', ')
    },
  }),
  observation({
    id: 'order-members-extra',
    clause: '2/order-status',
    operation: 'listOrders',
    title: 'Which further fields do orders have?',
    given: ordersListed,
    saw: ({ list }) => furtherMembers(list, fields),
  }),
]
