import { type Arranged, type Declined, type Provider, WrongCount } from '../access/provider.ts'
import type { NeedyScenario } from '../access/scheduler.ts'
import { canonical } from '../http/decimal.ts'
import { within } from '../http/within.ts'
import type { Resource } from '../interface/operations.ts'
import { expectRunning, Misconfigured } from '../judge/outcome.ts'
import type { Consent } from './consent.ts'
import { type Needs, needsOf, type SetupParams, type StateName } from './needs.ts'

/** The stock with which pets are arranged. */
export const ARRANGED_QUANTITY = 5

/** The provider states that arrange any number of orders or pets. */
export const COUNTED_STATES = ['pending orders', 'shipped orders', 'pets'] as const
export type CountedState = (typeof COUNTED_STATES)[number]

/** Ids for a scenario, or why there are none. `missing`: how many more must be named for all scenarios together. */
export type Taken = { readonly ids: readonly string[] } | (Declined & { readonly missing: number })

export type Fixtures = ReturnType<typeof fixtures>

export interface FixturesOptions {
  /** Arranges provider states. */
  readonly provider?: Provider | undefined
  /** What the user named. */
  readonly named: {
    readonly pendingOrders?: readonly string[] | undefined
    readonly shippedOrders?: readonly string[] | undefined
    /** Read when a scenario gets them, because the pets for `any` are known only once the inventory has been read. */
    pets(): readonly string[]
    /** @throws {CantTell} if the pets for `any` could not be read */
    expectPetsKnown?(): void
  }
  readonly consent: Consent
  readonly scenarios: readonly NeedyScenario[]
  /** Limit of all teardowns together. */
  readonly limitMs: number
  /** Once it is aborted, no setup is sent any more. */
  readonly signal?: AbortSignal | undefined
  /** Called with the message of each teardown that failed. */
  warn(message: string): void
  /** Called once what was in the store before is handed out. The run must not change anything any more. */
  stop(reason: Misconfigured): void
}

interface Setup {
  readonly state: StateName
  readonly params: SetupParams[StateName]
}

/** After this many consecutive setups without a usable answer, the run sends no further setup. */
const MAX_FAILURES = 3

/** The provider handed out what the run must not use, so that violations might not be the store's, or data would be lost. */
class WrongIds extends Misconfigured {}

/** Milliseconds that all teardowns together may take after Ctrl-C. */
const STOPPED_MS = 5_000

/**
 * The orders and pets of a run. Those that are arranged are set up for all scenarios at once, assigned to them, and torn down when the
 * run ends. Those that the user named are assigned in the order of the suite, whichever scenario runs first.
 */
