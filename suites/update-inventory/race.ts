import {
  control,
  expectSimultaneous,
  expectStatus,
  quantityIn,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'

const SIMULTANEOUS = 8
const DIFFERENT_PETS = 6

const updatedAtOnce = scenario(
  'many simultaneous updates of a pet',
  { pets: 1 },
  async ({ store, states, simultaneous }) => {
    const [pet = ''] = await states.pets(1)
    const quantities = Array.from({ length: Math.min(simultaneous(), SIMULTANEOUS) }, (_, at) =>
      String(11 + 10 * at),
    )
    const answers = await store.atOnce(quantities.length, (each, at) => {
      const quantity = quantities[at] ?? ''
      return each.updateInventory(pet, { quantity }, { step: `at once: ${quantity}` })
    })
    return { pet, quantities, answers, list: await store.listInventory({ step: 'after' }) }
  },
)

export const differentAtOnce = scenario(
  'simultaneous updates of different pets',
  { pets: 2, extraPets: DIFFERENT_PETS - 2 },
  async ({ store, states, simultaneous }) => {
    const arranged = await states.extraPets(DIFFERENT_PETS - 2)
    const pets = [...arranged, ...(await states.pets(2))]
    const updates = pets.slice(0, simultaneous()).map((pet, at) => ({ pet, quantity: String(21 + 10 * at) }))
    const answers = await store.atOnce(updates.length, (each, at) => {
      const { pet = '', quantity = '' } = updates[at] ?? {}
      return each.updateInventory(pet, { quantity }, { step: `pet ${pet} to ${quantity}` })
    })
    return { updates, arranged, answers, list: await store.listInventory({ step: 'after' }) }
  },
)

export const rules = [
  rule({
    id: 'update-race-one-of-them',
    level: 'implied',
    because: '§4.4 replaces the stock, so one of several simultaneous replacements is the last.',
    clause: '4.4/replaces',
    operation: 'updateInventory',
    title: 'Simultaneous updates of a pet all answer 200 and leave one of the quantities that were sent',
    given: updatedAtOnce,
    after: ['update-from-zero', 'update-listed'],
    expect({ pet, quantities, answers, list }) {
      expectSimultaneous(answers)
      for (const answer of answers) expectStatus(answer, 200)
      control(list, 200, 'the inventory')
      const stock = String(quantityIn(list, pet))
      if (!quantities.includes(stock)) throw new Violation(`a stock of ${quantities.join(', ')}`, stock, list)
    },
    usually: 'The difference is computed and added in separate steps, without a lock.',
  }),
  rule({
    id: 'update-different-at-once',
    level: 'implied',
    because: '§4.4 updates the pet in the path, whatever other requests the store receives meanwhile.',
    clause: '4.4/pet-id',
    operation: 'updateInventory',
    title: 'Simultaneous updates of different pets set the quantity of each of them',
    given: differentAtOnce,
    after: ['update-from-zero', 'update-listed', 'update-race-one-of-them'],
    expect({ updates, answers, list }) {
      expectSimultaneous(answers)
      for (const answer of answers) expectStatus(answer, 200)
      control(list, 200, 'the inventory')
      updates.forEach(({ pet, quantity }, at) => {
        const stock = String(quantityIn(list, pet))
        const answer = answers[at]
        if (stock !== quantity && answer)
          throw new Violation(`a stock of ${quantity} of pet ${pet}`, stock, answer, list)
      })
    },
    usually: 'The pet or the quantity of a request is kept in a variable that all requests share.',
  }),
]
