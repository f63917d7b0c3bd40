import { control, expectListed, rule, scenario } from '../../support/authoring/index.ts'
import { unpagedRules } from '../lists.ts'

const ownPets = scenario('list the pets of the run', { pets: 2 }, async ({ store, states }) => {
  // If pets are arranged, one of them is sold: also a profile without updates detects a store that leaves it out.
  const pets = [...(await states.pets(2)), ...(await states.pets(1, 0))]
  return { pets: [...new Set(pets)], list: await store.listInventory() }
})

export const rules = [
  rule({
    id: 'list-inventory-pets-listed',
    operation: 'listInventory',
    level: 'implied',
    clause: '4.3/200',
    because: '§4.3 lists the current stock of the pets. That no pet is left out follows.',
    title: 'GET /inventory returns every pet that was arranged or named for the run',
    given: ownPets,
    after: ['inventory-pet-id-present', 'inventory-pet-id-number'],
    expect({ pets, list }) {
      control(list, 200, 'the inventory')
      expectListed(list, 'petId', pets)
    },
    usually: 'The list is cached or paged, or leaves out pets that are sold.',
  }),
  ...unpagedRules('listInventory', {
    many: 110,
    further: [450, 450],
    arrangeFurther: states => states.extraPets,
    facts: {
      level: 'implied',
      because:
        '§4.3 has no parameters and lists the current stock of the pets. Without a way to ask for a next page, no pet can be left out.',
      clause: '4.3/200',
      title: 'GET /inventory returns every pet, also if there are more than 100',
      after: 'list-inventory-pets-listed',
      usually: 'The database layer or a paging library has a default page size.',
    },
  }),
]
