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
import { inventoryListed } from './scenarios.ts'

const given = { operation: 'listInventory', given: inventoryListed } as const

export const rules = [
  rule({
    ...given,
    id: 'list-inventory-200',
    level: 'required',
    clause: '4.3/200',
    title: 'Listing the inventory answers 200',
    expect({ answers, list }) {
      expectComplete(answers, '200')
      requireAuthenticated(list)
      expectStatus(list, 200)
    },
  }),
  rule({
    ...given,
    id: 'list-inventory-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The inventory is application/json',
    after: 'list-inventory-200',
    expect: ({ list }) => expectJsonType(list),
    usually: 'A framework that was handed a string sends text/html; hand it the object, or set the type.',
  }),
  rule({
    ...given,
    id: 'list-inventory-json',
    level: 'required',
    clause: '1/json',
    title: 'The inventory is valid JSON',
    after: 'list-inventory-200',
    expect: ({ list }) => void expectJson(list),
    usually: 'JSON put together by hand: a comma too many, NaN, a single quote, bytes that are no UTF-8.',
  }),
  rule({
    ...given,
    id: 'list-inventory-array',
    level: 'required',
    clause: '4.3/200',
    title: 'The inventory comes as an array',
    after: 'list-inventory-json',
    expect: ({ list }) => void expectArray(list),
    usually: 'The array is wrapped, or an object by pet ({"1": {...}}).',
  }),
  rule({
    ...given,
    id: 'list-inventory-objects',
    level: 'required',
    clause: '2/entry',
    title: 'Each inventory entry is an object',
    after: 'list-inventory-array',
    expect: ({ list }) => expectObjects(list),
  }),
  rule({
    ...given,
    id: 'list-inventory-no-repeated-names',
    level: 'advisory',
    because:
      'RFC 8259 §4 says that names within an object should be unique; readers differ in which they take.',
    clause: '2/entry',
    title: 'No inventory entry has the same member twice',
    after: 'list-inventory-array',
    expect: ({ list }) => expectNoRepeatedNames(list),
  }),
]
