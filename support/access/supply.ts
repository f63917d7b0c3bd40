import { canonical } from '../http/decimal.ts'
import { type Exchange, isSuccess } from '../http/exchange.ts'
import { listIn } from '../http/read-json.ts'
import { type Arranger, WrongIds } from './arranging.ts'
import type { StoreClient } from './client.ts'
import type { Consent } from './consent.ts'
import { Misconfigured } from './misconfigured.ts'
import { type Needs, type NeedyScenario, needsOf } from './needs.ts'
import type { Arranged, Declined } from './provider.ts'

/** The stock with which pets are arranged. */
export const ARRANGED_QUANTITY = 5

/** The provider states that arrange any number of orders or pets. */
export const COUNTED_STATES = ['pending orders', 'shipped orders', 'pets'] as const
export type CountedState = (typeof COUNTED_STATES)[number]

/** The orders and pets of a run, arranged with one setup for each state and dealt to the scenarios. */
export interface Supply {
  /** How messages name the provider. */
  readonly name: string
  /**
   * Arranges what the scenarios need together, one spare pending order, and at least one pet, to detect a wrong configuration.
   * @throws {Misconfigured} if nothing can be arranged, or an order or pet was arranged twice
   */
  fill(): Promise<void>
  /** What `fill` arranged, by state. */
  readonly filled: Readonly<Record<CountedState, readonly string[]>>
  /** Takes from what was arranged for the scenario. What is missing is arranged now. */
  take(scenario: string, state: CountedState, count: number): Promise<Arranged>
  /** Arranges pets that have this stock. */
  petsWith(quantity: number, count: number): Promise<Arranged>
  orderWithId(id: string): Promise<Arranged>
  /** The stock with which the pet was arranged, or undefined if it was not. */
  quantityOf(petId: string): string | undefined
  /** Every pet and every shipped order that was arranged so far, in canonical form. */
  readonly pets: readonly string[]
  readonly shipped: readonly string[]
}

export function supply(arranger: Arranger, consent: Consent, scenarios: readonly NeedyScenario[]): Supply {
  const hands = new Map<string, Record<CountedState, string[]>>()
  const filled: Record<CountedState, readonly string[]> = {
    'pending orders': [],
    'shipped orders': [],
    pets: [],
  }
  const quantities = new Map<string, string>()
  const shipped = new Set<string>()
  /** The answer for each state that could never be arranged. It is not requested again. */
  const refusals = new Map<CountedState, Declined | Misconfigured>()

  const arrangedOrders = new Set<string>()
  const arrangedPets = new Set<string>()
  const arrange = async (state: CountedState, count: number, quantity = ARRANGED_QUANTITY) => {
    if (state !== 'pets') {
      const answer = await arranger.arrange(state, { count })
      if ('ids' in answer) {
        expectNew(arranger.name, arrangedOrders, answer.ids, 'order')
        for (const id of answer.ids) consent.grantOrder(id)
        if (state === 'shipped orders') for (const id of answer.ids) shipped.add(canonical(id))
      }
      return answer
    }
    const answer = await arranger.arrange(state, { count, quantity })
    if ('ids' in answer) {
      expectNew(arranger.name, arrangedPets, answer.ids, 'pet')
      for (const id of answer.ids) {
        consent.grantPet(id)
        quantities.set(canonical(id), String(quantity))
      }
    }
    return answer
  }

  /** Arranges with as few setups as the provider allows: all at once, or else in halves. */
  const arrangeMany = async (state: CountedState, count: number): Promise<string[]> => {
    const ids: string[] = []
    let size = count
    while (ids.length < count) {
      const answer = await arrange(state, Math.min(size, count - ids.length)).catch(onlyMisconfigured)
      if ('ids' in answer) {
        ids.push(...answer.ids)
        continue
      }
      if (ids.length > 0) break
      if (size === 1 || answer instanceof Misconfigured) {
        refusals.set(state, answer)
        break
      }
      size = Math.ceil(size / 2)
    }
    return ids
  }

  /** Arranges with a few setups, because a provider may decline a large number. */
  const arrangeInParts = async (
    state: CountedState,
    count: number,
    least = Math.max(20, count / 16),
  ): Promise<Arranged> => {
    const answer = await arrange(state, count)
    if ('ids' in answer || count <= least) return answer
    const half = Math.ceil(count / 2)
    const first = await arrangeInParts(state, half, least)
    if (!('ids' in first)) return answer
    const second = await arrangeInParts(state, count - half, least)
    return 'ids' in second ? { ids: [...first.ids, ...second.ids] } : answer
  }

  const fillWith = async (state: CountedState): Promise<void> => {
    const counts = scenarios.map(({ needs }) => countIn(needs as Needs, state))
    const total = counts.reduce((sum, count) => sum + count, 0)
    const least = { 'pending orders': total + 1, 'shipped orders': total, pets: Math.max(total, 1) }
    filled[state] = await arrangeMany(state, least[state])
  }

  const deal = (): void => {
    const pools = Object.fromEntries(COUNTED_STATES.map(state => [state, [...filled[state]]]))
    for (const scenario of scenarios) {
      const dealt = (state: CountedState) => pools[state]?.splice(0, countIn(needsOf(scenario), state)) ?? []
      hands.set(scenario.title, {
        'pending orders': dealt('pending orders'),
        'shipped orders': dealt('shipped orders'),
        pets: dealt('pets'),
      })
    }
  }

  return {
    name: arranger.name,
    filled,
    async fill() {
      await Promise.all([fillWith('pending orders'), fillWith('shipped orders')])
      // After the orders, so that no arranged order is for an arranged pet.
      await fillWith('pets')
      if (COUNTED_STATES.every(state => filled[state].length === 0)) expectUsable([...refusals.values()])
      deal()
    },
    async take(scenario, state, count) {
      const hand = hands.get(scenario)?.[state] ?? []
      if (hand.length >= count) return { ids: hand.splice(0, count) }
      const refusal = refusals.get(state)
      if (refusal instanceof Misconfigured) throw refusal
      if (refusal) return refusal
      const answer = await arrangeInParts(state, count - hand.length)
      return 'ids' in answer ? { ids: [...hand.splice(0), ...answer.ids] } : answer
    },
    petsWith: (quantity, count) => arrange('pets', count, quantity),
    async orderWithId(id) {
      const answer = await arranger.arrange('pending order with id', { id })
      if (!('ids' in answer)) return answer
      expectNew(arranger.name, arrangedOrders, answer.ids, 'order')
      for (const given of answer.ids) consent.grantOrder(given)
      return answer
    },
    quantityOf: petId => quantities.get(canonical(petId)),
    get pets() {
      return [...quantities.keys()]
    },
    get shipped() {
      return [...shipped]
    },
  }
}

