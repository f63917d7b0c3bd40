import { control, expectListed, rule } from '../../support/authoring/index.ts'
import { ownPets } from './scenarios.ts'

export const rules = [
  rule({
    id: 'list-inventory-pets-listed',
    operation: 'listInventory',
    level: 'implied',
    because: '§4.3 lists the stock of the pets; that it leaves none out follows.',
    clause: '4.3/200',
    title: 'Each pet of the run is in the inventory',
    given: ownPets,
    after: ['inventory-pet-id-present', 'inventory-pet-id-number'],
    expect({ pets, list }) {
      control(list, 200, 'the inventory')
      expectListed(list, 'petId', pets)
    },
    usually: 'The list is cached, paged, or shows what can be bought.',
  }),
]
