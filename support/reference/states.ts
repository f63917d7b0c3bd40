import { z } from 'zod'
import { INT64_MAX, INT64_MIN } from '../interface/numbers.ts'
import type { Decisions, RequestContext } from './decisions.ts'
import { addEntry, type Domain, type Entry, entryOf, type Order, REFERENCE_DATE } from './domain.ts'
import { type Answer, jsonAnswer, parseJson, Refusal } from './http.ts'

/** Parameters of a provider state, from JSON or from a caller in the same process. */
export type StateParams = Readonly<Record<string, unknown>>

/** Ids as decimal strings. */
export type StateValues = Readonly<Record<string, readonly string[]>>

export type ProviderStates = ReturnType<typeof providerStates>

/** More than any usual page size. */
const COUNT = z.coerce.bigint().min(1n).max(1000n).default(1n)

/** The parameters of each state. Their integers may be decimal strings. */
const STATES = {
  'pending orders': z.strictObject({ count: COUNT }),
  'shipped orders': z.strictObject({ count: COUNT }),
  'pending order with id': z.strictObject({ id: z.coerce.bigint().min(INT64_MIN).max(INT64_MAX) }),
  pets: z.strictObject({ count: COUNT, quantity: z.coerce.bigint().min(0n).max(INT64_MAX).default(1n) }),
}

const REQUEST = z.object({
  state: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  // A verifier that never sends a teardown omits the action.
  action: z.enum(['setup', 'teardown']).default('setup'),
})

const accepted = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new Refusal(400, 'state_unacceptable', z.prettifyError(error))
  return data
}

/** The values of all parameters that a state has. */
const valuesOf = (state: string, params: StateParams): { id?: bigint; count?: bigint; quantity?: bigint } =>
  accepted(STATES[accepted(z.enum(Object.keys(STATES) as (keyof typeof STATES)[]), state)], params)

/** Conditions that can be arranged in the store, with the protocol of Pact's verifier. @throws {Refusal} if a condition cannot be arranged */
export const providerStates = (domain: Domain, decide: Decisions) => {
  const standing = new Map<string, (readonly (Order | Entry)[])[]>()
  const nextOrderId = free(decide.newOrderId, id => domain.orders.has(id))
  const nextPetId = free(decide.newPetId, id => entryOf(domain, id) !== undefined)
  const place = (id: bigint, isShipped: boolean, n: number): Order => {
    const of = { petId: decide.petToOrder(n, domain), quantity: n % 3 === 2 ? 2n : 1n }
    const state = isShipped ? 'shipped' : 'pending'
    return decide.placeOrder({ id, ...of, shipDate: REFERENCE_DATE, complete: isShipped, state }, domain)
  }
  /** One text for equal parameters in any sequence and spelling, so that a teardown finds its setup. */
  const keyOf = (state: string, values: object) => `${state} ${Object.values(values)}`
  return {
    setup: (state: string, params: StateParams = {}): StateValues => {
      const values = valuesOf(state, params)
      const { id, count = 1n, quantity = 1n } = values
      if (id !== undefined && domain.orders.has(id))
        throw new Refusal(409, 'id_taken', `There is an order ${id} already.`)
      const arranged = Array.from({ length: Number(count) }, (_, n) =>
        state === 'pets'
          ? addEntry(domain, { petId: nextPetId(), quantity })
          : place(id ?? nextOrderId(), state === 'shipped orders', n),
      )
      const key = keyOf(state, values)
      standing.set(key, [...(standing.get(key) ?? []), arranged])
      const ids = arranged.map(each => String('id' in each ? each.id : each.petId))
      return { [state === 'pets' ? 'petIds' : 'orderIds']: ids }
    },
    /** Removes what the oldest setup with this state and these parameters arranged. */
    teardown: (state: string, params: StateParams = {}): void => {
      const gone = new Set<object>(standing.get(keyOf(state, valuesOf(state, params)))?.shift())
      for (const [id, order] of domain.orders) if (gone.has(order)) domain.orders.delete(id)
      for (const [key, entry] of domain.stock) if (gone.has(entry)) domain.stock.delete(key)
    },
  }
}

/** Makes ids one by one, without those that are taken. */
const free = <Id>(make: (n: number) => Id, isTaken: (id: Id) => boolean) => {
  let n = 0
  return (): Id => {
    let id = make(++n)
    while (isTaken(id)) id = make(++n)
    return id
  }
}

/** The provider states over HTTP. No decision changes them, because a fault in them would prevent the run. */
export async function answerStates({ body }: RequestContext, states: ProviderStates): Promise<Answer> {
  const { state, params, action } = accepted(REQUEST, parseJson(await body()))
  return jsonAnswer(200, JSON.stringify(states[action](state, params) ?? {}))
}
