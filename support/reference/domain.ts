import { isNumber } from 'lossless-json'
import { canonical, isInt64, toInteger } from '../interface/numbers.ts'

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
export const readInt64 = (text: string): bigint | undefined => {
  const value = toInteger(text)
  return value !== undefined && isInt64(value) && String(value) === text ? value : undefined
}

/** The longest petId in characters: the arithmetic on longer numbers would take too long. */
const LONGEST_PET_ID = 400

export const isPetId = (text: string): boolean => text.length <= LONGEST_PET_ID && isNumber(text)

/** A petId as an order has it: an int64, which may be written in another way in the inventory. */
export const petIdOfOrder = (petId: string): bigint | undefined => readInt64(canonical(petId))
