import type { Entry, Fault, Override } from '../../../support/reference/authoring.ts'
import { brokenLists } from '../../every-exchange/faults/broken-lists.ts'
import { wrongElements } from '../../every-exchange/faults/wrong-elements.ts'

const labelled =
  (label: (quantity: bigint, entry: Entry) => string): Override =>
  () => ({
    stockStatus: entry => label(entry.quantity, entry),
  })

/** The inventory is wrong as a whole, or its status values are. */
export const faults: readonly Fault[] = [
  ...brokenLists('listInventory', 'list-inventory'),
  ...wrongElements({
    operation: 'listInventory',
    id: 'entry',
    element: 'entry',
    breaks: 'inventory-quantity-integer',
    long: 110,
  }),
  {
    id: 'pets-left-out',
    title: 'Pets that were added after the first request are not in the inventory',
    breaks: ['list-inventory-pets-listed'],
    outOfReachWhenNamed:
      'the suite does not change a named pet that is not listed, because it could not restore the stock',
    override: base => {
      let first: ReadonlySet<Entry> | undefined
      return {
        selectEntries: (entries, ctx) => {
          first ??= new Set(entries)
          return base.selectEntries(entries, ctx).filter(entry => first?.has(entry))
        },
      }
    },
  },
  ...[20, 50, 100].map(
    (size): Fault => ({
      id: `pets-page-of-${size}`,
      title: `An inventory of more than 100 pets is cut to the newest ${size}`,
      breaks: ['list-inventory-unpaged'],
      outOfReachWhenNamed: 'named pets do not fill a page',
      override: base => ({
        selectEntries: (entries, ctx) => {
          const selected = base.selectEntries(entries, ctx)
          return selected.length > 100 ? selected.toReversed().slice(0, size) : selected
        },
      }),
    }),
  ),
  {
    id: 'sold-left-out',
    title: 'Pets with quantity 0 are not in the inventory',
    breaks: ['list-inventory-sold-listed'],
    override: base => ({
      selectEntries: (entries, ctx) =>
        base.selectEntries(entries, ctx).filter(({ quantity }) => quantity > 0n),
    }),
  },
  {
    id: 'labels-inverted',
    title: 'status sold and available are swapped',
    breaks: ['inventory-sold-at-zero', 'inventory-available-above-zero'],
    override: labelled(quantity => (quantity > 0n ? 'sold' : 'available')),
  },
  {
    id: 'label-always-available',
    title: 'Every pet has status available',
    breaks: ['inventory-sold-at-zero'],
    override: labelled(() => 'available'),
  },
  {
    id: 'label-always-sold',
    title: 'Every pet has status sold',
    breaks: ['inventory-available-above-zero'],
    override: labelled(() => 'sold'),
  },
  {
    id: 'label-off-by-one',
    title: 'A pet with quantity 1 has status sold',
    breaks: ['inventory-available-above-zero'],
    override: labelled(quantity => (quantity > 1n ? 'available' : 'sold')),
  },
  {
    id: 'label-capitalised',
    title: 'status is Sold or Available, with a capital letter',
    breaks: ['inventory-sold-at-zero', 'inventory-available-above-zero'],
    override: labelled(quantity => (quantity > 0n ? 'Available' : 'Sold')),
  },
  {
    id: 'label-low',
    title: 'A pet with a quantity below 10 has status low',
    breaks: ['inventory-available-above-zero'],
    override: labelled(quantity => (quantity === 0n ? 'sold' : quantity < 10n ? 'low' : 'available')),
  },
  {
    id: 'label-inverted-in-list',
    title: 'status sold and available are swapped in the list only',
    breaks: ['inventory-sold-at-zero', 'inventory-available-above-zero'],
    override: base => ({
      stockStatus: (entry, ctx) =>
        ctx.operation === 'listInventory'
          ? entry.quantity > 0n
            ? 'sold'
            : 'available'
          : base.stockStatus(entry, ctx),
    }),
  },
]
