import {
  entriesOf,
  expectField,
  expectPresent,
  expectUnique,
  furtherMembers,
  member,
  observation,
  rule,
  show,
} from '../../support/authoring/index.ts'
import { inventorySchema } from '../../support/interface/schemas.ts'
import { inventoryListed } from './scenarios.ts'

const { fields } = inventorySchema
const given = { operation: 'listInventory', given: inventoryListed, after: 'list-inventory-objects' } as const
const SHOWN_NOT_STATED =
  '§2 shows the field for an entry, but states only of status that it is in every entry.'

export const rules = [
  rule({
    ...given,
    id: 'inventory-status-present',
    level: 'required',
    clause: '2/entry-status',
    title: 'Every inventory entry has a status',
    expect: ({ list }) => expectPresent(list, 'status'),
  }),
  rule({
    ...given,
    id: 'inventory-status-string',
    level: 'required',
    clause: '2/entry-status',
    title: 'status of an inventory entry is a string',
    expect: ({ list }) => expectField(list, 'status', fields.status, 'strings'),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-present',
    level: 'implied',
    because: SHOWN_NOT_STATED,
    clause: '2/entry',
    title: 'Every inventory entry has a petId',
    expect: ({ list }) => expectPresent(list, 'petId'),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-number',
    level: 'required',
    clause: '2/entry-pet-id',
    title: 'petId of an inventory entry, where present, is a JSON number',
    expect: ({ list }) => expectField(list, 'petId', fields.petId, 'numbers'),
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
    expect: ({ list }) => expectUnique(list, 'petId'),
  }),
  rule({
    ...given,
    id: 'inventory-quantity-present',
    level: 'implied',
    because: SHOWN_NOT_STATED,
    clause: '2/entry',
    title: 'Every inventory entry has a quantity',
    expect: ({ list }) => expectPresent(list, 'quantity'),
  }),
  rule({
    ...given,
    id: 'inventory-quantity-integer',
    level: 'required',
    clause: '2/entry-quantity',
    title: 'quantity of an inventory entry, where present, is an integer',
    expect: ({ list }) => expectField(list, 'quantity', fields.quantity, 'integers'),
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
      const values = new Set(entriesOf(list).map(({ entry }) => show(member(entry, 'status') ?? null)))
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
      const ids = entriesOf(list).flatMap(({ entry }) => member(entry, 'petId') ?? [])
      const whole = ids.filter(id => /^-?[0-9]+$/.test(String(id))).length
      return ids.length === 0 ? 'none: the inventory is empty' : `${whole} of ${ids.length} as plain integers`
    },
  }),
]
