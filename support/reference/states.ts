import type { Decisions } from './decisions.ts'
import { REFERENCE_DATE } from './demo.ts'
import { addEntry, type Domain, type Order, type OrderState, stockKey } from './domain.ts'
import {
  parametersKey,
  readCount,
  readId,
  readStock,
  refuseUnknown,
  type StateParams,
  unacceptable,
} from './parameters.ts'
import { Refusal } from './refusal.ts'

/** Ids are JSON integers if a double holds them exactly, else decimal strings. */
export type StateValues = Readonly<Record<string, readonly (number | string)[]>>

/** Conditions that can be arranged in the store, with the protocol of Pact's verifier. @throws {Refusal} if a condition cannot be arranged */
export interface ProviderStates {
  readonly setup: (state: string, params?: StateParams) => StateValues
  /** Removes what the oldest setup with this state and these parameters arranged. */
  readonly teardown: (state: string, params?: StateParams) => void
}

interface Arrangement {
  readonly values: StateValues
  readonly undo: () => void
}

interface State {
  readonly takes: readonly string[]
  readonly arrange: (params: StateParams) => Arrangement
}

const DAY = 24 * 60 * 60 * 1000

const asValue = (id: string): number | string => {
  const value = Number(id)
  return Number.isSafeInteger(value) && String(value) === id ? value : id
}

/** The first free id of a series. */
const firstFree = <Id>(next: () => Id, taken: (id: Id) => boolean): Id => {
  for (let tries = 0; tries < 10_000; tries += 1) {
    const id = next()
    if (!taken(id)) return id
  }
  throw new Refusal({ status: 409, code: 'ids_exhausted', message: 'The store has no free id left.' })
}

/** The store of the arrangements. */
type Arranging = { readonly domain: Domain; readonly decide: Decisions }

const placeOrders = (
  { domain, decide }: Arranging,
  state: OrderState,
  ids: readonly bigint[],
): Arrangement => {
  const placed = ids.map((id, n): Order => {
    const order = {
      id,
      petId: decide.petToOrder(n, domain),
      quantity: n % 3 === 2 ? 2n : 1n,
      shipDate: new Date(REFERENCE_DATE.getTime() + (state === 'shipped' ? -DAY : DAY) * (1 + (n % 14))),
      complete: state === 'shipped',
      state,
    }
    decide.placeOrder(order, domain)
    return order
  })
  return {
    values: { orderIds: ids.map(id => asValue(String(id))) },
    undo: () => {
      for (const order of placed) if (domain.orders.get(order.id) === order) domain.orders.delete(order.id)
    },
  }
}

const stockPets = (domain: Domain, quantity: bigint, petIds: readonly string[]): Arrangement => {
  const stocked = petIds.map(petId => addEntry(domain, { petId, quantity }))
  return {
    values: { petIds: petIds.map(asValue) },
    undo: () => {
      for (const entry of stocked) {
        const key = stockKey(entry.petId)
        if (domain.stock.get(key) === entry) domain.stock.delete(key)
      }
    },
  }
}

const statesOf = (store: Arranging): Readonly<Record<string, State>> => {
  const { domain, decide } = store
  let orders = 0
  let pets = 0
  const orderIds = (count: number): readonly bigint[] => {
    const ids = new Set<bigint>()
    const taken = (id: bigint) => domain.orders.has(id) || ids.has(id)
    while (ids.size < count) ids.add(firstFree(() => decide.newOrderId(++orders), taken))
    return [...ids]
  }
  const petIds = (count: number): readonly string[] => {
    const ids = new Map<string, string>()
    const taken = (id: string) => domain.stock.has(stockKey(id)) || ids.has(stockKey(id))
    while (ids.size < count) {
      const id = firstFree(() => decide.newPetId(++pets), taken)
      ids.set(stockKey(id), id)
    }
    return [...ids.values()]
  }
  const oneOrder = (id: bigint): Arrangement => {
    if (!domain.orders.has(id)) return placeOrders(store, 'pending', [id])
    throw new Refusal({ status: 409, code: 'id_taken', message: `There is an order ${id} already.` })
  }
  return {
    'pending orders': {
      takes: ['count'],
      arrange: params => placeOrders(store, 'pending', orderIds(readCount(params))),
    },
    'shipped orders': {
      takes: ['count'],
      arrange: params => placeOrders(store, 'shipped', orderIds(readCount(params))),
    },
    'pending order with id': { takes: ['id'], arrange: params => oneOrder(readId(params)) },
    pets: {
      takes: ['count', 'quantity'],
      arrange: params => {
        const quantity = readStock(params)
        return stockPets(domain, quantity, petIds(readCount(params)))
      },
    },
  }
}

export const providerStates = (domain: Domain, decide: Decisions): ProviderStates => {
  const states = statesOf({ domain, decide })
  const standing = new Map<string, (() => void)[]>()
  const find = (name: string): State => {
    const state = Object.hasOwn(states, name) ? states[name] : undefined
    if (state) return state
    throw unacceptable(`No such state. This store arranges: ${Object.keys(states).join(', ')}.`)
  }
  return {
    setup: (name, params = {}) => {
      const state = find(name)
      refuseUnknown(params, state.takes)
      const { values, undo } = state.arrange(params)
      const key = `${name} ${parametersKey(params)}`
      standing.set(key, [...(standing.get(key) ?? []), undo])
      return values
    },
    teardown: (name, params = {}) => {
      find(name)
      standing.get(`${name} ${parametersKey(params)}`)?.shift()?.()
    },
  }
}
