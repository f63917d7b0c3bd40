import {
  type Exchange,
  entriesOf,
  expectEach,
  type JsonObject,
  member,
  numberOf,
  rule,
  type StoreActs,
  scenario,
  show,
} from '../../support/authoring/index.ts'

const isSold = (entry: JsonObject): boolean => numberOf(entry, 'quantity') === '0'

const isLeft = (entry: JsonObject): boolean => {
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

const soldListed = scenario('the inventory, with a pet of which none is left', { pets: 1 }, async acts => ({
  list: await listWith(acts, 0, isSold),
}))

const leftListed = scenario('the inventory, with a pet of which some are left', { pets: 1 }, async acts => ({
  list: await listWith(acts, 5, isLeft),
}))

const common = {
  operation: 'listInventory',
  level: 'implied',
  because: '§2 shows the mapping and does not call it a rule.',
  clause: '2/status-mapping',
  after: [
    'inventory-status-present',
    'inventory-status-string',
    'inventory-quantity-present',
    'inventory-quantity-integer',
  ],
  usually: 'The status is a column of its own, and is not kept in step with the quantity.',
} as const

export const rules = [
  rule({
    ...common,
    id: 'inventory-sold-at-zero',
    title: 'A pet of which none is left is listed as sold',
    given: soldListed,
    expect: ({ list }) =>
      expectEach(list, 'status "sold" at quantity 0', entry =>
        isSold(entry) && member(entry, 'status') !== 'sold'
          ? `.status is ${show(member(entry, 'status') ?? null)} at quantity 0`
          : undefined,
      ),
  }),
  rule({
    ...common,
    id: 'inventory-available-above-zero',
    title: 'A pet of which some are left is listed as available',
    given: leftListed,
    expect: ({ list }) =>
      expectEach(list, 'status "available" above quantity 0', entry =>
        isLeft(entry) && member(entry, 'status') !== 'available'
          ? `.status is ${show(member(entry, 'status') ?? null)} at quantity ${numberOf(entry, 'quantity')}`
          : undefined,
      ),
  }),
]
