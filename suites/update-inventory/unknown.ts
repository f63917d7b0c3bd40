import fc from 'fast-check'
import {
  control,
  expectErrorBody,
  expectJsonType,
  expectStatus,
  find,
  property,
  rule,
  Violation,
} from '../../support/authoring/index.ts'

/** The format of petId is not shown (§2), so only 32-bit integers are sent. */
const unknownUpdated = property('pets that do not exist, updated', {}, async ({ store, states }) => {
  const known = states.unknownPet()
  return {
    examples: [known],
    arbitrary: fc.integer({ min: 1_000_000, max: 2 ** 31 - 1 }).map(String),
    async act(pet: string) {
      if (pet !== known && (!states.isUnknownPet(pet) || states.hasAccepted('pet'))) return undefined
      const answer = await store.updateInventory(
        pet,
        { quantity: '7' },
        { step: 'a pet that does not exist' },
      )
      return { pet, answer, list: await store.listInventory({ step: 'after' }) }
    },
    show: (pet: string) => `pet ${pet}`,
  }
})

const given = { operation: 'updateInventory', given: unknownUpdated } as const

export const rules = [
  rule({
    ...given,
    id: 'update-unknown-404',
    level: 'required',
    clause: '4.4/404',
    title: 'Updating a pet that does not exist answers 404',
    after: 'auth-valid-key-update-inventory',
    expect: seen => seen && expectStatus(seen.answer, 404),
    usually: 'The update is an upsert, which creates the pet.',
  }),
  rule({
    ...given,
    id: 'update-404-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The 404 response of updateInventory is application/json',
    after: 'update-unknown-404',
    expect: seen => seen && expectJsonType(seen.answer),
  }),
  rule({
    ...given,
    id: 'update-404-error-body',
    level: 'required',
    clause: '2/error',
    title: 'The 404 response of updateInventory has an Error body: code, message and the status 404',
    after: 'update-404-content-type',
    expect: seen => seen && expectErrorBody(seen.answer),
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
      if (!seen) return
      const { pet, answer, list } = seen
      control(list, 200, 'the inventory')
      if (find(list, 'petId', pet))
        throw new Violation(`no pet ${pet} in the inventory`, 'an entry for it', answer, list)
    },
    usually: 'The entry is created before the pet is looked up.',
  }),
]
