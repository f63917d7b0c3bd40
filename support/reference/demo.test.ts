import { faker } from '@faker-js/faker/locale/base'
import { expect, it } from 'vitest'
import { referenceStore } from './store.ts'
import { ask } from './testing/ask.ts'

const listed = async (seed: number) => (await ask(referenceStore({ seed }), 'GET /store/orders')).text

it('is equal for equal seeds, and differs for different seeds', async () => {
  expect(await listed(7)).toBe(await listed(7))
  expect(await listed(7)).not.toBe(await listed(8))
})

it('has orders in every state and pets that are sold, some with ids above 2^53', () => {
  const { orders, stock } = referenceStore().domain
  expect([orders.size, stock.size]).toEqual([12, 8])
  expect(new Set([...orders.values()].map(order => order.state)).size).toBe(3)
  expect([...stock.values()].filter(({ quantity }) => quantity === 0n)).toHaveLength(2)
  expect([...orders.keys()].some(id => BigInt(Number(id)) !== id)).toBe(true)
})

it('does not seed the shared faker', () => {
  faker.seed(5)
  const expected = faker.number.int()
  faker.seed(5)
  referenceStore({ seed: 9 })
  expect(faker.number.int()).toBe(expected)
})

it('can be left out', () => {
  const { orders, stock } = referenceStore({ demo: false }).domain
  expect(orders.size + stock.size).toBe(0)
})
