import { rulesOfList } from '../list-orders/rules.ts'
import { answer, effect, HELD, LONG_LISTS, type Rule, rulesOf } from '../rule.ts'

const field = (about: string | readonly string[]) => [answer('fields', { about, ...HELD })]
const shown = '§2 describes an entry with this member, but states only of status that it is in every entry.'
const mapping =
  '§2 reports the mapping as an observation, not as a rule. A client that shows stock relies on it.'

/** listInventory returns the stock of every pet (§4.3), each with members of the types of §2. */
export const rules: readonly Rule[] = [
  ...rulesOfList('listInventory', {
    item: ['inventory entry', '2/entry'],
    all: '4.3/200',
    ok: '4.3/200',
    shows: ['stock', 'pet listed'],
    wrapped: 'The list is wrapped in an object, or is an object with a member for each pet.',
  }),
  ...rulesOf('listInventory', {
    'inventory-status-present': {
      required: '2/entry-status',
      title: 'Every inventory entry has a status',
      judges: field('status present'),
    },
    'inventory-status-string': {
      required: '2/entry-status',
      title: 'status of an inventory entry, where present, is a string',
      judges: field('status'),
    },
    'inventory-pet-id-present': {
      because: shown,
      implied: '2/entry',
      title: 'Every inventory entry has a petId',
      judges: field('petId present'),
    },
    'inventory-pet-id-number': {
      required: '2/entry-pet-id',
      title: 'petId of an inventory entry, where present, is a JSON number',
      judges: field('petId'),
      usually: 'Ids are written as strings.',
    },
    'inventory-quantity-present': {
      because: shown,
      implied: '2/entry',
      title: 'Every inventory entry has a quantity',
      judges: field('quantity present'),
    },
    'inventory-quantity-integer': {
      required: '2/entry-quantity',
      title: 'quantity of an inventory entry, where present, is an integer',
      judges: field('quantity'),
    },
    'inventory-pet-id-unique': {
      because: '§2: petId identifies the animal that the entry tracks.',
      implied: '2/entry-pet-id',
      title: 'Each pet has one inventory entry',
      judges: field('unique'),
      usually: 'A join returns a pet once for each of its rows.',
    },
    'inventory-sold-at-zero': {
      because: mapping,
      implied: '2/status-mapping',
      title: 'A pet with quantity 0 has status sold in the inventory',
      judges: field('sold'),
      usually: 'status is stored in a column of its own and not updated together with quantity.',
    },
    'inventory-available-above-zero': {
      because: mapping,
      implied: '2/status-mapping',
      title: 'A pet with a quantity above 0 has status available in the inventory',
      judges: field('available'),
      usually:
        'status is stored in a column of its own, or computed from a 32-bit integer in which a large quantity is negative.',
    },
    'list-inventory-unpaged': {
      needsProvider: LONG_LISTS,
      because: '§4.3 describes no pages: the response is the inventory.',
      implied: '4.3/200',
      title: 'listInventory returns every pet, also if there are more than 1,000',
      judges: [
        effect('page', { context: 'any' }),
        answer('status', { context: 'size' }),
        effect(['pet listed', 'stock'], { context: 'size' }),
      ],
      usually: 'The database layer or a paging library has a default page size.',
    },
    'list-inventory-pets-listed': {
      because: '§4.3 lists current stock levels per pet. A pet that exists has one, also if it is 0.',
      implied: '4.3/200',
      title: 'listInventory returns every pet that was arranged or named for the run',
      judges: [effect('pet listed')],
      usually: 'Pets with quantity 0 are left out, or the inventory is cached.',
    },
    'list-inventory-steady': {
      because: '§1 lists current stock levels: a stock that nothing changes is shown as before.',
      implied: '4.3/200',
      title: 'listInventory shows the stock of a pet that nothing has changed as before, in every list',
      judges: [effect('stock')],
      usually: 'Copies of the data lag behind, or the inventory is cached.',
    },
  }),
]
