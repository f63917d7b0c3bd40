import {
  control,
  expectComplete,
  expectListed,
  expectStatus,
  lastOf,
  NotApplicable,
  rule,
  scenario,
  sendUntilComplete,
} from '../../support/authoring/index.ts'

const ownPets = scenario('list the pets of the run', { pets: 2 }, async ({ store, states }) => {
  const pets = await states.pets(2)
  return { pets, list: await store.listInventory() }
})

/** More than the usual default page sizes: 10, 20, 25, 50, 100. */
const MANY = 110

/** With these, more than the usual limits: 200, 500 and 1,000 pets. A provider state may arrange fewer at once. */
const FURTHER = [450, 450] as const

const manyPets = scenario('list more than 1,000 pets', { turn: 'long lists' }, async ({ store, states }) => {
  const pets = await states.extraPets(MANY)
  const further: string[] = []
  for (const count of FURTHER) further.push(...(await states.extraPets(count)))
  const answers = await sendUntilComplete(store.listInventory)
  return { pets, further, answers, list: lastOf(answers) }
})

const all = { operation: 'listInventory', level: 'implied', clause: '4.3/200' } as const

const unpaged = {
  ...all,
  because:
    '§4.3 has no parameters and lists the current stock of the pets. Without a way to ask for a next page, no pet can be left out.',
  given: manyPets,
} as const

export const rules = [
  rule({
    ...all,
    id: 'list-inventory-pets-listed',
    because: '§4.3 lists the current stock of the pets. That no pet is left out follows.',
    title: 'GET /inventory returns every pet that was arranged or named for the run',
    given: ownPets,
    after: ['inventory-pet-id-present', 'inventory-pet-id-number'],
    expect({ pets, list }) {
      control(list, 200, 'the inventory')
      expectListed(list, 'petId', pets)
    },
    usually: 'The list is cached or paged, or shows only pets that can be bought.',
  }),
  rule({
    ...unpaged,
    id: 'list-inventory-unpaged',
    title: 'GET /inventory returns every pet, also if there are more than 100',
    after: 'list-inventory-pets-listed',
    expect({ pets, answers, list }) {
      if (pets.length === 0)
        throw new NotApplicable('it needs 110 pets, which no states endpoint or module arranged')
      expectComplete(answers, '200')
      expectStatus(list, 200)
      expectListed(list, 'petId', pets)
    },
    usually: 'The database layer or a paging library has a default page size.',
  }),
  rule({
    ...unpaged,
    id: 'list-inventory-unpaged-1000',
    title: 'GET /inventory returns every pet, also if there are more than 1,000',
    after: 'list-inventory-unpaged',
    expect({ pets, further, list }) {
      const wanted = [...pets, ...further]
      if (wanted.length < 1_000)
        throw new NotApplicable(`the provider states arranged ${wanted.length} pets, and 1,010 are needed`)
      expectStatus(list, 200)
      expectListed(list, 'petId', wanted)
    },
    usually: 'A limit on the rows of a query or on the size of a response.',
  }),
]
