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
import { everyOrderList, ordersListed } from './scenarios.ts'

const { fields } = orderSchema
const ofOrders = { operation: 'listOrders', given: everyOrderList, after: 'list-orders-objects' } as const

const inRfc3339: ElementCheck = {
  name: 'RFC 3339 date-times as shipDate',
  problem(entry) {
    const date = member(entry, 'shipDate')
    return typeof date === 'string' && !isRfc3339(date) ? `.shipDate is ${show(date)}` : undefined
  },
}

/** No field of an order is required (§2), so each rule judges the field where it is present. */
export const rules = [
  rule({
    ...ofOrders,
    id: 'order-id-int64',
    level: 'required',
    clause: '2/order-id',
    title: 'id of an order, where present, is a 64-bit integer',
    expect: ({ lists }) => expectEach(lists, hasType('id', fields.id, 'integers of 64 bits')),
  }),
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
    id: 'order-pet-id-int64',
    level: 'required',
    clause: '2/order-pet-id',
    title: 'petId of an order, where present, is a 64-bit integer',
    expect: ({ lists }) => expectEach(lists, hasType('petId', fields.petId, 'integers of 64 bits')),
  }),
  rule({
    ...ofOrders,
    id: 'order-quantity-integer',
    level: 'required',
    clause: '2/order-quantity',
    title: 'quantity of an order, where present, is an integer',
    expect: ({ lists }) => expectEach(lists, hasType('quantity', fields.quantity, 'integers')),
  }),
  rule({
    ...ofOrders,
    id: 'order-ship-date',
    level: 'required',
    clause: '2/order-ship-date',
    title: 'shipDate, where present, is an ISO 8601 date-time that exists in the calendar',
    expect: ({ lists }) => expectEach(lists, hasType('shipDate', fields.shipDate, 'ISO 8601 date-times')),
    usually: 'A date without a time, a timestamp as a number, or a local date format.',
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
  rule({
    ...ofOrders,
    id: 'order-complete-boolean',
    level: 'required',
    clause: '2/order-complete',
    title: 'complete, where present, is a boolean',
    expect: ({ lists }) => expectEach(lists, hasType('complete', fields.complete, 'booleans')),
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
      const names = Object.keys(fields)
      const counts = new Map(names.map(name => [name, 0]))
      for (const { entry } of entries(list))
        for (const [name, count] of counts) if (member(entry, name) !== undefined) counts.set(name, count + 1)
      return names.map(name => `${name} in ${counts.get(name)} of ${lengthOf(list)}`).join(', ')
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
