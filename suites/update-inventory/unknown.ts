import {
  control,
  type Exchange,
  expectErrorBody,
  expectJsonType,
  expectStatus,
  find,
  NotApplicable,
  property,
  rule,
  Violation,
} from '../../support/authoring/index.ts'

/** The format of petId is not shown (§2), so only 32-bit integers are sent. */
const unknownUpdated = property('pets that do not exist, updated', {}, async ({ store, states }, fc) => {
  const known = states.unknownPet()
  const send = async (pet: string): Promise<Exchange | undefined> => {
    const created = states.created('pet')
    if (created?.id === pet) return created.exchange
    if (pet !== known && (created || !states.isUnknownPet(pet))) return undefined
    return store.updateInventory(pet, { quantity: '7' }, { step: 'a pet that does not exist' })
  }
  const actAll = async ([first = BigInt(known), ...others]: readonly bigint[]) => {
    // The first one alone: if the store accepts it, the others are not sent.
    const answers = [await send(String(first)), ...others.map(id => send(String(id)))]
    await Promise.allSettled(answers)
    const list = await store.listInventory({ step: 'after' })
    return answers.map(
      async (answer, at): Promise<Updated> => ({
        pet: String([first, ...others][at]),
        answer: await answer,
        list,
      }),
    )
  }
  return {
    examples: [BigInt(known)],
    arbitrary: fc.bigInt({ min: 1_000_000n, max: 2n ** 31n - 1n }),
    share: 0.25,
    act: async (pet: bigint) => (await actAll([pet]))[0] as Promise<Updated>,
    actAll,
    show: (pet: bigint) => `pet ${pet}`,
  }
})

interface Updated {
  readonly pet: string
  /** Undefined if the update was not sent. */
  readonly answer: Exchange | undefined
  readonly list: Exchange
}

/** @throws {NotApplicable} if the id was not free */
function answerOf({ answer }: Updated): Exchange {
  if (answer) return answer
  throw new NotApplicable('the id could be mistaken for a pet that is not the run’s own')
}

const given = { operation: 'updateInventory', given: unknownUpdated } as const

export const rules = [
  rule({
    ...given,
    id: 'update-unknown-404',
    level: 'required',
    clause: '4.4/404',
    title: 'Updating a pet that does not exist answers 404',
    after: 'auth-valid-key-update-inventory',
    expect: seen => expectStatus(answerOf(seen), 404),
    usually: 'The update is an upsert, which creates the pet.',
  }),
  rule({
    ...given,
    id: 'update-404-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The 404 response of updateInventory is application/json',
    after: 'update-unknown-404',
    expect: seen => expectJsonType(answerOf(seen)),
  }),
  rule({
    ...given,
    id: 'update-404-error-body',
    level: 'required',
    clause: '2/error',
    title: 'The 404 response of updateInventory has an Error body: code, message and the status 404',
    after: 'update-404-content-type',
    expect: seen => expectErrorBody(answerOf(seen)),
  }),
  rule({
    ...given,
    id: 'update-unknown-creates-nothing',
    level: 'implied',
    because:
      '§4.4 answers 404 for a pet that does not exist. It follows that the request does not create one.',
    clause: '4.4/404',
    title: 'Updating a pet that does not exist does not create it',
    after: ['update-unknown-404', 'list-inventory-objects'],
    expect(seen) {
      const answer = answerOf(seen)
      const { pet, list } = seen
      control(list, 200, 'the inventory')
      if (find(list, 'petId', pet))
        throw new Violation(`no pet ${pet} in the inventory`, 'an entry for it', answer, list)
    },
    usually: 'The entry is created before the pet is looked up.',
  }),
]
