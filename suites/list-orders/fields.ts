import {
  countLabels,
  type ElementCheck,
  type ElementLabels,
  expectUnique,
  furtherMembers,
  hasType,
  inEachList,
  isRfc3339,
  lengthOf,
  member,
  namesIn,
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

const membersPresent: ElementLabels = {
  name: 'known members',
  labels: entry => Object.keys(fields).filter(name => member(entry, name) !== undefined),
}

const membersExtra = furtherMembers(fields)

/** No field of an order is required (§2), so each rule judges the field where it is present. */
export const rules = [
  rule({
    ...ofOrders,
    id: 'order-id-int64',
    level: 'required',
    clause: '2/order-id',
    title: 'id of an order, where present, is a 64-bit integer',
    ...inEachList(hasType('id', fields.id, 'integers of 64 bits')),
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
    ...inEachList(hasType('petId', fields.petId, 'integers of 64 bits')),
  }),
  rule({
    ...ofOrders,
    id: 'order-quantity-integer',
    level: 'required',
    clause: '2/order-quantity',
    title: 'quantity of an order, where present, is an integer',
    ...inEachList(hasType('quantity', fields.quantity, 'integers')),
  }),
  rule({
    ...ofOrders,
    id: 'order-ship-date',
    level: 'required',
    clause: '2/order-ship-date',
    title: 'shipDate, where present, is an ISO 8601 date-time that exists in the calendar',
    ...inEachList(hasType('shipDate', fields.shipDate, 'ISO 8601 date-times')),
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
    ...inEachList(inRfc3339),
  }),
  rule({
    ...ofOrders,
    id: 'order-complete-boolean',
    level: 'required',
    clause: '2/order-complete',
    title: 'complete, where present, is a boolean',
    ...inEachList(hasType('complete', fields.complete, 'booleans')),
  }),
]

export const observations = [
  observation({
    id: 'order-members-present',
    clause: '2/order',
    operation: 'listOrders',
    title: 'Which of the documented fields do orders have?',
    given: ordersListed,
    elements: membersPresent,
    saw({ list }) {
      const counts = countLabels(list, membersPresent)
      return Object.keys(fields)
        .map(name => `${name} in ${counts.get(name) ?? 0} of ${lengthOf(list)}`)
        .join(', ')
    },
  }),
  observation({
    id: 'order-members-extra',
    clause: '2/order-status',
    operation: 'listOrders',
    title: 'Which further fields do orders have?',
    given: ordersListed,
    elements: membersExtra,
    saw: ({ list }) => namesIn(countLabels(list, membersExtra)),
  }),
]
