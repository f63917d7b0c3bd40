import {
  breaking,
  type Entry,
  type Fault,
  type Members,
  type Override,
  only,
  resultChanged,
  thirdChanged,
} from '../../../support/reference/authoring.ts'
import { misshapenLists } from '../../every-answer/faults/misshapen.ts'

const selected = (select: (entries: readonly Entry[]) => readonly Entry[]): Override =>
  resultChanged('selectEntries', select)

const labelled =
  (label: (quantity: bigint) => string): Override =>
  () => ({ stockStatus: ({ quantity }) => label(quantity) })

/** What a field of one entry is instead, by the rule that it violates. Undefined: it is missing. */
const wrong: readonly (readonly [rule: string, id: string, change: Members])[] = [
  ['inventory-status-present', 'status-missing', { status: undefined }],
  ['inventory-status-string', 'status-null', { status: 'null' }],
  ['inventory-pet-id-present', 'pet-id-missing', { petId: undefined }],
  ['inventory-pet-id-number', 'pet-id-string', { petId: '"7"' }],
  ['inventory-quantity-present', 'quantity-missing', { quantity: undefined }],
  ['inventory-quantity-integer', 'quantity-null', { quantity: 'null' }],
]

const TOO_FEW = { outOfReachWhenNamed: 'named pets do not fill a page' }

/** The inventory, its fields or its status values are wrong. */
export const faults: readonly Fault[] = [
  ...misshapenLists('listInventory', 'list-inventory'),
  ...breaking('list-inventory-steady', {
    'every-third-inventory-lags': [
      'Every third inventory shows one unit more of each pet than there is',
      base => {
        let lists = 0
        return {
          selectEntries: (entries, ctx) => {
            lists += 1
            const more = lists % 3 === 0 ? 1n : 0n
            return base.selectEntries(
              entries.map(each => ({ ...each, quantity: each.quantity + more })),
              ctx,
            )
          },
        }
      },
    ],
  }),
  ...wrong.flatMap(([rule, id, change]) =>
    breaking(rule, {
      [`entry-${id}`]: [
        `One inventory entry: ${id.replaceAll('-', ' ')}`,
        thirdChanged('entryMembers', () => change),
      ],
    }),
  ),
  ...breaking('inventory-pet-id-unique', {
    'entry-listed-twice': [
      'One pet has two inventory entries',
      selected(entries => [...entries, ...entries.slice(0, 1)]),
    ],
  }),
  ...breaking('list-inventory-no-repeated-names', {
    'entry-member-twice': [
      'Every inventory entry in the list repeats the member status',
      only(
        'listInventory',
        resultChanged('entryMembers', ({ status, ...members }) => ({
          ...members,
          status: `${status},"status":${status}`,
        })),
      ),
    ],
  }),
  ...breaking('list-inventory-pets-listed', {
    'inventory-stale': [
      'listInventory returns its first response for ever',
      only('listInventory', base => {
        let kept: ReturnType<typeof base.fromCache> | undefined
        return {
          fromCache: (ctx, make) => {
            kept ??= base.fromCache(ctx, make)
            return kept
          },
        }
      }),
      { namedBreaks: ['update-replaces'] },
    ],
    'sold-left-out': [
      'Pets with quantity 0 are not in the inventory',
      selected(entries => entries.filter(({ quantity }) => quantity > 0n)),
    ],
  }),
  ...breaking('list-inventory-unpaged', {
    'pets-page-of-100': [
      'An inventory of more than 100 pets is cut to the newest 100',
      selected(entries => entries.slice(-100)),
      TOO_FEW,
    ],
  }),
  ...breaking('list-inventory-unpaged', {
    'pets-page-of-1000': [
      'The inventory contains only the first 1,000 pets',
      selected(entries => entries.slice(0, 1_000)),
      TOO_FEW,
    ],
  }),
  ...breaking('inventory-sold-at-zero', {
    'label-always-available': ['Every pet has status available', labelled(() => 'available')],
  }),
  ...breaking('inventory-available-above-zero', {
    'label-low': [
      'A pet with a quantity below 10 has status low',
      labelled(quantity => (quantity === 0n ? 'sold' : quantity < 10n ? 'low' : 'available')),
    ],
  }),
]
