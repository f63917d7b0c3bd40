import {
  CantTell,
  type Exchange,
  expectJson,
  expectStatus,
  find,
  isJsonObject,
  type JsonObject,
  member,
  NotApplicable,
  numberOf,
  quantityIn,
  type StoreActs,
  scenario,
  show,
  stockIn,
  Violation,
} from '../../support/authoring/index.ts'

export interface Replacement {
  readonly quantity: string
  readonly answer: Exchange
  readonly list: Exchange
}

const ARRANGED = 5n

/** A quantity that any store accepts. The limits of quantity are not shown (§4.4). */
const isOrdinary = (quantity: bigint): boolean => quantity >= 0n && quantity < 1000n

/** Higher and lower, the same again, to 0, from 0, and back, with a list after each update. */
const replaced = scenario(
  'the stock of a pet, replaced several times',
  { pets: 2, turn: 'first update' },
  async ({ store, states }) => {
    const pets = await states.pets(2).catch(error => {
      if (states.misapplied()) return []
      throw error
    })
    const misapplied = states.misapplied()
    if (misapplied) {
      const { quantity, answer, list, ...rest } = misapplied
      return { ...rest, steps: [{ quantity, answer, list }], back: undefined }
    }
    const [pet = '', bystander = ''] = pets
    const before = await store.listInventory({ step: 'before' })
    const listed = stockIn(before, pet)
    // A pet that is not listed is updated nevertheless. list-inventory-pets-listed reports that it is missing.
    const start = listed ?? ARRANGED
    const replace = async (quantity: bigint, step: string): Promise<Replacement> => ({
      quantity: String(quantity),
      answer: await store.updateInventory(pet, { quantity: String(quantity) }, { step }),
      list: await store.listInventory({ step: `after ${quantity}` }),
    })
    const first = isOrdinary(start) && isOrdinary(start + 7n) ? start + 7n : 11n
    const steps: Replacement[] = []
    for (const quantity of [first, 3n, 3n, 0n, 1n]) steps.push(await replace(quantity, `to ${quantity}`))
    return {
      pet,
      bystander,
      before,
      steps,
      back:
        listed !== undefined && isOrdinary(listed) ? await replace(listed, `back to ${listed}`) : undefined,
    }
  },
)

type Seen = { readonly steps: readonly Replacement[] }

export const given = { operation: 'updateInventory', given: replaced } as const

export const [FIRST, ZERO, FROM_ZERO] = [0, 3, 4] as const

export function stepAt({ steps }: Seen, at: number): Replacement {
  const step = steps[at]
  if (!step) throw new CantTell('the scenario ended before this step')
  return step
}

/** The answers with 200. update-200 and others report another status. */
export const answered200 = ({ steps }: Seen): Exchange[] =>
  steps.map(({ answer }) => answer).filter(({ response }) => response?.status === 200)

/** The entry in the body of the response. */
export function entryIn(exchange: Exchange): JsonObject {
  const { value } = expectJson(exchange)
  if (isJsonObject(value)) return value
  throw new Violation('an inventory entry', show(value), exchange)
}

export function expectQuantity(step: Replacement): void {
  expectStatus(step.answer, 200)
  if (member(entryIn(step.answer), 'quantity') === undefined) throw notShown('quantity')
  expectSaid(step)
}

/** Only status is stated to be in every entry (§2). update-entry-whole reports the other fields. */
export const notShown = (name: string): NotApplicable =>
  new NotApplicable(`the entry that updateInventory returned has no ${name}`)

export function says({ answer, quantity }: Replacement): boolean {
  const entry = entryIn(answer)
  return member(entry, 'quantity') === undefined || numberOf(entry, 'quantity') === quantity
}

export function expectSaid(step: Replacement): void {
  const { answer, quantity } = step
  if (!says(step))
    throw new Violation(`quantity ${quantity}`, show(member(entryIn(answer), 'quantity') ?? null), answer)
}

export function expectListedStock(pet: string, { answer, list, quantity }: Replacement): void {
  if (!find(list, 'petId', pet)) return
  const listed = quantityIn(list, pet)
  if (String(listed) !== quantity)
    throw new Violation(`quantity ${quantity} of pet ${pet} in the list`, String(listed), answer, list)
}

export function expectLabel(entry: JsonObject, quantity: string, exchange: Exchange): void {
  const status = member(entry, 'status')
  const expected = quantity === '0' ? 'sold' : 'available'
  if (status !== expected)
    throw new Violation(`status "${expected}" at quantity ${quantity}`, show(status ?? null), exchange)
}

/** What was sent, and what came of it. */
export type Round<Item, Answer = Exchange> = Item & {
  readonly pet: string
  readonly answer: Answer
  /** The inventory before and after all updates that were sent at the same time. */
  readonly before: Exchange
  readonly after: Exchange
}

/**
 * Updates that do not depend on each other. Each is sent to a pet of its own, many at the same time and with one list afterwards. If no
 * further pets can be arranged, they are sent one after the other to the same pet.
 */
export async function inRounds<Item, Answer>(
  { store, states }: StoreActs,
  items: readonly Item[],
  send: (item: Item, pet: string) => Promise<Answer>,
  /** Extra pets in the needs of the scenario. */
  count: number,
): Promise<readonly Round<Item, Answer>[]> {
  const arranged = await states.extraPets(count)
  const pets = arranged.length > 0 ? arranged : await states.pets(1)
  const tried: Round<Item, Answer>[] = []
  let before = await store.listInventory({ step: 'before' })
  for (let at = 0; at < items.length; at += pets.length) {
    const round = items.slice(at, at + pets.length)
    const sent = await Promise.all(
      round.map(async (item, n) => {
        const pet = pets[n] ?? ''
        return { ...item, pet, answer: await send(item, pet) }
      }),
    )
    const after = await store.listInventory({ step: 'after these updates' })
    for (const each of sent) tried.push({ ...each, before, after })
    before = after
  }
  return tried
}
