import {
  type Exchange,
  entriesOf,
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

export const isSold = (entry: JsonObject): boolean => numberOf(entry, 'quantity') === '0'

export const isLeft = (entry: JsonObject): boolean => {
  const quantity = numberOf(entry, 'quantity')
  return quantity !== undefined && quantity !== '0' && !quantity.startsWith('-')
}

const has = (list: Exchange, wanted: (entry: JsonObject) => boolean): boolean =>
  list.response?.status !== 200 || entriesOf(list).some(({ entry }) => wanted(entry))

/** Lists the inventory with a pet of this quantity. If none is listed, one is arranged, or the stock of a named pet is set. */
async function listWith(
  { store, states }: StoreActs,
  quantity: number,
  wanted: (entry: JsonObject) => boolean,
): Promise<Exchange> {
  const list = await store.listInventory()
  if (has(list, wanted)) return list
  const [pet = ''] = await states.pets(1, quantity)
  const arranged = await store.listInventory({ step: `with pet ${pet} arranged` })
  if (has(arranged, wanted)) return arranged
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
    list: await listWith(acts, 0, isSold),
  }),
)

export const leftListed = scenario(
  'list the inventory with a pet of quantity above 0',
  { pets: 1 },
  async acts => ({
    list: await listWith(acts, 5, isLeft),
  }),
)
