import type { Answer, AnswerHeader } from './answer.ts'
import { bearerToken, equalInConstantTime } from './authentication.ts'
import type { Decisions, Provisioning } from './decisions.ts'
import { REFERENCE_DATE } from './demo.ts'
import {
  addEntry,
  addOrder,
  type Domain,
  INT64_MAX,
  INT64_MIN,
  NumberText,
  type Order,
  type OrderState,
  readInt64,
  stockKey,
} from './domain.ts'
import { keyInvalid, Refusal } from './refusal.ts'
import { readBody, type StoreRequest } from './store-request.ts'
import { isObject, parseJson } from './updating.ts'

/** Parameters of a provider state, from JSON or from a caller in the same process. */
export type StateParams = Readonly<Record<string, unknown>>

const unacceptable = (message: string): Refusal => new Refusal(400, 'state_unacceptable', message)

/** Integers may be JSON integers or decimal strings. */
const textOf = (value: unknown): string | undefined => {
  if (value instanceof NumberText) return value.source
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined
}

const readWithin = (
  params: StateParams,
  name: string,
  fallback: bigint | undefined,
  [least, most]: readonly [bigint, bigint],
): bigint => {
  const given = params[name]
  const value = given === undefined ? fallback : readInt64(textOf(given) ?? '')
  if (value === undefined || value < least || value > most) {
    throw unacceptable(`The parameter "${name}" must be an integer from ${least} to ${most}.`)
  }
  return value
}

/** More than any usual page size. */
const MOST_AT_ONCE = 1000n

const readCount = (params: StateParams): number => Number(readWithin(params, 'count', 1n, [1n, MOST_AT_ONCE]))

const readStock = (params: StateParams): bigint => readWithin(params, 'quantity', 1n, [0n, INT64_MAX])

const readId = (params: StateParams): bigint => readWithin(params, 'id', undefined, [INT64_MIN, INT64_MAX])

const refuseUnknown = (params: StateParams, known: readonly string[]): void => {
  const unknown = Object.keys(params).find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw unacceptable(`The state takes ${known.join(' and ')}; it has no parameter "${unknown}".`)
  }
}

/** One text for equal parameters in any sequence and spelling, so that a teardown finds its setup. */
const parametersKey = (params: StateParams): string =>
  JSON.stringify(
    Object.entries(params)
      .map(([name, value]) => [name, textOf(value) ?? null])
      .sort(),
  )

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
  throw new Refusal(409, 'ids_exhausted', 'The store has no free id left.')
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
    throw new Refusal(409, 'id_taken', `There is an order ${id} already.`)
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

/** The newest pets. Orders are for existing pets. */
const petsToOrder = ({ stock }: Domain): readonly bigint[] =>
  [...stock.values()]
    .slice(-PETS_ORDERED)
    .flatMap(({ petId }) => (/^-?[0-9]{1,18}$/.test(petId) ? [BigInt(petId)] : []))

const PETS_ORDERED = 6

export const provisioning: Provisioning = {
  open: () => {},
  newOrderId: n => 10_000n + BigInt(n),
  newPetId: n => String(500 + n),
  petToOrder(n, domain) {
    const pets = petsToOrder(domain)
    return pets[n % pets.length] ?? 2000n
  },
  placeOrder: (order, domain) => void addOrder(domain, order),
}

const isParams = (value: unknown): value is StateParams => isObject(value)

const perform = (states: ProviderStates, body: unknown): StateValues => {
  if (!isObject(body) || typeof body.state !== 'string') {
    throw unacceptable('Send {"state": "pending orders", "params": {"count": 1}, "action": "setup"}.')
  }
  const params = body.params ?? {}
  if (!isParams(params)) throw unacceptable('"params" must be an object.')
  // A verifier that never sends a teardown omits the action.
  switch (body.action ?? 'setup') {
    case 'setup':
      return states.setup(body.state, params)
    case 'teardown':
      states.teardown(body.state, params)
      return {}
    default:
      throw unacceptable('"action" must be "setup" or "teardown".')
  }
}

const json = (status: number, value: unknown, headers: readonly AnswerHeader[] = []): Answer => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body: Buffer.from(JSON.stringify(value)),
})

/** The answer to a refused request that no decision changes. */
export const plainly = ({ code, message, status, headers }: Refusal): Answer =>
  json(status, { code, message, status }, headers)

/** The provider states over HTTP. No decision changes them, because a fault in them would prevent the run. */
export const answerStates = async (
  body: StoreRequest['body'],
  headers: Headers,
  {
    states,
    statesToken: token,
  }: { readonly states: ProviderStates; readonly statesToken: string | undefined },
): Promise<Answer> => {
  try {
    if (token !== undefined && !equalInConstantTime(bearerToken(headers) ?? '', token)) throw keyInvalid()
    return json(200, perform(states, parseJson(await readBody(body, headers))))
  } catch (error) {
    if (error instanceof Refusal) return plainly(error)
    throw error
  }
}
