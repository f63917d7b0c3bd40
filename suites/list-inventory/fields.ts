import {
  entries,
  expectEach,
  expectUnique,
  furtherMembers,
  hasType,
  isPresent,
  member,
  observation,
  rule,
  show,
} from '../../support/authoring/index.ts'
import { inventorySchema } from '../../support/interface/schemas.ts'
import { everyInventoryList, inventoryListed } from './scenarios.ts'

const { fields } = inventorySchema
const given = {
  operation: 'listInventory',
  given: everyInventoryList,
  after: 'list-inventory-objects',
} as const

const SHOWN_NOT_STATED =
  '§2 shows the field for an entry, but states only of status that it is in every entry.'

export const rules = [
  rule({
    ...given,
    id: 'inventory-status-present',
    level: 'required',
    clause: '2/entry-status',
    title: 'Every inventory entry has a status',
    expect: ({ lists }) => expectEach(lists, isPresent('status')),
  }),
  rule({
    ...given,
    id: 'inventory-status-string',
    level: 'required',
    clause: '2/entry-status',
    title: 'status of an inventory entry is a string',
    expect: ({ lists }) => expectEach(lists, hasType('status', fields.status, 'strings')),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-present',
    level: 'implied',
    because: SHOWN_NOT_STATED,
    clause: '2/entry',
    title: 'Every inventory entry has a petId',
    expect: ({ lists }) => expectEach(lists, isPresent('petId')),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-number',
    level: 'required',
    clause: '2/entry-pet-id',
    title: 'petId of an inventory entry, where present, is a JSON number',
    expect: ({ lists }) => expectEach(lists, hasType('petId', fields.petId, 'numbers')),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-unique',
    level: 'implied',
    because:
      '§2: an entry belongs to a pet. §4.4 updates the entry of a pet, so there is one entry for each pet.',
    clause: '2/entry-pet-id',
    title: 'Each pet has one inventory entry',
    after: 'inventory-pet-id-number',
    expect: ({ lists }) => expectUnique(lists, 'petId'),
  }),
  rule({
    ...given,
    id: 'inventory-quantity-present',
    level: 'implied',
    because: SHOWN_NOT_STATED,
    clause: '2/entry',
    title: 'Every inventory entry has a quantity',
    expect: ({ lists }) => expectEach(lists, isPresent('quantity')),
  }),
  rule({
    ...given,
    id: 'inventory-quantity-integer',
    level: 'required',
    clause: '2/entry-quantity',
    title: 'quantity of an inventory entry, where present, is an integer',
    expect: ({ lists }) => expectEach(lists, hasType('quantity', fields.quantity, 'integers')),
  }),
]

export const observations = [
  observation({
    id: 'inventory-status-values',
    clause: '2/status-values',
    operation: 'listInventory',
    title: 'Which values does status have in the inventory?',
    given: inventoryListed,
    saw({ list }) {
      const values = new Set<string>()
      for (const { entry } of entries(list)) values.add(show(member(entry, 'status') ?? null))
      return [...values].sort().slice(0, 20).join(', ') || 'none: the inventory is empty'
    },
  }),
  observation({
    id: 'inventory-members-extra',
    clause: '2/entry',
    operation: 'listInventory',
    title: 'Which further fields do inventory entries have?',
    given: inventoryListed,
    saw: ({ list }) => furtherMembers(list, fields),
  }),
  observation({
    id: 'inventory-pet-id-format',
    clause: '2/entry-pet-id',
    operation: 'listInventory',
    title: 'In which number format is petId written?',
    given: inventoryListed,
    saw({ list }) {
      let all = 0
      let plain = 0
      for (const { entry } of entries(list)) {
        const id = member(entry, 'petId')
        if (id === undefined) continue
        all += 1
        if (/^-?[0-9]+$/.test(String(id))) plain += 1
      }
      return all === 0 ? 'none: the inventory is empty' : `${plain} of ${all} as plain integers`
    },
  }),
]
