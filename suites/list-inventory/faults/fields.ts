import {
  breaking,
  type Fault,
  type Members,
  oneEntryChanged,
  only,
} from '../../../support/reference/authoring.ts'

/** What a field of one entry is instead, by the rule that it violates. Undefined: it is missing. */
const wrong: Readonly<Record<string, Readonly<Record<string, Members>>>> = {
  'inventory-status-present': { 'status-missing': { status: undefined } },
  'inventory-status-string': { 'status-null': { status: 'null' } },
  'inventory-pet-id-present': { 'pet-id-missing': { petId: undefined } },
  'inventory-pet-id-number': { 'pet-id-string': { petId: '"7"' } },
  'inventory-quantity-present': { 'quantity-missing': { quantity: undefined } },
  'inventory-quantity-integer': {
    'quantity-null': { quantity: 'null' },
    'quantity-fraction': { quantity: '2.5' },
  },
}

/** Fields of inventory entries have the wrong types or are missing. */
export const faults: readonly Fault[] = [
  ...Object.entries(wrong).flatMap(([rule, changes]) =>
    Object.entries(changes).flatMap(([id, change]) =>
      breaking(rule, {
        [`entry-${id}`]: [`One inventory entry: ${id.replaceAll('-', ' ')}`, oneEntryChanged(change)],
      }),
    ),
  ),
  ...breaking('inventory-pet-id-unique', {
    'entry-listed-twice': [
      'One pet has two inventory entries',
      base => ({
        selectEntries: (entries, ctx) => {
          const selected = base.selectEntries(entries, ctx)
          return [...selected, ...selected.slice(0, 1)]
        },
      }),
    ],
  }),
  ...breaking('list-inventory-no-repeated-names', {
    'entry-member-twice': [
      'Every inventory entry in the list repeats the member status',
      only('listInventory', 'entryMembers', base => (entry, ctx) => {
        const members = base.entryMembers(entry, ctx)
        return { ...members, status: `${members.status},"status":${members.status}` }
      }),
    ],
  }),
]
