import {
  type Exchange,
  entries,
  type JsonObject,
  lastOf,
  numberOf,
  type StoreActs,
  scenario,
  sendUntilComplete,
} from '../../support/authoring/index.ts'

export const inventoryListed = scenario('list the inventory', {}, async ({ store }) => {
  const answers = await sendUntilComplete(() => store.listInventory())
  return { answers, list: lastOf(answers) }
})

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

/** Lists the inventory with a pet of this quantity. If none is listed, one is arranged, or the stock of a named pet is set. */
async function listWith(
  { store, states }: StoreActs,
  quantity: number,
  level: StockLevel,
): Promise<Exchange> {
  const list = await store.listInventory()
  if (has(list, level)) return list
  const [pet = ''] = await states.pets(1, quantity)
  const arranged = await store.listInventory({ step: `with pet ${pet} arranged` })
  if (has(arranged, level)) return arranged
  await store.updateInventory(
    pet,
    { quantity: String(quantity) },
    { step: `set a pet to quantity ${quantity}` },
  )
  return store.listInventory({ step: `with pet ${pet} at ${quantity}` })
}

export const soldListed = scenario(
  'list the inventory with a pet of quantity 0',
  { pets: 1 },
  async acts => ({
    list: await listWith(acts, 0, 'at 0'),
  }),
)

export const leftListed = scenario(
  'list the inventory with a pet of quantity above 0',
  { pets: 1 },
  async acts => ({
    list: await listWith(acts, 5, 'above 0'),
  }),
)

/** Field rules judge every inventory of the run, so a wrong entry is found whenever and wherever it appears. */
export const everyInventoryList = scenario(
  'look at every inventory of the run',
  { turn: 'end' },
  async ({ store, lists }) => {
    await store.listInventory({ step: 'at the end of the run' })
    const answers = lists('listInventory')
    return { answers, lists: answers.filter(({ response }) => response?.status === 200) }
  },
)
