import { expect, it } from 'vitest'
import { judge } from '../embed/judge.ts'
import { inProcess } from '../http/in-process.ts'
import { type Override, Refusal, referenceStore } from '../reference/index.ts'

const HIGHEST = 100_000n

/** The maximum stock is not shown (§4.4). */
const refusesLargeQuantities: Override = base => ({
  checkQuantity: (quantity, ctx) => {
    if (quantity > HIGHEST) throw new Refusal({ status: 400, code: 'large', message: 'Too many' })
    return base.checkQuantity(quantity, ctx)
  },
})

async function judged(quantity: bigint) {
  const store = referenceStore({ overrides: [refusesLargeQuantities] })
  const { petIds: pets = [] } = store.states.setup('pets', { count: 2 })
  const named = [...store.domain.stock.values()].filter(({ petId }) => pets.includes(Number(petId)))
  for (const entry of named) entry.quantity = quantity
  const origin = 'http://store.test'
  const { rules } = await judge({
    baseUrl: `${origin}/v1`,
    apiKey: store.apiKey,
    pets,
    transport: inProcess(request => store.answer(request), origin),
    only: ['update-replaces', 'update-listed', 'update-to-zero', 'update-back', 'inventory-*'],
    seed: 1,
    runs: 2,
  })
  expect(rules.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(named.map(entry => entry.quantity)).toEqual(named.map(() => quantity))
  return rules.find(({ id }) => id === 'update-replaces')
}

it.each([0n, 993n, 99_999n])('a named pet with a first stock of %s: the store passes', async quantity =>
  expect(await judged(quantity)).toMatchObject({ outcome: 'passed' }),
)

it.each([2n ** 63n - 1n, -3n])(
  'a named pet with a first stock of %s, which the store refuses in an update: the stock is not changed',
  async quantity =>
    expect(await judged(quantity)).toMatchObject({
      outcome: 'untested',
      message: expect.stringContaining('so it could not be restored'),
    }),
)
