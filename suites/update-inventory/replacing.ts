import {
  answered,
  expectListed,
  expectStatus,
  find,
  NotApplicable,
  quantityIn,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import {
  aboveZero,
  entryIn,
  expectLabel,
  expectListedStock,
  expectQuantity,
  expectSaid,
  FROM_ZERO,
  given,
  says,
  stepAt,
  ZERO,
} from './replaced.ts'

export const rules = [
  rule({
    ...given,
    id: 'update-replaces',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The quantity that was sent replaces the stock: up, down, and the same again',
    after: 'update-entry',
    expect(seen) {
      for (const step of aboveZero(seen)) expectQuantity(step)
    },
    usually: 'The quantity is added to the stock; or the answer shows the entry as it was before.',
  }),
  rule({
    ...given,
    id: 'update-to-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The stock can be set to 0',
    after: 'update-replaces',
    expect: seen => expectQuantity(stepAt(seen, ZERO)),
    usually: 'The check for a missing quantity takes 0 for missing.',
  }),
  rule({
    ...given,
    id: 'update-from-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'A sold pet can be restocked',
    after: 'update-to-zero',
    expect: seen => expectQuantity(stepAt(seen, FROM_ZERO)),
    usually: 'A sold pet is taken for a deleted one.',
  }),
  rule({
    ...given,
    id: 'update-listed',
    level: 'implied',
    because:
      '§4.4 replaces the current stock, and §4.3 lists the current stock; that it does so at once follows.',
    clause: '4.4/replaces',
    title: 'The inventory shows the new stock at once',
    after: ['update-replaces', 'update-other-pets-untouched'],
    expect({ pet, steps }) {
      for (const step of steps) {
        // Where the answer says another quantity than was sent, that is the matter of another rule.
        if (step.answer.response?.status === 200 && says(step)) expectListedStock(pet, step)
      }
    },
    usually: 'The list comes from a cache or a replica that lags behind.',
  }),
  rule({
    ...given,
    id: 'update-back',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The stock can be set back to what it was before its first update',
    after: ['update-from-zero', 'update-listed'],
    expect({ pet, back }) {
      if (!back) throw new NotApplicable('the stock at first is none that any store takes')
      expectStatus(back.answer, 200)
      expectSaid(back)
      expectListedStock(pet, back)
    },
    usually: 'A mapper compares with the quantity that it loaded first, finds no change, and saves none.',
  }),
  rule({
    ...given,
    id: 'update-status-follows',
    level: 'implied',
    because: '§2 shows the mapping and does not call it a rule.',
    clause: '2/status-mapping',
    title: 'The status in the answer follows the quantity: sold at 0, else available',
    after: [
      'inventory-sold-at-zero',
      'inventory-available-above-zero',
      'update-entry-status',
      'update-replaces',
      'update-to-zero',
      'update-from-zero',
    ],
    expect({ steps }) {
      for (const { answer, quantity } of steps) expectLabel(entryIn(answer), quantity, answer)
    },
    usually: 'The status is a column of its own, and an update leaves it as it was.',
  }),
  rule({
    ...given,
    id: 'update-listed-status-follows',
    level: 'implied',
    because: '§2 shows the mapping and does not call it a rule.',
    clause: '2/status-mapping',
    title: 'The status in the inventory follows the updates',
    after: ['update-status-follows', 'update-listed'],
    expect({ pet, steps }) {
      for (const { list, quantity } of steps) {
        const entry = find(list, 'petId', pet)
        if (entry) expectLabel(entry, quantity, list)
      }
    },
  }),
  rule({
    ...given,
    id: 'update-other-pets-untouched',
    level: 'implied',
    because: '§4.4 updates one pet; that the others stay as they are follows.',
    clause: '4.4/pet-id',
    title: 'An update leaves other pets as they are',
    after: ['update-200', 'list-inventory-objects'],
    expect({ bystander, before, steps }) {
      const was = quantityIn(before, bystander)
      for (const { list, answer } of steps) {
        const is = quantityIn(list, bystander)
        if (was !== is)
          throw new Violation(`quantity ${was} of pet ${bystander}, as before`, String(is), answer, list)
      }
    },
  }),
  rule({
    ...given,
    id: 'list-inventory-sold-listed',
    operation: 'listInventory',
    level: 'implied',
    because: '§2 reports a pet of which none is left as sold: it is in the list.',
    clause: '2/status-mapping',
    title: 'A sold pet is in the inventory',
    after: ['list-inventory-pets-listed', 'update-from-zero'],
    expect(seen) {
      const { list } = stepAt(seen, ZERO)
      answered(list)
      expectListed(list, 'petId', [seen.pet])
    },
    usually: 'The list shows what can be bought.',
  }),
]
