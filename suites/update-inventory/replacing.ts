import {
  CantTell,
  canonical,
  entries,
  expectReadable,
  expectSameStock,
  expectStatus,
  find,
  mayHave,
  NotApplicable,
  numberOf,
  quantityIn,
  rule,
  scenario,
  stockIn,
  Violation,
} from '../../support/authoring/index.ts'
import { oneAfterAnother } from '../model/scenarios.ts'
import {
  entryIn,
  expectLabel,
  expectListedStock,
  expectQuantity,
  expectSaid,
  FROM_ZERO,
  given,
  type Replacement,
  says,
  stepAt,
  ZERO,
} from './scenarios.ts'

const stockAtTheEnd = scenario(
  'list the stock of updated pets at the end of the run',
  { turn: 'end' },
  async ({ store, states, seenBy }) => {
    const updated = await seenBy(oneAfterAnother)
    const step = 'at the end of the run'
    const [orders, list] = await Promise.all([store.listOrders({ step }), store.listInventory({ step })])
    return { updated, orders, list, misapplied: states.misapplied() }
  },
)

const last = { operation: 'updateInventory', given: stockAtTheEnd, clause: '4.4/replaces' } as const

/** With fewer updates, another client may have set the same quantities by chance. */
const SEVERAL = 4

/** Other pets, which may not be of the run, whose stock is each quantity that was sent. */
function followersOf(pet: string, [first, ...others]: readonly Replacement[]): readonly string[] {
  if (!first || others.length < SEVERAL) return []
  return [...entries(first.list)].flatMap(({ entry }) => {
    const other = numberOf(entry, 'petId')
    if (other === undefined || other === canonical(pet)) return []
    const isSet = numberOf(entry, 'quantity') === first.quantity
    return isSet && others.every(step => String(stockIn(step.list, other)) === step.quantity) ? [other] : []
  })
}

export const rules = [
  rule({
    ...given,
    id: 'update-replaces',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The quantity that was sent replaces the stock: up, down, and the same again',
    after: 'update-entry-of-that-pet',
    expect: ({ steps }) => steps.slice(0, ZERO).forEach(expectQuantity),
    usually: 'The quantity is added to the stock, or the response shows the entry from before the update.',
  }),
  rule({
    ...given,
    id: 'update-to-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'updateInventory sets the stock to 0',
    after: 'update-replaces',
    expect: seen => expectQuantity(stepAt(seen, ZERO)),
    usually: 'The check for a missing quantity treats 0 as missing.',
  }),
  rule({
    ...given,
    id: 'update-from-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'updateInventory restocks a pet that is sold',
    after: 'update-to-zero',
    expect: seen => expectQuantity(stepAt(seen, FROM_ZERO)),
    usually: 'A pet that is sold is treated as deleted.',
  }),
  rule({
    ...given,
    id: 'update-listed',
    level: 'implied',
    because:
      '§4.4 replaces the current stock and §4.3 lists the current stock, so the list shows the update at once.',
    clause: '4.4/replaces',
    title: 'listInventory shows the new quantity immediately after updateInventory',
    after: ['update-replaces', 'update-other-pets-untouched'],
    expect({ pet, steps }) {
      for (const step of steps) {
        // update-replaces reports a response with another quantity than was sent.
        if (step.answer.response?.status === 200 && says(step)) expectListedStock(pet, step)
      }
    },
    usually: 'The list comes from a cache or from a replica that lags behind.',
  }),
  rule({
    ...given,
    id: 'update-back',
    level: 'required',
    clause: '4.4/replaces',
    title: 'updateInventory sets the stock back to the quantity before the first update',
    after: ['update-from-zero', 'update-listed'],
    expect({ pet, before, back }) {
      if (!back) {
        expectReadable(before)
        throw new NotApplicable('the list before the first update shows no quantity from 0 to 999')
      }
      expectStatus(back.answer, 200)
      expectSaid(back)
      expectListedStock(pet, back)
    },
    usually:
      'An object mapper compares with the quantity that it loaded first, finds no change and saves nothing.',
  }),
  rule({
    ...given,
    id: 'update-status-follows',
    level: 'implied',
    because: '§2 shows the mapping from quantity to status, but does not call it a rule.',
    clause: '2/status-mapping',
    title:
      'After updateInventory, its response and listInventory show sold at quantity 0 and available above 0',
    after: [
      'inventory-sold-at-zero',
      'inventory-available-above-zero',
      'update-entry-status',
      'update-from-zero',
      'update-listed',
    ],
    expect({ pet, steps }) {
      for (const { answer, list, quantity } of steps) {
        expectLabel(entryIn(answer), quantity, answer)
        const entry = find(list, 'petId', pet)
        if (entry) expectLabel(entry, quantity, list)
      }
    },
    usually: 'The status is stored separately, and an update does not change it.',
  }),
  rule({
    ...given,
    id: 'update-other-pets-untouched',
    level: 'implied',
    because: '§4.4 updates the pet in the path. It follows that other pets do not change.',
    clause: '4.4/pet-id',
    title: 'An update leaves other pets unchanged',
    after: ['update-200', 'list-inventory-objects'],
    expect({ pet, bystander, before, steps }) {
      for (const other of [bystander, ...followersOf(pet, steps)])
        for (const { list, answer } of steps) expectSameStock(other, before, list, answer, list)
    },
    usually: 'The condition of the UPDATE matches further pets, or two entries share one object.',
  }),
  rule({
    ...last,
    id: 'update-restores',
    level: 'required',
    title: 'An update that restores the stock of a pet replaces it, too',
    after: ['update-replaces', 'update-back'],
    expect({ updated, misapplied }) {
      if (!updated) throw new CantTell('no stock was updated during the run')
      if (updated.arranged.length > 0)
        throw new NotApplicable('the run restores only the stock of pets that are named')
      if (!misapplied) return
      expectStatus(misapplied.answer, 200)
      expectSaid(misapplied)
    },
    usually: 'The update fails from time to time, or after many updates of a pet.',
  }),
  rule({
    ...last,
    id: 'update-stays-set',
    level: 'implied',
    because: '§4.4 replaces the stock, and shows nothing that lowers it but another update.',
    title: 'The quantity that updateInventory set is still there at the end of the run',
    after: ['update-listed', 'list-inventory-agrees-after-anything'],
    expect({ updated, list, orders }) {
      if (!updated) throw new CantTell('no stock was updated during the run')
      const { arranged, left } = updated
      if (!left || arranged.length === 0)
        throw new NotApplicable(
          'it needs pets that are arranged for the run, because named ones are restored',
        )
      for (const pet of arranged) {
        const [was, is] = [quantityIn(left, pet), quantityIn(list, pet)]
        // More may come from a cancelled order, and less may go to an order: §3 leaves both open.
        if (is >= was) continue
        if (mayHave(orders, 'petId', pet))
          throw new NotApplicable(
            `the stock of pet ${pet} is lower, and an order for it may have taken the difference`,
          )
        throw new Violation(`a stock of ${was} of pet ${pet}, as before`, String(is), left, list)
      }
    },
    usually:
      'A later job or a stale copy writes the old quantity again, or an update is queued before its body is validated.',
  }),
]
