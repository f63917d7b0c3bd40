import type { Fixtures } from '../../suites/acts.ts'
import { cancel, update } from '../../suites/acts.ts'
import { numberIn } from '../../suites/oracle/lists.ts'
import type { Fixture } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import type { Resource } from '../interface/operations.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { within } from '../wire/problems.ts'
import type { Client } from './client.ts'
import type { Counted, Params, Provider, StateName } from './provider.ts'

type CountedState = Exclude<StateName, 'pending order with id'>
type Random = (below: bigint) => bigint

/**
 * What is arranged at the start, pets last, so that no order is for one of them; how the user names some instead; and what cannot be
 * asked without it.
 */
export const STATES = {
  'pending orders': {
    first: { count: 60 },
    flag: '--pending-orders',
    asks: [cancel('pending order', ''), cancel('cancelled order', '')],
  },
  'shipped orders': { first: { count: 8 }, flag: '--shipped-orders', asks: [cancel('shipped order', '')] },
  pets: { first: { count: 40, quantity: 5 }, flag: '--pets', asks: [update('pet', '', '')] },
} as const
const ORDERED = { count: 6, quantity: 1000 }
/** What is arranged when the pending orders are used up. */
const FURTHER = { count: 40 }
/** Hundreds are arranged with at most so many setups, or not at all. */
const MOST_SETUPS = 16
/** How the search for an id that nothing has goes on. */
const [STEP, STEPS] = [1_000_003n, 400]
const unknownOrderFrom = (random: Random): bigint => 2n ** 62n - random(2n ** 60n)

/** Whether the first order id that nothing has can be this one in a run with these random numbers. A small id does not depend on them. */
export function canBeFirstUnknown(id: string, random: Random): boolean {
  const below = unknownOrderFrom(random) - BigInt(id)
  return BigInt(id) < 2n ** 61n || (below >= 0n && below < STEP * BigInt(STEPS))
}

