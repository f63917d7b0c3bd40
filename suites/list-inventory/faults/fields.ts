import {
  entriesChanged,
  type Fault,
  type Members,
  type Override,
  oneEntryChanged,
} from '../../../support/reference/authoring.ts'

/** Changes the list only, because other rules judge the responses of updates. */
const listed = (change: (members: Members) => Members): Override =>
  entriesChanged((members, _entry, ctx) => (ctx.operation === 'listInventory' ? change(members) : members))

const one = (member: string, json: string | undefined): Override => oneEntryChanged({ [member]: json })

/** Fields of inventory entries have the wrong types or are missing. */
export const faults: readonly Fault[] = [
  {
    id: 'entry-status-missing',
    title: 'One inventory entry has no status',
    breaks: ['inventory-status-present'],
    override: one('status', undefined),
  },
  {
    id: 'entries-status-missing',
    title: 'No inventory entry has a status',
    breaks: ['inventory-status-present'],
    override: listed(members => ({ ...members, status: undefined })),
  },
  {
    id: 'entry-status-null',
    title: 'One status is null',
    breaks: ['inventory-status-string'],
    override: one('status', 'null'),
  },
  {
    id: 'entry-status-number',
    title: 'One status is a number',
    breaks: ['inventory-status-string'],
    override: one('status', '1'),
  },
  {
    id: 'entry-status-object',
    title: 'One status is an object',
    breaks: ['inventory-status-string'],
    override: one('status', '{"name":"available"}'),
  },
  {
    id: 'entry-pet-id-missing',
    title: 'One inventory entry has no petId',
    breaks: ['inventory-pet-id-present'],
    override: one('petId', undefined),
  },
  {
    id: 'entry-pet-id-string',
    title: 'One petId of the inventory is a string',
    breaks: ['inventory-pet-id-number'],
    override: one('petId', '"7"'),
  },
  {
    id: 'entries-pet-id-string',
    title: 'Every petId of the inventory is a string',
    breaks: ['inventory-pet-id-number'],
    override: listed(members => ({ ...members, petId: `"${members.petId}"` })),
  },
  {
    id: 'entry-pet-id-null',
    title: 'One petId of the inventory is null',
    breaks: ['inventory-pet-id-number'],
    override: one('petId', 'null'),
  },
  {
    id: 'entry-listed-twice',
    title: 'One pet has two inventory entries',
    breaks: ['inventory-pet-id-unique'],
    override: base => ({
      selectEntries: (entries, ctx) => {
        const selected = base.selectEntries(entries, ctx)
        return [...selected, ...selected.slice(0, 1)]
      },
    }),
  },
  {
    id: 'entry-quantity-missing',
    title: 'One inventory entry has no quantity',
    breaks: ['inventory-quantity-present'],
    override: one('quantity', undefined),
  },
  {
    id: 'entry-quantity-string',
    title: 'One quantity of the inventory is a string',
    breaks: ['inventory-quantity-integer'],
    override: one('quantity', '"3"'),
  },
  {
    id: 'entry-quantity-null',
    title: 'One quantity of the inventory is null',
    breaks: ['inventory-quantity-integer'],
    override: one('quantity', 'null'),
  },
  {
    id: 'entry-quantity-fraction',
    title: 'One quantity of the inventory is a fraction',
    breaks: ['inventory-quantity-integer'],
    override: one('quantity', '2.5'),
  },
  {
    id: 'entry-quantity-boolean',
    title: 'One quantity of the inventory is a boolean',
    breaks: ['inventory-quantity-integer'],
    override: one('quantity', 'true'),
  },
  {
    id: 'entry-member-twice',
    title: 'Every inventory entry repeats the member status',
    breaks: ['list-inventory-no-repeated-names'],
    override: listed(members => ({ ...members, status: `${members.status},"status":${members.status}` })),
  },
]
