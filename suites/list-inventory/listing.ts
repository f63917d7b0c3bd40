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
import { everyInventoryList, inventoryListed } from './scenarios.ts'

const given = { operation: 'listInventory', given: inventoryListed } as const

export const rules = [
  rule({
    ...given,
    id: 'list-inventory-200',
    level: 'required',
    clause: '4.3/200',
    title: 'GET /inventory is answered 200',
    expect({ answers, list }) {
      expectComplete(answers, '200')
      requireAuthenticated(list)
      expectStatus(list, 200)
    },
  }),
  rule({
    id: 'list-inventory-200-each-time',
    level: 'required',
    clause: '4.3/200',
    operation: 'listInventory',
    title: 'GET /inventory is answered 200 each time',
    given: everyInventoryList,
    after: [
      'list-inventory-200-after-anything',
      'list-inventory-200-beside-anything',
      'unread-body-update-inventory',
    ],
    expect({ answers }) {
      for (const answer of answers) if (answer.response) expectStatus(answer, 200)
    },
    usually: 'The list fails after another request, beside others, or from time to time.',
  }),
  rule({
    ...given,
    id: 'list-inventory-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The response of GET /inventory has Content-Type application/json',
    after: 'list-inventory-200',
    expect: ({ list }) => expectJsonType(list),
    usually: 'The framework was given a string and sends text/html. Give it the object, or set the type.',
  }),
  rule({
    ...given,
    id: 'list-inventory-json',
    level: 'required',
    clause: '1/json',
    title: 'The response of GET /inventory is valid JSON',
    after: 'list-inventory-200',
    expect: ({ list }) => expectValidJson(list),
    usually:
      'The JSON is built from strings: a trailing comma, NaN, single quotes, or bytes that are not UTF-8.',
  }),
  rule({
    ...given,
    id: 'list-inventory-array',
    level: 'required',
    clause: '4.3/200',
    title: 'GET /inventory returns an array',
    after: 'list-inventory-json',
    expect: ({ list }) => expectArray(list),
    usually: 'The array is wrapped, or it is an object with a member for each pet ({"1": {...}}).',
  }),
  rule({
    ...given,
    id: 'list-inventory-objects',
    level: 'required',
    clause: '2/entry',
    title: 'Every element of the inventory is an object',
    after: 'list-inventory-array',
    expect: ({ list }) => expectObjects(list),
  }),
  rule({
    ...given,
    id: 'list-inventory-no-repeated-names',
    level: 'advisory',
    because:
      'The document is silent. RFC 8259 §4: names within an object should be unique, and readers differ in which one they use.',
    clause: '2/entry',
    title: 'No inventory entry repeats a member name',
    after: 'list-inventory-array',
    expect: ({ list }) => expectNoRepeatedNames(list),
  }),
]