function countIn(needs: Needs, state: CountedState): number {
  const { pendingOrders = 0, extraOrders = 0, shippedOrders = 0, pets = 0, extraPets = 0 } = needs
  if (state === 'pets') return pets + extraPets
  return state === 'pending orders'
    ? pendingOrders + extraOrders
    : shippedOrders + (needs.someShippedOrders ?? 0)
}

function onlyMisconfigured(error: unknown): Misconfigured {
  if (error instanceof Misconfigured && !(error instanceof WrongIds)) return error
  throw error
}

/** @throws {Misconfigured} if a state failed, or each was answered 401 */
function expectUsable(refusals: readonly (Declined | Misconfigured)[]): void {
  const failure = refusals.find(refusal => refusal instanceof Misconfigured)
  if (failure) throw failure
  const declined = refusals.flatMap(refusal => (refusal instanceof Misconfigured ? [] : [refusal]))
  const [first] = declined
  if (first && declined.every(({ unauthorised }) => unauthorised)) throw new Misconfigured(first.declined)
}

function expectNew(name: string, known: Set<string>, ids: readonly string[], what: string): void {
  for (const id of ids) {
    if (known.has(canonical(id)))
      throw new WrongIds(
        `${name} arranged ${what} ${id} for two setups. Each setup must arrange ${what}s of its own, which no other setup had. (If several servers answer at one address, they must share their data.)`,
      )
    known.add(canonical(id))
  }
}

/** Of two servers behind one address, one would answer all of these in one run of 128. */
const CONNECTIONS = 8

/**
 * Looks for the arranged orders and pets in both lists. If neither list shows any, it looks on several new connections, because a
 * store may answer differently on each, and then cancels one of the orders.
 * @returns what to warn of
 * @throws {Misconfigured} if none of them is in the store
 */
export async function expectInStore(
  { name, filled }: Supply,
  store: StoreClient,
  baseUrl: string,
): Promise<string | undefined> {
  const arranged = [...filled['pending orders'], ...filled['shipped orders']]
  const isHidden = async (options: { readonly connection?: 'fresh' }): Promise<boolean> => {
    const [orders, inventory] = await Promise.all([
      store.listOrders({ step: 'are the arranged orders listed?', ...options }),
      store.listInventory({ step: 'are the arranged pets listed?', ...options }),
    ])
    return showsAny(orders, 'id', arranged) === false && showsAny(inventory, 'petId', filled.pets) === false
  }
  if (!(await isHidden({}))) return undefined
  const looks = Array.from({ length: CONNECTIONS }, () => isHidden({ connection: 'fresh' }))
  if ((await Promise.all(looks)).includes(false))
    return `${baseUrl} lists what ${name} arranged on some connections and not on others, as several servers with separate data would behind one address`
  const spare = filled['pending orders'].at(-1)
  if (spare === undefined) return undefined
  const step = 'no list shows what was arranged: is this order in the store?'
  if (isSuccess(await store.cancelOrder(spare, { step }))) return undefined
  throw new Misconfigured(
    `${name} arranged order ${spare} and pet ${filled.pets[0]}, but the store at ${baseUrl} lists neither, nor anything else that was arranged. ` +
      'Check that it arranges in the store that the base URL names, and that it does so before it answers.',
  )
}

/** Undefined if nothing was arranged, or the list cannot be read. */
function showsAny({ response }: Exchange, name: string, ids: readonly string[]): boolean | undefined {
  const list = listIn(response)
  return list && ids.length > 0 ? ids.some(id => list.find(name, id) !== undefined) : undefined
}
