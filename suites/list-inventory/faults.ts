import {
  type Answer,
  answersChanged,
  breaking,
  type Entry,
  type Override,
  only,
  resultChanged,
} from '../../support/reference/index.ts'

const listed = (select: (entries: readonly Entry[]) => readonly Entry[]): Override =>
  resultChanged('selectEntries', select)

const labelled = (label: (quantity: bigint) => string): Override =>
  resultChanged('stockStatus', (_, { quantity }) => label(quantity))

const TOO_FEW = { outOfReachWhenNamed: 'named pets do not fill a page' }

/** The inventory lacks pets, has them twice, is old, or has wrong status values. */
export const faults = breaking({
  'every-third-inventory-lags': [
    'list-inventory-steady',
    base => {
      let lists = 0
      const moreBy = (more: bigint) => (each: Entry) => ({ ...each, quantity: each.quantity + more })
      return listed(entries => entries.map(moreBy(++lists % 3 === 0 ? 1n : 0n)))(base)
    },
    { also: ['update-replaces'] },
  ],
  'entry-listed-twice': ['inventory-pet-id-unique', listed(pets => [...pets, ...pets.slice(0, 1)])],
  'entry-member-twice': [
    'list-inventory-no-repeated-names',
    only(
      'listInventory',
      resultChanged('entryMembers', ({ status, ...members }) => ({
        ...members,
        status: `${status},"status":${status}`,
      })),
    ),
  ],
  // The first list is returned for ever.
  'inventory-stale': [
    'list-inventory-pets-listed',
    base => {
      let first: Answer | undefined
      return answersChanged({ operation: 'listInventory', status: 200 }, answer => {
        first ??= answer
        return first
      })(base)
    },
    { namedBreaks: ['update-replaces'] },
  ],
  'sold-left-out': ['list-inventory-pets-listed', listed(all => all.filter(({ quantity }) => quantity > 0n))],
  'pets-page-of-100': ['list-inventory-unpaged', listed(pets => pets.slice(-100)), TOO_FEW],
  'pets-page-of-1000': ['list-inventory-unpaged', listed(pets => pets.slice(0, 1_000)), TOO_FEW],
  'label-always-available': ['inventory-sold-at-zero', labelled(() => 'available')],
  'label-low': [
    'inventory-available-above-zero',
    labelled(quantity => (quantity === 0n ? 'sold' : quantity < 10n ? 'low' : 'available')),
  ],
})
