import { expect, it } from 'vitest'
import { judge } from '../embed/judge.ts'
import { inProcess } from '../http/in-process.ts'
import { type Override, Refusal, referenceStore } from '../reference/index.ts'

const HIGHEST = 100_000n

/** How far a stock can go is not shown. */
const refusesLargeOnes: Override = base => ({
  checkQuantity: (quantity, ctx) => {
    if (quantity > HIGHEST) throw new Refusal({ status: 400, code: 'large', message: 'So many?' })
    return base.checkQuantity(quantity, ctx)
  },
})

it.each([0n, 4n, 992n, 993n, 999n, 1000n, 250_000n, 2n ** 63n - 1n, -3n])(
  'a store whose pets have a stock of %s when they are named is not called broken',
  async quantity => {
    const store = referenceStore({ overrides: [refusesLargeOnes] })
    const { petIds: pets = [] } = store.states.setup('pets', { count: 2 })
    for (const entry of store.domain.stock.values())
      if (pets.includes(Number(entry.petId))) entry.quantity = quantity
    const origin = 'http://store.test'
    const { rules } = await judge({
      baseUrl: `${origin}/v1`,
      apiKey: store.apiKey,
      pets,
      transport: inProcess(request => store.fetch(request), origin),
      only: ['updateInventory', 'listInventory'],
      seed: 1,
      runs: 2,
    })
    expect(rules.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(rules.find(({ id }) => id === 'update-replaces')).toMatchObject({ outcome: 'passed' })
  },
)
