// The main export of the package loads every locale (170 ms), this one only the base locale (10 ms).
import { faker } from '@faker-js/faker/locale/base'
import { canonical, INT64_MAX, isOrderId } from '../interface/numbers.ts'

/** Cancelling is the only transition in the interface (§3). No response shows the state (§2). */
export type OrderState = 'pending' | 'shipped' | 'cancelled'

export interface Order {
  readonly id: bigint
  petId: bigint
  quantity: bigint
  shipDate: Date
  complete: boolean
  state: OrderState
}

/** The stock of one pet. `petId` is the text of a JSON number, because its format is not shown (§2). */
export interface Entry {
  readonly petId: string
  quantity: bigint
}

/** The data of a store. The key of `stock` is the value of petId, so that 12.5 and 12.50 are one pet. */
export interface Domain {
  readonly orders: Map<bigint, Order>
  readonly stock: Map<string, Entry>
}

const ORDER = { petId: 1n, quantity: 1n, shipDate: new Date(0), complete: false, state: 'pending' } as const

export const addOrder = ({ orders }: Domain, given: Partial<Order> & Pick<Order, 'id'>): Order => {
  const order: Order = { ...ORDER, ...given }
  orders.set(order.id, order)
  return order
}

export const addEntry = ({ stock }: Domain, entry: Entry): Entry => {
  stock.set(canonical(entry.petId), entry)
  return entry
}

/** The entry of a pet, however its petId is written. */
export const entryOf = ({ stock }: Domain, petId: string | bigint): Entry | undefined =>
  stock.get(canonical(String(petId)))

/** An int64 in plain digits: without plus, leading zeros, fraction or exponent. */
export const readInt64 = (text: string): bigint | undefined => (isOrderId(text) ? BigInt(text) : undefined)

/** Dates are relative to this fixed instant, so that one seed always gives the same data. */
export const REFERENCE_DATE = new Date('2026-11-01T12:00:00Z')

const STATES = ['pending', 'pending', 'pending', 'shipped', 'shipped', 'cancelled'] as const
const STOCK = [0n, 0n, 1n, 2n, 5n, 12n, 40n, 250n]

/** Every third id is above 2^53, to expose clients that read ids as doubles. */
const manyIds = (count: number): readonly bigint[] =>
  faker.helpers
    .uniqueArray(() => BigInt(faker.number.int({ min: 1000, max: 9999 })), count)
    .map((id, n) => (n % 3 === 2 ? faker.number.bigInt({ min: 2n ** 53n + 1n, max: INT64_MAX }) : id))

/** A dozen orders in all states and eight pets, two of them sold. */
export const addDemoData = (domain: Domain, seed: number): void => {
  faker.seed(seed)
  const pets = manyIds(STOCK.length)
  for (const [n, quantity] of STOCK.entries()) addEntry(domain, { petId: String(pets[n]), quantity })
  for (const [n, id] of manyIds(2 * STATES.length).entries()) {
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
