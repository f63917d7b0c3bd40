import {
  expectArray,
  expectComplete,
  expectJsonType,
  expectNoRepeatedNames,
  expectObjects,
  expectStatus,
  expectValidJson,
  requireAuthenticated,
  rule,
} from '../../support/authoring/index.ts'
import { everyOrderList, ordersListed } from './scenarios.ts'

export const rules = [
  rule({
    id: 'list-orders-200',
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: 'GET /store/orders is answered 200',
    given: ordersListed,
    expect({ answers, list }) {
      expectComplete(answers, '200')
      requireAuthenticated(list)
      expectStatus(list, 200)
    },
  }),
  rule({
    id: 'list-orders-200-each-time',
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: 'GET /store/orders is answered 200 each time',
    given: everyOrderList,
    after: [
      'list-orders-200-after-anything',
      'list-orders-200-beside-anything',
      'unread-body-update-inventory',
    ],
    expect({ answers }) {
      for (const answer of answers) if (answer.response) expectStatus(answer, 200)
    },
    usually: 'The list fails after another request, beside others, or from time to time.',
  }),
  rule({
    id: 'list-orders-content-type',
    level: 'required',
    clause: '1/json',
    operation: 'listOrders',
    title: 'The response of GET /store/orders has Content-Type application/json',
    given: ordersListed,
    after: 'list-orders-200',
    expect: ({ list }) => expectJsonType(list),
    usually: 'The framework was given a string and sends text/html. Give it the object, or set the type.',
  }),
  rule({
    id: 'list-orders-json',
    level: 'required',
    clause: '1/json',
    operation: 'listOrders',
    title: 'The response of GET /store/orders is valid JSON',
    given: ordersListed,
    after: 'list-orders-200',
    expect: ({ list }) => expectValidJson(list),
    usually:
      'The JSON is built from strings: a trailing comma, NaN, single quotes, or bytes that are not UTF-8.',
  }),
  rule({
    id: 'list-orders-array',
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: 'GET /store/orders returns an array',
    given: ordersListed,
    after: 'list-orders-json',
    expect: ({ list }) => expectArray(list),
    usually: 'A paging library wraps the array: {"orders": [...]}, {"data": [...]}.',
  }),
  rule({
    id: 'list-orders-objects',
    level: 'required',
    clause: '2/order',
    operation: 'listOrders',
    title: 'Every element of the order list is an object',
    given: ordersListed,
    after: 'list-orders-array',
    expect: ({ list }) => expectObjects(list),
  }),
  rule({
    id: 'list-orders-no-repeated-names',
    level: 'advisory',
    because:
      'The document is silent. RFC 8259 §4: names within an object should be unique, and readers differ in which one they use.',
    clause: '2/order',
    operation: 'listOrders',
    title: 'No order in the list repeats a member name',
    given: ordersListed,
    after: 'list-orders-array',
    expect: ({ list }) => expectNoRepeatedNames(list),
  }),
]
