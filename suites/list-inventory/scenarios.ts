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

export const inventoryListed = scenario('the inventory, listed', {}, async ({ store }) => {
  const answers = await sendUntilComplete(() => store.listInventory())
  return { answers, list: lastOf(answers) }
})

export const ownPets = scenario('the pets of the run, listed', { pets: 2 }, async ({ store, states }) => {
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

/** The inventory, with a pet of this quantity in it: where none is listed, one is arranged, or a named one is set to it. */
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
    { step: `none has quantity ${quantity} yet` },
  )
  return store.listInventory({ step: `with pet ${pet} at ${quantity}` })
}

export const soldListed = scenario(
  'the inventory, with a pet of which none is left',
  { pets: 1 },
  async acts => ({
    list: await listWith(acts, 0, isSold),
  }),
)

export const leftListed = scenario(
  'the inventory, with a pet of which some are left',
  { pets: 1 },
  async acts => ({
    list: await listWith(acts, 5, isLeft),
  }),
)
