import type { Faker, LocaleDefinition } from '@faker-js/faker'
// The main export of the package loads every locale (170 ms), this one only the base locale (10 ms).
import { faker as neutral } from '@faker-js/faker/locale/base'
import { addEntry, addOrder, type Domain } from './domain.ts'

const FakerClass = neutral.constructor as new (options: { locale: LocaleDefinition; seed: number }) => Faker

/** Dates are relative to this fixed instant, so that one seed always gives the same data. */
export const REFERENCE_DATE = new Date('2026-11-01T12:00:00Z')

const STATES = ['pending', 'pending', 'pending', 'shipped', 'shipped', 'cancelled'] as const
const STOCK = [0n, 0n, 1n, 2n, 5n, 12n, 40n, 250n]

/** Every third id is above 2^53, to expose clients that read ids as doubles. */
const manyIds = ({ number, helpers }: Faker, count: number): readonly bigint[] =>
  helpers
    .uniqueArray(() => BigInt(number.int({ min: 1000, max: 9999 })), count)
    .map((id, n) => (n % 3 === 2 ? number.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n - 1n }) : id))

/** A dozen orders in all states and eight pets, two of them sold. */
export const addDemoData = (domain: Domain, seed: number): void => {
  const faker = new FakerClass({ locale: neutral.rawDefinitions, seed })
  const pets = manyIds(faker, STOCK.length)
  for (const [n, quantity] of STOCK.entries()) addEntry(domain, { petId: String(pets[n]), quantity })
  for (const [n, id] of manyIds(faker, 2 * STATES.length).entries()) {
    const state = STATES[n % STATES.length] ?? 'pending'
    addOrder(domain, {
      id,
      petId: faker.helpers.arrayElement(pets),
      quantity: BigInt(faker.number.int({ min: 1, max: 5 })),
      shipDate: faker.date[state === 'shipped' ? 'recent' : 'soon']({ days: 14, refDate: REFERENCE_DATE }),
      complete: state === 'shipped' && faker.datatype.boolean(),
      state,
    })
  }
}
