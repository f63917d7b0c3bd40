import {
  countLabels,
  type ElementLabels,
  expectUnique,
  furtherMembers,
  hasType,
  inEachList,
  isPresent,
  member,
  namesIn,
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
const statusValues: ElementLabels = {
  name: 'values of status',
  labels: entry => [show(member(entry, 'status') ?? null)],
}

const membersExtra = furtherMembers(fields)

const PLAIN = 'as a plain integer'
const OTHERWISE = 'in another form'

const idFormats: ElementLabels = {
  name: 'forms of petId',
  labels(entry) {
    const id = member(entry, 'petId')
    if (id === undefined) return []
    return [/^-?[0-9]+$/.test(String(id)) ? PLAIN : OTHERWISE]
  },
}

const SHOWN_NOT_STATED =
  '§2 shows the field for an entry, but states only of status that it is in every entry.'

export const rules = [
  rule({
    ...given,
    id: 'inventory-status-present',
    level: 'required',
    clause: '2/entry-status',
    title: 'Every inventory entry has a status',
    ...inEachList(isPresent('status')),
  }),
  rule({
    ...given,
    id: 'inventory-status-string',
    level: 'required',
    clause: '2/entry-status',
    title: 'status of an inventory entry is a string',
    ...inEachList(hasType('status', fields.status, 'strings')),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-present',
    level: 'implied',
    because: SHOWN_NOT_STATED,
    clause: '2/entry',
    title: 'Every inventory entry has a petId',
    ...inEachList(isPresent('petId')),
  }),
  rule({
    ...given,
    id: 'inventory-pet-id-number',
    level: 'required',
    clause: '2/entry-pet-id',
    title: 'petId of an inventory entry, where present, is a JSON number',
    ...inEachList(hasType('petId', fields.petId, 'numbers')),
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
    ...inEachList(isPresent('quantity')),
  }),
  rule({
    ...given,
    id: 'inventory-quantity-integer',
    level: 'required',
    clause: '2/entry-quantity',
    title: 'quantity of an inventory entry, where present, is an integer',
    ...inEachList(hasType('quantity', fields.quantity, 'integers')),
  }),
]

export const observations = [
  observation({
    id: 'inventory-status-values',
    clause: '2/status-values',
    operation: 'listInventory',
    title: 'Which values does status have in the inventory?',
    given: inventoryListed,
    elements: statusValues,
    saw: ({ list }) =>
      [...countLabels(list, statusValues).keys()].sort().slice(0, 20).join(', ') ||
      'none: the inventory is empty',
  }),
  observation({
    id: 'inventory-members-extra',
    clause: '2/entry',
    operation: 'listInventory',
    title: 'Which further fields do inventory entries have?',
    given: inventoryListed,
    elements: membersExtra,
    saw: ({ list }) => namesIn(countLabels(list, membersExtra)),
  }),
  observation({
    id: 'inventory-pet-id-format',
    clause: '2/entry-pet-id',
    operation: 'listInventory',
    title: 'In which number format is petId written?',
    given: inventoryListed,
    elements: idFormats,
    saw({ list }) {
      const counts = countLabels(list, idFormats)
      const whole = counts.get(PLAIN) ?? 0
      const all = whole + (counts.get(OTHERWISE) ?? 0)
      return all === 0 ? 'none: the inventory is empty' : `${whole} of ${all} as plain integers`
    },
  }),
]
