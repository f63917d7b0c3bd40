import { answer, effect, HELD, type Rule, rulesOf } from '../rule.ts'

const field = (about: string | readonly string[]) => [answer('fields', { about, ...HELD })]
const shown = '§2 describes an entry with this member, but states only of status that it is in every entry.'
const mapping =
  '§2 reports the mapping as an observation, not as a rule. A client that shows stock relies on it.'

/** listInventory returns the stock of every pet (§4.3), each with members of the types of §2. */
export const rules: readonly Rule[] = rulesOf('listInventory', {
  'conditional-list-inventory': {
    level: 'implied',
    because:
      'The document describes one list of the store. RFC 9110 §15.4.5: a 304 states that the earlier response is still current, and a client with a cache relies on it.',
    clause: '4.3/200',
    title:
      'listInventory returns the new list after a change, also with the ETag or date of an earlier response',
    judges: [
      answer('status', { row: 'conditional' }),
      effect(['stock', 'pet listed'], { row: 'conditional' }),
    ],
    usually:
      'The ETag is computed from something that the change does not touch. Or a connection keeps its own cache.',
  },
  'list-inventory-200': {
    level: 'required',
    clause: '4.3/200',
    title: 'listInventory answers 200',
    judges: [answer('status')],
    usually: 'A handler fails on one entry, or the path is another one.',
  },
  'list-inventory-content-type': {
    level: 'required',
    clause: '1/json',
    title: 'The response of listInventory has Content-Type application/json',
    judges: [answer('type', { answered: 200, ...HELD })],
  },
  'list-inventory-json': {
    level: 'required',
    clause: '1/json',
    title: 'The response of listInventory is valid JSON in UTF-8',
    judges: [answer('json', { answered: 200, ...HELD })],
  },
  'list-inventory-array': {
    level: 'required',
    clause: '4.3/200',
    title: 'The response of listInventory is an array of objects',
    judges: [answer('shape', { answered: 200, ...HELD })],
    usually: 'The list is wrapped in an object, or is an object with a member for each pet.',
  },
  'inventory-status-present': {
    level: 'required',
    clause: '2/entry-status',
    title: 'Every inventory entry has a status',
    judges: field('status present'),
  },
  'inventory-status-string': {
    level: 'required',
    clause: '2/entry-status',
    title: 'status of an inventory entry, where present, is a string',
    judges: field('status'),
  },
  'inventory-pet-id-present': {
    level: 'implied',
    because: shown,
    clause: '2/entry',
    title: 'Every inventory entry has a petId',
    judges: field('petId present'),
  },
  'inventory-pet-id-number': {
    level: 'required',
    clause: '2/entry-pet-id',
    title: 'petId of an inventory entry, where present, is a JSON number',
    judges: field('petId'),
    usually: 'Ids are written as strings.',
  },
  'inventory-quantity-present': {
    level: 'implied',
    because: shown,
    clause: '2/entry',
    title: 'Every inventory entry has a quantity',
    judges: field('quantity present'),
  },
  'inventory-quantity-integer': {
    level: 'required',
    clause: '2/entry-quantity',
    title: 'quantity of an inventory entry, where present, is an integer',
    judges: field('quantity'),
  },
  'inventory-pet-id-unique': {
    level: 'implied',
    because: '§2: petId identifies the animal that the entry tracks.',
    clause: '2/entry-pet-id',
    title: 'Each pet has one inventory entry',
    judges: field('unique'),
    usually: 'A join returns a pet once for each of its rows.',
  },
  'inventory-sold-at-zero': {
    level: 'implied',
    because: mapping,
    clause: '2/status-mapping',
    title: 'A pet with quantity 0 has status sold in the inventory',
    judges: field('sold'),
    usually: 'status is stored in a column of its own and not updated together with quantity.',
  },
  'inventory-available-above-zero': {
    level: 'implied',
    because: mapping,
    clause: '2/status-mapping',
    title: 'A pet with a quantity above 0 has status available in the inventory',
    judges: field('available'),
    usually:
      'status is stored in a column of its own, or computed from a 32-bit integer in which a large quantity is negative.',
  },
  'list-inventory-no-repeated-names': {
    level: 'advisory',
    because:
      'The document is silent. RFC 8259 §4 says that names should be unique, because programs differ in which member they read.',
    clause: '2/entry',
    title: 'No inventory entry in the list repeats a member name',
    judges: [answer('advice', { about: 'repeated', ...HELD })],
  },
  'list-inventory-unpaged': {
    needsProvider: true,
    level: 'implied',
    because: '§4.3 describes no pages: the response is the inventory.',
    clause: '4.3/200',
    title: 'listInventory returns every pet, also if there are more than 1,000',
    judges: [
      effect('page', { context: 'any' }),
      answer('status', { context: 'size' }),
      effect(['pet listed', 'stock'], { context: 'size' }),
    ],
    usually: 'The database layer or a paging library has a default page size.',
  },
  'list-inventory-pets-listed': {
    level: 'implied',
    because: '§4.3 lists current stock levels per pet. A pet that exists has one, also if it is 0.',
    clause: '4.3/200',
    title: 'listInventory returns every pet that was arranged or named for the run',
    judges: [effect('pet listed')],
    usually: 'Pets with quantity 0 are left out, or the inventory is cached.',
  },
  'list-inventory-steady': {
    level: 'implied',
    because: '§1 lists current stock levels: a stock that nothing changes is shown as before.',
    clause: '4.3/200',
    title: 'listInventory shows the stock of a pet that nothing has changed as before, in every list',
    judges: [effect('stock')],
    usually: 'Copies of the data lag behind, or the inventory is cached.',
  },
})
