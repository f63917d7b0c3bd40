import {
  type Answer,
  answersChanged,
  breaking,
  type Entry,
  type Fault,
  type Override,
  only,
  resultChanged,
} from '../../support/reference/index.ts'

const selected = (select: (entries: readonly Entry[]) => readonly Entry[]): Override =>
  resultChanged('selectEntries', select)

const labelled =
  (label: (quantity: bigint) => string): Override =>
  () => ({ stockStatus: ({ quantity }) => label(quantity) })

const TOO_FEW = { outOfReachWhenNamed: 'named pets do not fill a page' }

/** The inventory lacks pets, has them twice, is old, or has wrong status values. */
export const faults: readonly Fault[] = [
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
      { also: ['update-replaces'] },
    ],
  }),
  ...breaking('inventory-pet-id-unique', {
    'entry-listed-twice': ['One pet is listed twice', selected(pets => [...pets, ...pets.slice(0, 1)])],
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
      base => {
        let first: Answer | undefined
        return answersChanged({ operation: 'listInventory', status: 200 }, answer => {
          first ??= answer
          return first
        })(base)
      },
      { namedBreaks: ['update-replaces'] },
    ],
    'sold-left-out': [
      'Pets without stock are not listed',
      selected(pets => pets.filter(({ quantity }) => quantity > 0n)),
    ],
  }),
  ...breaking('list-inventory-unpaged', {
    'pets-page-of-100': ['Only the newest 100 pets are listed', selected(pets => pets.slice(-100)), TOO_FEW],
    'pets-page-of-1000': ['Only 1000 pets are listed', selected(pets => pets.slice(0, 1_000)), TOO_FEW],
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
