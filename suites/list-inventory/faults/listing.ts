import { breaking, type Entry, type Fault, type Override } from '../../../support/reference/authoring.ts'
import { misshapenLists, wrongElements } from '../../every-exchange/faults/misshapen.ts'

const selected =
  (select: (entries: readonly Entry[]) => readonly Entry[]): Override =>
  base => ({ selectEntries: (entries, ctx) => select(base.selectEntries(entries, ctx)) })

const labelled =
  (label: (quantity: bigint) => string): Override =>
  () => ({ stockStatus: ({ quantity }) => label(quantity) })

/** The inventory is wrong as a whole, or its status values are. */
export const faults: readonly Fault[] = [
  ...misshapenLists('listInventory', 'list-inventory', at => at === 0),
  ...wrongElements('listInventory', 'entry', 'inventory-quantity-integer', 110),
  ...breaking(
    'list-inventory-pets-listed',
    {
      'pets-left-out': [
        'Pets that were added after the first request are not in the inventory',
        base => {
          let first: ReadonlySet<Entry> | undefined
          return selected(entries => {
            first ??= new Set(entries)
            return entries.filter(entry => first?.has(entry))
          })(base)
        },
      ],
    },
    {
      outOfReachWhenNamed:
        'the suite does not change a named pet that is not listed, because it could not restore the stock',
    },
  ),
  ...breaking(
    'list-inventory-unpaged',
    {
      'pets-page-of-100': [
        'An inventory of more than 100 pets is cut to the newest 100',
        selected(entries => (entries.length > 100 ? entries.slice(-100) : entries)),
      ],
    },
    { outOfReachWhenNamed: 'named pets do not fill a page' },
  ),
  ...breaking('list-inventory-sold-listed', {
    'sold-left-out': [
      'Pets with quantity 0 are not in the inventory',
      selected(entries => entries.filter(({ quantity }) => quantity > 0n)),
    ],
  }),
  ...breaking(['inventory-sold-at-zero', 'inventory-available-above-zero'], {
    'labels-inverted': [
      'status sold and available are swapped',
      labelled(quantity => (quantity > 0n ? 'sold' : 'available')),
    ],
    'label-capitalised': [
      'status is Sold or Available, with a capital letter',
      labelled(quantity => (quantity > 0n ? 'Available' : 'Sold')),
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
