import type { Answer } from './answer.ts'
import { jsonAnswer } from './answering.ts'
import { bearerToken, equalInConstantTime } from './authentication.ts'
import type { Decisions } from './decisions.ts'
import { REFERENCE_DATE } from './demo.ts'
import {
  addEntry,
  addOrder,
  type Domain,
  type Entry,
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

/** Ids are JSON integers if a double holds them exactly, else decimal strings. */
export type StateValues = Readonly<Record<string, readonly (number | string)[]>>

/** Conditions that can be arranged in the store, with the protocol of Pact's verifier. @throws {Refusal} if a condition cannot be arranged */
export interface ProviderStates {
  readonly setup: (state: string, params?: StateParams) => StateValues
  /** Removes what the oldest setup with this state and these parameters arranged. */
  readonly teardown: (state: string, params?: StateParams) => void
}

const unacceptable = (message: string): Refusal => new Refusal(400, 'state_unacceptable', message)

/** Integers may be JSON integers or decimal strings. */
const textOf = (value: unknown): string => {
  if (value instanceof NumberText) return value.source
  return typeof value === 'object' ? '' : String(value)
}

const DAY = 24 * 60 * 60 * 1000

const asValue = (id: bigint | string): number | string => {
  const value = Number(id)
  return Number.isSafeInteger(value) && String(value) === String(id) ? value : String(id)
}

/** The parameters of each state. */
const STATES: Readonly<Record<string, readonly Parameter[]>> = {
  'pending orders': ['count'],
  'shipped orders': ['count'],
  'pending order with id': ['id'],
  pets: ['count', 'quantity'],
}

type Parameter = keyof typeof PARAMETERS

/** The largest count is more than any usual page size. */
const PARAMETERS = {
  count: { least: 1n, most: 1000n, fallback: 1n },
  quantity: { least: 0n, most: INT64_MAX, fallback: 1n },
  id: { least: INT64_MIN, most: INT64_MAX, fallback: undefined },
} as const

const read = (params: StateParams, name: Parameter): bigint => {
  const { least, most, fallback } = PARAMETERS[name]
  const given = params[name]
  const value = given === undefined ? fallback : readInt64(textOf(given))
  if (value === undefined || value < least || value > most) {
    throw unacceptable(`The parameter "${name}" must be an integer from ${least} to ${most}.`)
  }
  return value
}

/** One text for equal parameters in any sequence and spelling, so that a teardown finds its setup. */
const keyOf = (state: string, params: StateParams): string => {
  const known: readonly string[] | undefined = Object.hasOwn(STATES, state) ? STATES[state] : undefined
  if (!known) throw unacceptable(`No such state. This store arranges: ${Object.keys(STATES).join(', ')}.`)
  const unknown = Object.keys(params).find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw unacceptable(`The state takes ${known.join(' and ')}; it has no parameter "${unknown}".`)
  }
  return `${state} ${known.map(name => textOf(params[name]))}`
}

export const providerStates = (domain: Domain, decide: Decisions): ProviderStates => {
  let orders = 0
  let pets = 0
  const freeOrderId = (): bigint => {
    let id = decide.newOrderId(++orders)
    while (domain.orders.has(id)) id = decide.newOrderId(++orders)
    return id
  }
  const freePetId = (): string => {
    let id = decide.newPetId(++pets)
    while (domain.stock.has(stockKey(id))) id = decide.newPetId(++pets)
    return id
  }
  const place = (id: bigint, state: OrderState, n = 0): Order => {
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
  }
  const arrange = (
    state: string,
    params: StateParams,
  ): { orders?: readonly Order[]; pets?: readonly Entry[] } => {
    if (state === 'pending order with id') {
      const id = read(params, 'id')
      if (domain.orders.has(id)) throw new Refusal(409, 'id_taken', `There is an order ${id} already.`)
      return { orders: [place(id, 'pending')] }
    }
    const numbers = [...Array(Number(read(params, 'count'))).keys()]
    if (state !== 'pets') {
      const orderState = state === 'shipped orders' ? 'shipped' : 'pending'
      return { orders: numbers.map(n => place(freeOrderId(), orderState, n)) }
    }
    const quantity = read(params, 'quantity')
    return { pets: numbers.map(() => addEntry(domain, { petId: freePetId(), quantity })) }
  }
  const standing = new Map<string, ReturnType<typeof arrange>[]>()
  return {
    setup: (state, params = {}) => {
      const key = keyOf(state, params)
      const arranged = arrange(state, params)
      standing.set(key, [...(standing.get(key) ?? []), arranged])
      return {
        ...(arranged.orders && { orderIds: arranged.orders.map(({ id }) => asValue(id)) }),
        ...(arranged.pets && { petIds: arranged.pets.map(({ petId }) => asValue(petId)) }),
      }
    },
    teardown: (state, params = {}) => {
      const { orders = [], pets = [] } = standing.get(keyOf(state, params))?.shift() ?? {}
      for (const order of orders) if (domain.orders.get(order.id) === order) domain.orders.delete(order.id)
      for (const entry of pets) {
        const key = stockKey(entry.petId)
        if (domain.stock.get(key) === entry) domain.stock.delete(key)
      }
    },
  }
}

/** A petId as an order has it: an int64, which may be written in another way in the inventory. */
const wholeNumber = (petId: string): bigint | undefined => {
  const [digits = '', power = '0'] = stockKey(petId).split('e')
  const zeros = Number(power)
  return zeros >= 0 && zeros < 19 ? readInt64(digits + '0'.repeat(zeros)) : undefined
}

/** Orders are for this many of the newest pets. */
const PETS_ORDERED = 6

export const provisioning = {
  open: () => {},
  newOrderId: n => 10_000n + BigInt(n),
  newPetId: n => String(500 + n),
  petToOrder(n, { stock }) {
    const pets = [...stock.values()].slice(-PETS_ORDERED).flatMap(({ petId }) => wholeNumber(petId) ?? [])
    return pets[n % pets.length] ?? 2000n
  },
  placeOrder: (order, domain) => void addOrder(domain, order),
} satisfies Partial<Decisions>

const perform = (states: ProviderStates, body: unknown): StateValues => {
  if (!isObject(body) || typeof body.state !== 'string') {
    throw unacceptable('Send {"state": "pending orders", "params": {"count": 1}, "action": "setup"}.')
  }
  const params: unknown = body.params ?? {}
  if (!isObject(params)) throw unacceptable('"params" must be an object.')
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

/** The answer to a refused request that no decision changes. */
export const plainly = ({ code, message, status, headers }: Refusal): Answer =>
  jsonAnswer(status, JSON.stringify({ code, message, status }), headers)

/** The provider states over HTTP. No decision changes them, because a fault in them would prevent the run. */
export const answerStates = async (
  body: StoreRequest['body'],
  headers: Headers,
  states: ProviderStates,
  token: string | undefined,
): Promise<Answer> => {
  try {
    if (token !== undefined && !equalInConstantTime(bearerToken(headers) ?? '', token)) throw keyInvalid()
    return jsonAnswer(200, JSON.stringify(perform(states, parseJson(await readBody(body, headers)))))
  } catch (error) {
    if (error instanceof Refusal) return plainly(error)
    throw error
  }
}
