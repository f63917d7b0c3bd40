import type { Arranged } from '../access/provider.ts'
import type { Sender } from '../access/sender.ts'
import { canonical } from '../http/decimal.ts'
import type { Exchange } from '../http/exchange.ts'
import type { OperationId, Resource } from '../interface/operations.ts'
import { Misconfigured, NotApplicable, NotArranged } from '../judge/outcome.ts'
import type { ClientParts, StoreClient, Unanswered } from './client.ts'
import type { Consent, Created, Units } from './consent.ts'
import type { CountedState, Fixtures, Taken } from './fixtures.ts'
import type { Misapplied, NamedStock } from './named-stock.ts'
import type { StateName } from './needs.ts'

/** What a scenario acts with. */
export interface Acts {
  readonly store: StoreClient
  readonly states: States
  /** Every list of the run so far that was fetched with the key and an ordinary request. */
  lists(operation: OperationId): readonly Exchange[]
  /** The requests of the operation that have got no complete response so far. */
  unanswered(operation: OperationId): readonly Unanswered[]
  /** How many requests may be in flight at once. Where it is one, nothing is simultaneous. */
  simultaneous(): number
}

/** How scenarios get the conditions that they need. A scenario may change only the orders and pets that it gets here. */
export interface States {
  pendingOrder(): Promise<string>
  pendingOrders(count: number): Promise<string[]>
  /** Further pending orders if they can be arranged, else none. Named orders are not used for this. */
  extraOrders(count: number): Promise<string[]>
  /** Pending orders, or pets. @throws {NotApplicable} without a states endpoint or module, because named ids are too few */
  many(resource: Resource, count: number): Promise<string[]>
  shippedOrder(): Promise<string>
  /** Shipped orders if they can be arranged, else a named one that other scenarios use as well, if there is one. */
  someShippedOrders(count: number): Promise<string[]>
  /**
   * The pending orders that the run has cancelled. None if the first one was cancelled twice: each further acceptance may have cancelled
   * an order of others instead, as `splice(-1, 1)` does.
   */
  cancelledOrders(): readonly string[]
  /** What the cancellations of the run so far may return to the stock (§3 leaves it open). */
  returns(): readonly Units[]
  /** @throws {NotApplicable} if ids cannot be chosen @throws {NotArranged} if the id was rounded */
  orderWithId(id: bigint): Promise<string>
  /** Pets that belong to the scenario until it ends. Their stock is then restored. Only arranged pets have the given quantity. */
  pets(count: number, quantity?: number): Promise<string[]>
  /** The first update of a named pet that the store did not make as it was sent. No further one is sent to that pet. */
  misapplied(): Misapplied | undefined
  /** Like extraOrders, for changes that it may be impossible to restore. */
  extraPets(count: number): Promise<string[]>
  /**
   * The id of no order, far from those of existing orders: the same one for all scenarios. If the store has created an order, its id.
   * @throws {NotArranged} if the list could not be read
   */
  unknownOrder(): string
  /** What was arranged so far or named, and no scenario may change by the way. Without named pets that the run does not change any more. */
  owned(): ReturnType<Fixtures['owned']>
  /** Whether no request to cancel has named this order, with a key or without one. */
  isUntouched(order: string): boolean
  /** Resolves when every setup that was started has ended and its ids are known. */
  settled(): Promise<void>
  unknownPet(): string
  /** The first thing that did not exist, and that the store has changed or created. */
  created(resource: Resource): Created | undefined
  /** Whether an order was named, not arranged. Its state may have changed since. */
  isNamed(order: string): boolean
  /** What is known about the ids of orders and of pets. */
  readonly ids: Readonly<Record<Resource, Pick<Consent['order'], 'allows' | 'isUnused' | 'isFar' | 'isFree'>>>
}

/** What all scenarios of a run share. */
export interface AccessParts {
  readonly fixtures: Fixtures
  readonly consent: Consent
  /** The pending orders that scenarios were given, in their canonical form. */
  readonly pending: Set<string>
  readonly namedStock: NamedStock
  readonly sender: Sender
  /** A source of random integers for each use. */
  integers(use: string): (below: bigint) => bigint
  lists(operation: OperationId): readonly Exchange[]
  unanswered(operation: OperationId): readonly Unanswered[]
  clientFor(scenario: string, parts?: Partial<ClientParts>): StoreClient
  warn(message: string): void
}

