import {
  expectArray,
  expectComplete,
  expectJson,
  expectJsonType,
  expectNoRepeatedNames,
  expectObjects,
  expectStatus,
  requireAuthenticated,
  rule,
} from '../../support/authoring/index.ts'
import { ordersListed } from './scenarios.ts'

export const rules = [
  rule({
    id: 'list-orders-200',
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: 'Listing orders answers 200',
    given: ordersListed,
    expect({ answers, list }) {
      expectComplete(answers, '200')
      requireAuthenticated(list)
      expectStatus(list, 200)
    },
  }),
  rule({
    id: 'list-orders-content-type',
    level: 'required',
    clause: '1/json',
    operation: 'listOrders',
    title: 'The list of orders is application/json',
    given: ordersListed,
    after: 'list-orders-200',
    expect: ({ list }) => expectJsonType(list),
    usually: 'A framework that was handed a string sends text/html; hand it the object, or set the type.',
  }),
  rule({
    id: 'list-orders-json',
    level: 'required',
    clause: '1/json',
    operation: 'listOrders',
    title: 'The list of orders is valid JSON',
    given: ordersListed,
    after: 'list-orders-200',
    expect: ({ list }) => void expectJson(list),
    usually: 'JSON put together by hand: a comma too many, NaN, a single quote, bytes that are no UTF-8.',
  }),
  rule({
    id: 'list-orders-array',
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: 'The orders come as an array',
    given: ordersListed,
    after: 'list-orders-json',
    expect: ({ list }) => void expectArray(list),
    usually: 'The array is wrapped ({"orders": [...]}, {"data": [...]}), as paging libraries do.',
  }),
  rule({
    id: 'list-orders-objects',
    level: 'required',
    clause: '2/order',
    operation: 'listOrders',
    title: 'Each order is an object',
    given: ordersListed,
    after: 'list-orders-array',
    expect: ({ list }) => expectObjects(list),
  }),
  rule({
    id: 'list-orders-no-repeated-names',
    level: 'advisory',
    because:
      'RFC 8259 §4 says that names within an object should be unique; readers differ in which they take.',
    clause: '2/order',
    operation: 'listOrders',
    title: 'No order has the same member twice',
    given: ordersListed,
    after: 'list-orders-array',
    expect: ({ list }) => expectNoRepeatedNames(list),
  }),
]
