import { type Exchange, property } from '../../support/authoring/index.ts'
import { type TriedId, unknownRules } from '../ids.ts'

/** The format of petId is not shown (§2), so only 32-bit integers are sent. */
const unknownUpdated = property('pets that do not exist, updated', {}, async ({ store, states }, fc) => {
  const known = states.unknownPet()
  const send = async (pet: string): Promise<Exchange | undefined> => {
    const created = states.created('pet')
    if (created?.id === pet) return created.exchange
    if (pet !== known && (created || !states.ids.pet.isFree(pet))) return undefined
    return store.updateInventory(pet, { quantity: '7' }, { step: 'a pet that does not exist' })
  }
  const actAll = async ([first = BigInt(known), ...others]: readonly bigint[]) => {
    // The first one alone: if the store accepts it, the others are not sent.
    const answers = [await send(String(first)), ...others.map(id => send(String(id)))]
    await Promise.allSettled(answers)
    const list = await store.listInventory({ step: 'after' })
    return answers.map(
      async (answer, at): Promise<TriedId> => ({
        id: String([first, ...others][at]),
        answer: await answer,
        list,
      }),
    )
  }
  return {
    examples: [BigInt(known)],
    arbitrary: fc.bigInt({ min: 1_000_000n, max: 2n ** 31n - 1n }),
    share: 0.25,
    act: async (pet: bigint) => (await actAll([pet]))[0] as Promise<TriedId>,
    actAll,
    show: (pet: bigint) => `pet ${pet}`,
  }
})

export const rules = unknownRules('updateInventory', unknownUpdated, {
  title: 'Updating a pet that does not exist answers 404',
  usually: 'The update is an upsert, which creates the pet.',
})
