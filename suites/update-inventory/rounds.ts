import type { Exchange, StoreActs } from '../../support/authoring/index.ts'

export interface Round<Answer> {
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
): Promise<readonly Round<Answer>[]> {
  const arranged = await states.extraPets(count)
  const pets = arranged.length > 0 ? arranged : await states.pets(1)
  const tried: Round<Answer>[] = []
  let before = await store.listInventory({ step: 'before' })
  for (let at = 0; at < items.length; at += pets.length) {
    const round = items.slice(at, at + pets.length)
    const sent = await Promise.all(
      round.map(async (item, n) => ({ pet: pets[n] ?? '', answer: await send(item, pets[n] ?? '') })),
    )
    const after = await store.listInventory({ step: 'after these updates' })
    for (const each of sent) tried.push({ ...each, before, after })
    before = after
  }
  return tried
}
