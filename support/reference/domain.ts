import { isNumber, splitNumber } from 'lossless-json'

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

export const addOrder = (domain: Domain, order: Order): Order => {
  domain.orders.set(order.id, order)
  return order
}

export const addEntry = (domain: Domain, entry: Entry): Entry => {
  domain.stock.set(stockKey(entry.petId), entry)
  return entry
}

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

/** An int64 in decimal digits, with a minus if negative; without plus, leading zeros, fraction or exponent. */
export const readInt64 = (text: string): bigint | undefined => {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}

/** The longest petId in characters: the arithmetic on longer numbers would take too long. */
const LONGEST_PET_ID = 400

export const isPetId = (text: string): boolean => text.length <= LONGEST_PET_ID && isNumber(text)

/** One exact text for each value of a JSON number: the same for `12.50`, `12.5` and `125e-1`. */
export const stockKey = (petId: string): string => {
  const { sign, digits, exponent } = splitNumber(petId)
  return `${sign}${digits}e${exponent}`
}

/** A petId as an order has it: an int64, which may be written in another way in the inventory. */
export const petIdOfOrder = (petId: string): bigint | undefined => {
  const { sign, digits, exponent } = splitNumber(petId)
  const isInteger = exponent < 19 && digits.length <= exponent + 1
  return isInteger ? readInt64(sign + digits.padEnd(exponent + 1, '0')) : undefined
}
