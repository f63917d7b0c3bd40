import { canonicalDecimal } from './numbers.ts'

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

export const emptyDomain = (): Domain => ({ orders: new Map(), stock: new Map() })

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
