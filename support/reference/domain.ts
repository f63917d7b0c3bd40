import { canonicalDecimal } from './numbers.ts'

/** Cancelling is the only transition that the interface has (§3); an order's state is in no response (§2). */
export type OrderState = 'pending' | 'shipped' | 'cancelled'

export interface Order {
  readonly id: bigint
  petId: bigint
  quantity: bigint
  shipDate: Date
  complete: boolean
  state: OrderState
}

/** How many of one pet are in stock. `petId` is a JSON number as it was written: its format is not shown (§2). */
export interface Entry {
  readonly petId: string
  quantity: bigint
}

/** Everything the store knows. Stock is kept by the value of its petId, so that 12.5 and 12.50 are one pet. */
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
  if (key === undefined) throw new TypeError(`a petId is a JSON number; "${petId}" is none`)
  return key
}
