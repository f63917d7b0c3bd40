import type { Entry, Fault, Override } from '../../../support/reference/index.ts'
import { brokenLists } from '../../every-exchange/faults/broken-lists.ts'

const labelled =
  (label: (quantity: bigint, entry: Entry) => string): Override =>
  () => ({
    stockStatus: entry => label(entry.quantity, entry),
  })

/** The inventory as a whole, and its labels. */
export const faults: readonly Fault[] = [
  ...brokenLists('listInventory', 'list-inventory'),
  {
    id: 'pets-left-out',
    title: 'Pets that were added lately are not in the inventory',
    breaks: ['list-inventory-pets-listed'],
    outOfReachWhenNamed: 'a named pet that is not listed could not be put back, so it is left alone',
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
  {
    id: 'sold-left-out',
    title: 'Sold pets are not in the inventory',
    breaks: ['list-inventory-sold-listed'],
    override: base => ({
      selectEntries: (entries, ctx) =>
        base.selectEntries(entries, ctx).filter(({ quantity }) => quantity > 0n),
    }),
  },
  {
    id: 'labels-inverted',
    title: 'sold and available are mixed up',
    breaks: ['inventory-sold-at-zero', 'inventory-available-above-zero'],
    override: labelled(quantity => (quantity > 0n ? 'sold' : 'available')),
  },
  {
    id: 'label-always-available',
    title: 'Every pet is available',
    breaks: ['inventory-sold-at-zero'],
    override: labelled(() => 'available'),
  },
  {
    id: 'label-always-sold',
    title: 'Every pet is sold',
    breaks: ['inventory-available-above-zero'],
    override: labelled(() => 'sold'),
  },
  {
    id: 'label-off-by-one',
    title: 'The last one left is called sold',
    breaks: ['inventory-available-above-zero'],
    override: labelled(quantity => (quantity > 1n ? 'available' : 'sold')),
  },
  {
    id: 'label-capitalised',
    title: 'The labels are written with a capital',
    breaks: ['inventory-sold-at-zero', 'inventory-available-above-zero'],
    override: labelled(quantity => (quantity > 0n ? 'Available' : 'Sold')),
  },
  {
    id: 'label-low',
    title: 'A few left have a label of their own',
    breaks: ['inventory-available-above-zero'],
    override: labelled(quantity => (quantity === 0n ? 'sold' : quantity < 10n ? 'low' : 'available')),
  },
  {
    id: 'label-inverted-in-list',
    title: 'sold and available are mixed up in the list alone',
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
