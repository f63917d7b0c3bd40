import { type Exchange, entries, type JsonObject, numberOf, scenario } from '../../support/authoring/index.ts'
import { everyList, listed } from '../lists.ts'

export const inventoryListed = listed('listInventory', 'list the inventory')
export const everyInventoryList = everyList('listInventory', 'look at every inventory of the run')

export const ownPets = scenario('list the pets of the run', { pets: 2 }, async ({ store, states }) => {
  const pets = await states.pets(2)
  return { pets, list: await store.listInventory() }
})

/** More than the usual default page sizes: 10, 20, 25, 50, 100. */
const MANY = 110

export const manyPets = scenario(
  'list more than 100 pets',
  { turn: 'long lists' },
  async ({ store, states }) => {
    const pets = await states.extraPets(MANY)
    return { pets, list: await store.listInventory() }
  },
)

/** The two cases of the mapping in §2. */
export type StockLevel = 'at 0' | 'above 0'

export function stockLevel(entry: JsonObject): StockLevel | undefined {
  const quantity = numberOf(entry, 'quantity')
  if (quantity === undefined || quantity.startsWith('-')) return undefined
  return quantity === '0' ? 'at 0' : 'above 0'
}

function has(list: Exchange, level: StockLevel): boolean {
  if (list.response?.status !== 200) return true
  for (const { entry } of entries(list)) if (stockLevel(entry) === level) return true
  return false
}

/** If no pet of this quantity is listed, one is arranged, or the stock of a named pet is set. */
const listedWith = (quantity: number, level: StockLevel) =>
  scenario(
    `list the inventory with a pet of quantity ${level.replace('at ', '')}`,
    { pets: 1 },
    async ({ store, states }) => {
      const list = await store.listInventory()
      if (has(list, level)) return { list }
      const [pet = ''] = await states.pets(1, quantity)
      const arranged = await store.listInventory({ step: `with pet ${pet} arranged` })
      if (has(arranged, level)) return { list: arranged }
      const step = `set a pet to quantity ${quantity}`
      await store.updateInventory(pet, { quantity: String(quantity) }, { step })
      return { list: await store.listInventory({ step: `with pet ${pet} at ${quantity}` }) }
    },
  )

export const soldListed = listedWith(0, 'at 0')
export const leftListed = listedWith(5, 'above 0')