/** One scenario's access to the store. */
export interface ScenarioAccess extends Acts {
  /** Restores what the scenario changed, and releases its named pets. Never throws. */
  end(): Promise<void>
}

/** Time limit for restoring the stock after a scenario, including all waits that the store asks for. */
export const RESTORE_MS = 60_000

/** A store may return the units of a cancelled order later, with a job or an event. */
const RETURN_MS = 2_000

export function scenarioAccess(parts: AccessParts, scenario: string): ScenarioAccess {
  const { fixtures, consent, namedStock, pending, integers, clientFor, sender } = parts
  const { beforeChange, afterChange } = namedStock
  let earliest = 0
  const store = clientFor(scenario, { beforeChange, afterChange, notBefore: () => earliest })
  let hasNamed = false
  const taken: Promise<unknown>[] = []
  const take = async <Answer extends Taken | Arranged>(
    state: StateName,
    from: () => Promise<Answer>,
  ): Promise<Answer> => {
    if (consent.readOnly) throw new NotArranged('the run is read-only', 'run without --read-only')
    const answer = await from().catch(error => {
      // An earlier setup was successful, so the run continues.
      if (error instanceof Misconfigured)
        throw new NotArranged(error.message, `let ${fixtures.name} arrange "${state}"`)
      throw error
    })
    if (state.startsWith('pending') && 'ids' in answer)
      for (const id of answer.ids) pending.add(canonical(id))
    return answer
  }
  const takeArranged = (state: CountedState, count: number): Promise<Arranged> =>
    take(state, () => fixtures.takeArranged(scenario, state, count))
  const extra = async (state: CountedState, count: number): Promise<string[]> => {
    if (consent.readOnly) return []
    const answer = await takeArranged(state, count)
    return 'ids' in answer ? [...answer.ids] : []
  }
  const arrangedOrNamed = async (
    state: CountedState,
    count: number,
    quantity?: number,
  ): Promise<string[]> => {
    const answer = await take(state, () => fixtures.take(scenario, state, count, quantity))
    if ('ids' in answer) return [...answer.ids]
    const noun = state.slice(0, -1)
    throw new NotArranged(
      answer.declined ||
        `it needs ${plural(count, noun)}${state === 'pets' ? ' whose stock may be changed' : ''}`,
      `name ${plural(answer.missing, `more ${noun}`)} (--${state.replace(' ', '-')})${otherwise(answer.declined)}`,
    )
  }

  /** The requests of the scenario wait for units that cancelled orders may return to the stock of these pets. */
  const awaitReturns = (ids: readonly string[]): void => {
    const own = new Set(ids.map(canonical))
    const times = consent.returns.flatMap(({ petId = '', cancelledAt }) =>
      own.has(petId) ? [cancelledAt + RETURN_MS] : [],
    )
    earliest = Math.max(earliest, ...times)
  }

  const pets: States['pets'] = async (count, quantity) => {
    const ids = await arrangedOrNamed('pets', count, quantity)
    awaitReturns(ids)
    // Arranged pets belong to the run and are removed at teardown, so only the stock of named ones is restored.
    if (ids.some(pet => !fixtures.isArranged('pet', pet))) {
      hasNamed = true
      await namedStock.take(store, ids)
    }
    return ids
  }

  /** The same for all scenarios, so that a store that creates what it does not find creates one order and one pet at most. */
  const random = integers('unknown ids')
  const [away, around] = [random(2n ** 60n), random(AROUND)]

  const states: States = {
    pendingOrders: count => arrangedOrNamed('pending orders', count),
    pendingOrder: async () => (await arrangedOrNamed('pending orders', 1))[0] as string,
    shippedOrder: async () => (await arrangedOrNamed('shipped orders', 1))[0] as string,
    async someShippedOrders(count) {
      const arranged = await extra('shipped orders', count)
      return arranged.length > 0 || consent.readOnly ? arranged : [...fixtures.sharedShipped()]
    },
    // Another spelling of an id may have been answered 204 without an effect.
    cancelledOrders() {
      const [first, second] = consent.cancelled
      return first === second ? [] : consent.cancelled.filter(id => pending.has(id))
    },
    returns: () => [...consent.returns],
    extraOrders: count => extra('pending orders', count),
    async many(resource, count) {
      const state = resource === 'order' ? 'pending orders' : 'pets'
      const answer = await takeArranged(state, count)
      if ('ids' in answer) return [...answer.ids]
      if (fixtures.name === undefined)
        throw new NotApplicable(
          `it needs ${count} ${resource}s, which only a states endpoint or module can arrange`,
        )
      throw new NotArranged(answer.declined, `let the provider state "${state}" arrange ${count}`)
    },
    async orderWithId(id) {
      const answer = await take('pending order with id', () => fixtures.orderWithId(String(id)))
      if (!('ids' in answer)) {
        throw new NotApplicable(
          answer.declined ||
            'it needs an order whose id is chosen, which only a states endpoint or module can arrange',
        )
      }
      const [given = ''] = answer.ids
      if (canonical(given) === String(id)) return given
      const instead = `${fixtures.name} was asked for an order with id ${id} and arranged ${given}`
      // The store may be what rounds, so a run must not pass without this order.
      if (Number(given) === Number(id))
        throw new NotArranged(
          `${instead}, which is the same as a double`,
          'let the provider state "pending order with id" arrange exactly the requested id (in JavaScript, as a string or a bigint)',
        )
      throw new NotApplicable(instead)
    },
    pets(count, quantity) {
      const taking = pets(count, quantity)
      taken.push(taking)
      return taking
    },
    misapplied: () => namedStock.misapplied,
    extraPets: count => extra('pets', count),
    owned() {
      const { pets, ...orders } = fixtures.owned()
      return { ...orders, pets: pets.filter(pet => !namedStock.isLeft(pet)) }
    },
    isUntouched: consent.order.isUntouched,
    unknownOrder() {
      const hitsOursAtMost = (id: bigint) => consent.order.allows(String(id))
      // If an order has the largest id of 32 bits, a store that clamps would take every larger id for it.
      return (
        consent.firstCreated('order')?.id ??
        search(2n ** 62n - away, consent.order.isFree, ACROSS_32_BITS) ??
        search(2_087_654_321n - around, consent.order.isFree) ??
        search(2n ** 62n - away, hitsOursAtMost, ACROSS_32_BITS) ??
        raiseUnreadable('order', 'GET /store/orders')
      )
    },
    settled: fixtures.settled,
    unknownPet() {
      // Within 32 bits: which numbers a pet's id can be is not shown.
      return (
        consent.firstCreated('pet')?.id ??
        search(1_987_654_321n - around, consent.pet.isFree) ??
        raiseUnreadable('pet', 'GET /inventory')
      )
    },
    created: consent.firstCreated,
    isNamed: order => !fixtures.isArranged('order', order),
    ids: consent,
  }
  return {
    store,
    states,
    simultaneous: () => sender.scheduler.places,
    lists: parts.lists,
    unanswered: parts.unanswered,
    async end() {
      // If the scenario threw, it may still be waiting for pets, or for responses to requests that would change the restored stock.
      await Promise.allSettled(taken)
      await sender.settled(scenario)
      try {
        // Only one scenario at a time has named pets. Even a run that was stopped restores what it changed.
        if (hasNamed) await namedStock.restore(clientFor(scenario, { last: AbortSignal.timeout(RESTORE_MS) }))
      } catch (error) {
        parts.warn(
          `the stock that the scenario "${scenario}" changed could not be restored: ${(error as Error).message}`,
        )
      } finally {
        await fixtures.release(scenario)
      }
    },
  }
}

/** Unknown ids of 32 bits begin at most this far below a fixed one, far above the ids of most stores. */
const AROUND = 100_000_000n

/** A store that cuts ids to 32 bits may take an id for a small one, so the search goes through all of the 32 bits. */
const ACROSS_32_BITS = 16_000_057n

/** The first free id in fixed steps downwards; undefined if no id is known to be free. */
function search(from: bigint, isFree: (id: bigint) => boolean, step = 1_000_003n): string | undefined {
  for (let id = from; id > from - 400n * step; id -= step) if (isFree(id)) return String(id)
  return undefined
}

function raiseUnreadable(what: string, request: string): never {
  throw new NotArranged(
    `no ${what} id is known to be unused, because the list could not be read`,
    `fix ${request} first`,
  )
}

/** If the provider declined this state, its reason is part of the instruction. */
const otherwise = (declined: string): string =>
  declined === '' ? ', or give a states endpoint (--states-url)' : `, or fix this: ${declined}`

const plural = (count: number, noun: string): string => (count === 1 ? `one ${noun}` : `${count} ${noun}s`)