export function fixtures({
  provider,
  named,
  consent,
  scenarios,
  limitMs,
  signal,
  warn,
  stop,
}: FixturesOptions) {
  const name = provider?.name ?? ''
  const made: Setup[] = []
  const settingUp = new Set<Promise<unknown>>()
  const failures: Misconfigured[] = []
  let wrong: Misconfigured | undefined
  const arranged: Readonly<Record<Resource, Set<string>>> = { order: new Set(), pet: new Set() }
  const shipped = new Set<string>()
  const filled: Record<CountedState, readonly string[]> = {
    'pending orders': [],
    'shipped orders': [],
    pets: [],
  }
  const totalOf = (count: (needs: Needs) => number): number =>
    scenarios.reduce((total, each) => total + count(needsOf(each)), 0)
  /** Assigns as many of the ids to each scenario as it needs, in the order of the suite. */
  const shared = (ids: readonly string[], count: (needs: Needs) => number): Map<string, string[]> => {
    const rest = [...ids]
    return new Map(scenarios.map(each => [each.title, rest.splice(0, count(needsOf(each)))]))
  }
  /** What was arranged for each scenario. */
  const shares: Partial<Record<CountedState, Map<string, string[]>>> = {}
  /** The answer for each state that could never be arranged. It is not requested again. */
  const refusals = new Map<CountedState, Declined | Misconfigured>()

  /** @throws {WrongIds} if what was in the store before is among the ids. What was arranged beside it is torn down */
  const expectArranged = (setup: Setup, ids: readonly string[]): void => {
    const resource = setup.state === 'pets' ? 'pet' : 'order'
    const foreign = ids.filter(id => consent[resource].isForeign(id))
    if (foreign.length === 0) return
    if (foreign.length < ids.length) made.push(setup)
    wrong ??= new WrongIds(foreignText(name, setup.state, foreign))
    stop(wrong)
    throw wrong
  }

  const arrange = async (state: StateName, params: SetupParams[StateName]): Promise<Arranged> => {
    if (!provider) return { declined: '' }
    if (wrong) throw wrong
    expectRunning(signal)
    const [failure] = failures
    if (failure && failures.length >= MAX_FAILURES) throw failure
    const answering = provider.setup(state, params)
    settingUp.add(answering)
    try {
      const answer = await answering.catch(error => {
        if (error instanceof WrongCount) expectArranged({ state, params }, error.answered)
        // An answer that came too late or had too few ids may have arranged something nevertheless.
        if (error instanceof Misconfigured) made.push({ state, params })
        if (signal?.aborted)
          warn(`${name}: the setup of "${state}" was not awaited; what it arranges may still be in the store`)
        throw error
      })
      failures.length = 0
      if (!('ids' in answer)) return answer
      const resource = state === 'pets' ? 'pet' : 'order'
      expectArranged({ state, params }, answer.ids)
      made.push({ state, params })
      expectNew(name, arranged[resource], answer.ids, resource)
      for (const id of answer.ids) arranged[resource].add(canonical(id))
      if (state === 'shipped orders') for (const id of answer.ids) shipped.add(canonical(id))
      return granted(resource, answer.ids)
    } catch (error) {
      if (error instanceof Misconfigured) failures.push(error)
      throw error
    } finally {
      settingUp.delete(answering)
    }
  }
  const arrangeCount = (state: CountedState, count: number, quantity = ARRANGED_QUANTITY) =>
    arrange(state, state === 'pets' ? { count, quantity } : { count })

  /** Arranges with as few setups as the provider allows: all at once, or else in halves that are not smaller than `least`. */
  const arrangeMany = async (state: CountedState, count: number, least: number) => {
    const ids: string[] = []
    let size = count
    while (ids.length < count) {
      const answer = await arrangeCount(state, Math.min(size, count - ids.length)).catch(onlyMisconfigured)
      if ('ids' in answer) ids.push(...answer.ids)
      else if (ids.length > 0 || size <= least || answer instanceof Misconfigured)
        return { ids, refusal: answer }
      else size = Math.ceil(size / 2)
    }
    return { ids, refusal: undefined }
  }

  const takeArranged = async (scenario: string, state: CountedState, count: number): Promise<Arranged> => {
    const own = shares[state]?.get(scenario) ?? []
    if (own.length >= count) return { ids: own.splice(0, count) }
    const refusal = refusals.get(state)
    if (refusal instanceof Misconfigured) throw refusal
    if (refusal) return refusal
    // A scenario that needs hundreds does without them rather than wait for many setups.
    const least = Math.max(20, count / 16)
    const { ids, refusal: problem } = await arrangeMany(state, count - own.length, least)
    own.push(...ids)
    if (problem instanceof Misconfigured) throw problem
    return problem ?? { ids: own.splice(0, count) }
  }

  /** The named orders of all scenarios, and one more, which no scenario changes. */
  const namedOrders = (ids: readonly string[] = [], need: 'pendingOrders' | 'shippedOrders') => {
    const count = (needs: Needs) => needs[need] ?? 0
    const total = totalOf(count)
    const shares = shared(ids, count)
    return { shares, last: ids.slice(0, total + 1).at(-1), missing: Math.max(total - ids.length, 1) }
  }
  const orders = {
    'pending orders': namedOrders(named.pendingOrders, 'pendingOrders'),
    'shipped orders': namedOrders(named.shippedOrders, 'shippedOrders'),
  }
  const namedPets = () => [...new Map(named.pets().map(id => [canonical(id), id])).values()]
  /** The named pets of each scenario that asked for some, which wait until the one before has released them. */
  const petsOf = new Map<string, { readonly ids: Promise<readonly string[]>; release(): void }>()
  let released = Promise.resolve()
  const assignPets = (scenario: string) => {
    const before = released
    let release = () => {}
    released = new Promise(resolve => {
      release = resolve
    })
    const assigned = { ids: before.then(namedPets), release }
    petsOf.set(scenario, assigned)
    return assigned
  }
  const wantedPets = Math.max(0, ...scenarios.map(each => needsOf(each).pets ?? 0))

  const takeNamed = async (
    scenario: string,
    state: CountedState,
    count: number,
    declined: string,
  ): Promise<Taken> => {
    if (state !== 'pets') {
      const { shares, missing } = orders[state]
      const share = shares.get(scenario) ?? []
      return share.length >= count ? granted('order', share.splice(0, count)) : { declined, missing }
    }
    const pets = await (petsOf.get(scenario) ?? assignPets(scenario)).ids
    if (pets.length < count) named.expectPetsKnown?.()
    return pets.length >= count
      ? granted('pet', pets.slice(0, count))
      : { declined, missing: Math.max(wantedPets, count) - pets.length }
  }
  const granted = (resource: Resource, ids: readonly string[]) => {
    ids.forEach(consent[resource].grant)
    return { ids }
  }

  return {
    /** How messages name the provider of the states. Undefined if ids are only named. */
    name: provider?.name,
    /** What `fill` arranged. */
    filled: filled as Readonly<typeof filled>,
    /**
     * Arranges what the scenarios need together, one spare pending order, and at least one pet, to detect a wrong configuration.
     * @throws {Misconfigured} if nothing can be arranged, or an order or pet was arranged twice
     */
    async fill(): Promise<void> {
      if (!provider) return
      const fillWith = async (state: CountedState) => {
        const total = totalOf(needs => countIn(needs, state))
        const least = { 'pending orders': total + 1, 'shipped orders': total, pets: Math.max(total, 1) }
        const { ids, refusal } = await arrangeMany(state, least[state], 1)
        filled[state] = ids
        if (refusal && ids.length === 0) refusals.set(state, refusal)
      }
      await Promise.all([fillWith('pending orders'), fillWith('shipped orders')])
      // After the orders, so that no arranged order is for an arranged pet.
      await fillWith('pets')
      if (COUNTED_STATES.every(state => filled[state].length === 0)) expectUsable([...refusals.values()])
      for (const state of COUNTED_STATES)
        shares[state] = shared(filled[state], needs => countIn(needs, state))
    },
    /**
     * Arranged orders or pets, or else named ones. A named order is used once, and the named pets by one scenario at a time.
     * @param quantity the stock of the pets, if they are arranged
     */
    async take(scenario: string, state: CountedState, count: number, quantity?: number): Promise<Taken> {
      const answer = await (quantity === undefined
        ? takeArranged(scenario, state, count)
        : arrangeCount(state, count, quantity))
      return 'ids' in answer ? answer : takeNamed(scenario, state, count, answer.declined)
    },
    /** Arranged orders or pets. What was not arranged for the scenario before is arranged now. */
    takeArranged,
    orderWithId(id: string): Promise<Arranged> {
      consent.order.request(id)
      return arrange('pending order with id', { id })
    },
    /** A named shipped order, if there is one. Other scenarios use it as well: refused cancellations do not change it. */
    sharedShipped(): readonly string[] {
      const { last } = orders['shipped orders']
      return last === undefined ? [] : granted('order', [last]).ids
    },
    /** Every pet and order that was arranged so far or named. Of the named pets, those that scenarios use. */
    owned: () => ({
      pets: [...arranged.pet, ...namedPets().slice(0, wantedPets)],
      shipped: [...shipped, ...(named.shippedOrders ?? [])],
      pending: [...[...arranged.order].filter(id => !shipped.has(id)), ...(named.pendingOrders ?? [])],
    }),
    isArranged: (resource: Resource, id: string): boolean => arranged[resource].has(canonical(id)),
    /** Resolves when every setup that was started has ended. */
    settled: async () => void (await Promise.allSettled(settingUp)),
    /** Lets the next scenario have the named pets. */
    async release(scenario: string): Promise<void> {
      const assigned = petsOf.get(scenario)
      if (!assigned) return
      petsOf.delete(scenario)
      await assigned.ids
      assigned.release()
    },
    /** Tears down everything that was arranged. @param interrupted is aborted if the user waits for the end */
    async close(interrupted?: AbortSignal): Promise<void> {
      await Promise.allSettled(settingUp)
      if (!provider) return
      // A provider identifies a setup only by its state and parameters, so equal setups are torn down one after the other.
      const turns = new Map<string, Promise<void>>()
      for (const setup of made.splice(0)) {
        const key = JSON.stringify(setup)
        const before = turns.get(key) ?? Promise.resolve()
        turns.set(
          key,
          before
            .then(() => provider.teardown(setup.state, setup.params))
            .catch(({ message }: Error) => warn(message)),
        )
      }
      const late = new AbortController()
      const hurry = () => void setTimeout(() => late.abort(), STOPPED_MS).unref()
      if (interrupted?.aborted) hurry()
      else interrupted?.addEventListener('abort', hurry, { once: true })
      await within(limitMs, Promise.all(turns.values()), late.signal).catch(() => {
        const limit = late.signal.aborted ? `${STOPPED_MS} ms after Ctrl-C` : `${limitMs} ms`
        warn(`${name} did not end its teardowns within ${limit}; what it arranged may still be in the store`)
      })
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

function expectNew(name: string, known: ReadonlySet<string>, ids: readonly string[], what: string): void {
  const again = ids.find(id => known.has(canonical(id)))
  if (again !== undefined)
    throw new WrongIds(
      `${name} arranged ${what} ${again} for two setups. Each setup must arrange ${what}s of its own, which no other setup had. (If several servers answer at one address, they must share their data.)`,
    )
}

/** Ids that a message names. */
const NAMED = 20

function foreignText(name: string, state: StateName, foreign: readonly string[]): string {
  const what = state === 'pets' ? 'pets' : 'orders'
  const more = foreign.length > NAMED ? ` and ${foreign.length - NAMED} more` : ''
  const flag = { pets: '--pets', 'shipped orders': '--shipped-orders' }[state as string] ?? '--pending-orders'
  return (
    `${name} answered "${state}" with ${what} that were in the store before: ${foreign.slice(0, NAMED).join(', ')}${more}. None of them was changed. ` +
    `Let it arrange ${what} of its own, or name these with ${flag} if the run may change them.`
  )
}
