import { control, expectListed, rule } from '../../support/authoring/index.ts'
import { ownPets } from './scenarios.ts'

export const rules = [
  rule({
    id: 'list-inventory-pets-listed',
    operation: 'listInventory',
    level: 'implied',
    because: '§4.3 lists the current stock of the pets. That no pet is left out follows.',
    clause: '4.3/200',
    title: 'GET /inventory returns every pet that was arranged or named for the run',
    given: ownPets,
    after: ['inventory-pet-id-present', 'inventory-pet-id-number'],
    expect({ pets, list }) {
      control(list, 200, 'the inventory')
      expectListed(list, 'petId', pets)
    },
    usually: 'The list is cached or paged, or shows only pets that can be bought.',
  }),
]