/** The orders and pets of a run: those that the provider arranges, and those that the user named where it arranges none. */
export function fixturesOf(
  client: Client,
  provider: Provider | undefined,
  named: Readonly<Record<CountedState, readonly string[]>>,
  random: Random,
) {
  const { consent, log, signal } = client
  const name = provider?.name ?? ''
  const allNamed = new Set(Object.values(named).flat().map(canonical))
  const own: Record<CountedState, string[]> = { 'pending orders': [], 'shipped orders': [], pets: [] }
  const made: { readonly state: StateName; readonly params: Params }[] = []
  const arranged = new Set<string>()
  const warnings: string[] = []
  let failure: string | undefined
  /** States that cannot be arranged at all. */
  const declined = new Set<StateName>()

  const add = (state: StateName, ids: readonly string[], origin: Fixture['origin']) => {
    const resource = resourceOf(state)
    const ofOrder = state === 'shipped orders' ? 'shipped' : 'pending'
    const is = resource === 'pet' ? {} : { state: ofOrder as 'shipped' | 'pending' }
    const since = client.tick()
    for (const id of ids) {
      consent[resource].grant(id)
      client.fixtures.push({ resource, id, ...is, origin, since })
    }
    return ids
  }
  const warnLeft = (message: string): void =>
    void warnings.push(`${message}; what was arranged may still be in the store`)

  /** @returns the ids, or why there are none @throws {Misconfigured} if the provider handed out what the run must not use */
  const setUp = async (state: StateName, params: Params) => {
    if (!provider || declined.has(state) || signal.aborted) return { ids: [] }
    const answer = await provider.setup(state, params)
    const { ids, failed } = answer
    if (answer.declined !== undefined) return answer
    const resource = resourceOf(state)
    const isKnown = (id: string) => consent[resource].isListed(id) || arranged.has(`${resource} ${id}`)
    const foreign = ids.filter(id => isKnown(canonical(id)) && !allNamed.has(canonical(id)))
    // A teardown of what only others have would remove it. One that failed may have arranged something nevertheless.
    if (foreign.length === 0 || foreign.length < ids.length) made.push({ state, params })
    if (foreign.length > 0)
      throw new Misconfigured(
        `${name} answered "${state}" with ${resource}s that were in the store before, or that it arranged for another setup: ${foreign.slice(0, 20).join(', ')}. None of them was changed. ` +
          `Let each setup arrange ${resource}s of its own (several servers at one address must share their data), or name these with ${resource === 'pet' ? '--pets' : '--pending-orders or --shipped-orders'} if the run may change them.`,
      )
    for (const id of ids) arranged.add(`${resource} ${canonical(id)}`)
    if (failed === undefined) return { ...answer, ids: add(state, ids, 'arranged') }
    if (signal.aborted) warnLeft(`${name}: the setup of "${state}" was not awaited`)
    failure ??= failed
    declined.add(state)
    return { ids: [], declined: failed }
  }

  /** Arranges with as few setups as the provider allows: all at once, or else in smaller parts. */
  const arrange = async (state: CountedState, { count, ...more }: Counted): Promise<readonly string[]> => {
    const { first, flag, asks } = STATES[state]
    const ids: string[] = []
    const least = count > first.count ? count / MOST_SETUPS : 1
    let size = count
    let why: string | undefined
    while (ids.length < count && size >= least) {
      const some = await setUp(state, { count: Math.min(size, count - ids.length), ...more })
      why = some.declined
      ids.push(...some.ids)
      if (some.ids.length > 0) continue
      if (ids.length > 0 || why === undefined || declined.has(state)) break
      size = Math.floor(size / 2)
    }
    if (size < 1) declined.add(state)
    const need = `let ${name} arrange ${count} of "${state}", or name some with ${flag}`
    if (why !== undefined) for (const ask of asks) client.miss(ask, { reason: why, need })
    return ids
  }

  /** A function that gives the nth id that nothing has, in fixed steps downwards: ten in a row end with each of the digits. */
  const unknownFrom = (resource: Resource, ...starts: readonly bigint[]) => {
    const candidates = starts.flatMap(start =>
      Array.from({ length: STEPS }, (_, nth) => String(start - BigInt(nth) * STEP)),
    )
    const found: string[] = []
    return (nth = 0): string | undefined => {
      while (found.length <= nth && candidates.length > 0)
        found.push(...candidates.splice(0, 1).filter(consent[resource].isFree))
      return found[nth]
    }
  }

  const fixtures = {
    get canArrange(): boolean {
      return provider !== undefined && !declined.has('pending orders')
    },
    async pending(): Promise<string | undefined> {
      const { 'pending orders': rest } = own
      if (rest.length === 0 && fixtures.canArrange) rest.push(...(await arrange('pending orders', FURTHER)))
      return rest.shift()
    },
    kept: undefined as string | undefined,
    shipped: own['shipped orders'],
    get cancelled() {
      const accepted = log.exchanges.filter(
        ({ ask, response }) => ask.named === 'pending order' && !ask.refused && response?.status === 204,
      )
      return [...new Set(accepted.map(({ ask }) => ask.id).reverse())]
    },
    pets: own.pets,
    arrange: (state, count) => arrange(state, { count }),
    arrangePets: (count, quantity) => arrange('pets', { count, quantity }),
    async arrangeWithId(id) {
      if (consent.order.isTaken(String(id))) return undefined
      const [given] = (await setUp('pending order with id', { id: String(id) })).ids
      if (given === undefined || canonical(given) === String(id)) return given
      // The store may be what rounds, so the rules must not be inapplicable.
      return client.miss(cancel('pending order', given, { row: 'exact-id' }), {
        reason: `${name} was asked for an order with id ${id} and arranged ${given}`,
        need: 'let the provider state "pending order with id" arrange exactly the requested id (in JavaScript, as a string or a bigint)',
      })
    },
    unknownOrder: unknownFrom('order', unknownOrderFrom(random), 2_087_654_321n),
    unknownPet: unknownFrom('pet', 1_987_654_321n - random(100_000_000n)),
    isFree: (resource, id) => consent[resource].isFree(id),
    petOf: order => numberIn(client.lists().orders?.byId.get(canonical(order)), 'petId'),
  } satisfies Fixtures

  return {
    fixtures,
    /** Why what was arranged may still be in the store. */
    warnings,
    /**
     * Arranges what most schedules need, or takes what was named. One pending order is kept for requests that must be refused.
     * @throws {Misconfigured} if the provider failed and arranged nothing, or does not arrange in this store
     */
    async fill(pets: readonly string[], baseUrl: string): Promise<void> {
      // Orders are for pets that were arranged before (the guide for provider states says so). These are for nothing else.
      await arrange('pets', ORDERED)
      for (const state of Object.keys(STATES) as CountedState[]) {
        const ids = await arrange(state, STATES[state].first)
        const names = state === 'pets' ? pets : named[state]
        if (ids.length === 0) add(state, names, 'named')
        own[state].push(...(ids.length === 0 ? names : ids))
      }
      if (failure !== undefined && !log.fixtures.some(({ origin }) => origin === 'arranged'))
        throw new Misconfigured(failure)
      fixtures.kept = own['pending orders'].length > 1 ? own['pending orders'].shift() : undefined
      await client.look()
      const lists = Object.values(client.lists())
      const isShown = log.fixtures.some(({ id }) => lists.some(list => list?.byId.has(canonical(id))))
      if (!provider || isShown || lists.includes(undefined)) return
      // A store that shows nothing that was arranged may be another one than that of the provider. Or its lists are wrong.
      const order = await fixtures.pending()
      const answer = order === undefined ? undefined : await client.send(cancel('pending order', order))
      if (answer?.response && answer.response.status !== 204)
        throw new Misconfigured(
          `${name} arranged order ${order}, but the store at ${baseUrl} lists neither it nor anything else that was arranged. ` +
            'Check that it arranges in the store that the base URL names, and that it does so before it answers.',
        )
    },
    /** Tears down everything that was arranged. */
    async close(): Promise<void> {
      // A provider identifies a setup only by its state and parameters, so equal setups are torn down one after the other.
      const all = async () => {
        for (const { state, params } of made.splice(0).reverse())
          await provider?.teardown(state, params).catch(({ message }: Error) => warnLeft(message))
      }
      await within(provider?.limitMs ?? 0, all()).catch(() =>
        warnLeft(`${name} did not end its teardowns in time`),
      )
    },
  }
}

const resourceOf = (state: StateName): Resource => (state === 'pets' ? 'pet' : 'order')
