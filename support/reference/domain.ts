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

export const stockKey = (petId: string): string => {
  const key = canonicalDecimal(petId)
  if (key === undefined) throw new TypeError(`petId must be a JSON number, not "${petId}"`)
  return key
}

/** A number in JSON, as it is written. */
export class NumberText {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

/** An int64 in decimal digits, with a minus if negative; without plus, leading zeros, fraction or exponent. */
export const readInt64 = (text: string): bigint | undefined => {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Characters. The arithmetic on longer numbers would take too long. */
const LONGEST_NUMBER = 400

/** One exact text for each value of a JSON number: the same for `12.50`, `12.5` and `125e-1`. */
export const canonicalDecimal = (text: string): string | undefined => {
  const parts = text.length > LONGEST_NUMBER ? null : JSON_NUMBER.exec(text)
  if (!parts) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign}${significant}e${power}`
}
