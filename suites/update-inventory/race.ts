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
]
