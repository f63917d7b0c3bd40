import type { Fixtures } from '../../suites/acts.ts'
import { cancel, update } from '../../suites/asks.ts'
import { numberIn } from '../../suites/oracle/lists.ts'
import type { Ask, Fixture } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { within } from '../wire/problems.ts'
import type { Client } from './client.ts'
import type { Provider, StateName } from './provider.ts'

type CountedState = Exclude<StateName, 'pending order with id'>
type Random = (below: bigint) => bigint

/** What is arranged at the start: pets last, so that no order is for one of them. Later schedules arrange more where they need it. */
const FIRST = { 'pending orders': 60, 'shipped orders': 8, pets: 40 } as const
/** What is arranged when the pending orders are used up. */
const FURTHER = 40
const QUANTITY = 5
/** Hundreds are arranged with at most so many setups, or not at all. */
const MOST_SETUPS = 16
/** Milliseconds that all teardowns together may take after Ctrl-C. */
const STOPPED_MS = 5_000
/** Ids that a message names. */
const SHOWN = 20

/** How the search for an id that nothing has goes on. */
const [STEP, STEPS] = [1_000_003n, 400n]
const unknownOrderFrom = (random: Random): bigint => 2n ** 62n - random(2n ** 60n)

/** Whether the first order id that nothing has can be this one in a run with these random numbers. A small id does not depend on them. */
export function canBeFirstUnknown(id: string, random: Random): boolean {
  const below = unknownOrderFrom(random) - BigInt(id)
  return BigInt(id) < 2n ** 61n || (below >= 0n && below < STEP * STEPS)
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
  const made: { readonly state: StateName; readonly params: object }[] = []
  const arranged = { order: new Set<string>(), pet: new Set<string>() }
  const warnings: string[] = []
  let failure: string | undefined
  /** States that cannot be arranged at all. */
  const declined = new Set<StateName>()
  let kept: string | undefined

  const add = (state: StateName, ids: readonly string[], origin: Fixture['origin']): void => {
    const resource = resourceOf(state)
    const is =
      state === 'pets' ? {} : ({ state: state === 'shipped orders' ? 'shipped' : 'pending' } as const)
    const since = client.tick()
    for (const id of ids) {
      consent[resource].grant(id)
      if (origin === 'arranged') arranged[resource].add(canonical(id))
      client.fixtures.push({ resource, id, ...is, origin, since })
    }
  }
  const warnLeft = (message: string): void =>
    void warnings.push(`${message}; what was arranged may still be in the store`)

  /** @returns the ids, or why there are none @throws {Misconfigured} if it handed out what the run must not use */
  const setUp = async (state: StateName, params: object): Promise<readonly string[] | string> => {
    if (!provider || declined.has(state) || signal.aborted) return ''
    client.tick()
    const answer = await provider.setup(state, params)
    if (answer.declined !== undefined) {
      if (answer.isUnauthorized) failure ??= answer.declined
      return answer.declined
    }
    const { ids, failed } = answer
    const what = `${resourceOf(state)}s`
    const { existedBefore } = consent[resourceOf(state)]
    const foreign = ids.filter(id => existedBefore(id) && !allNamed.has(canonical(id)))
    // A teardown of what only others have would remove it. One that failed may have arranged something nevertheless.
    if (foreign.length === 0 || foreign.length < ids.length) made.push({ state, params })
    if (foreign.length > 0)
      throw new Misconfigured(
        `${name} answered "${state}" with ${what} that were in the store before: ${foreign.slice(0, SHOWN).join(', ')}${foreign.length > SHOWN ? ` and ${foreign.length - SHOWN} more` : ''}. None of them was changed. ` +
          `Let it arrange ${what} of its own, or name these with ${FLAGS[state]} if the run may change them.`,
      )
    const again = ids.find(id => arranged[resourceOf(state)].has(canonical(id)))
    if (again !== undefined)
      throw new Misconfigured(
        `${name} arranged ${resourceOf(state)} ${again} for two setups. Each setup must arrange ${what} of its own, which no other setup had. (If several servers answer at one address, they must share their data.)`,
      )
    if (failed === undefined) {
      add(state, ids, 'arranged')
      return ids
    }
    if (signal.aborted) warnLeft(`${name}: the setup of "${state}" was not awaited`)
    failure ??= failed
    declined.add(state)
    return failed
  }

  /** Arranges with as few setups as the provider allows: all at once, or else in smaller parts. */
  const arrange = async (
    state: CountedState,
    count: number,
    more: object = {},
  ): Promise<readonly string[]> => {
    const ids: string[] = []
    const least = count > FIRST[state] ? count / MOST_SETUPS : 1
    for (let size = count; ids.length < count; ) {
      const answer = await setUp(state, { count: Math.min(size, count - ids.length), ...more })
      if (typeof answer !== 'string') {
        ids.push(...answer)
        continue
      }
      size = Math.floor(size / 2)
      if (answer !== '' && ids.length === 0 && size >= least && !declined.has(state)) continue
      if (size < 1) declined.add(state)
      const need = `let ${name} arrange ${count} of "${state}", or name some with ${FLAGS[state]}`
      for (const ask of answer === '' ? [] : ASKS[state]) client.miss(ask, { reason: answer, need })
      break
    }
    return ids
  }

  /** A function that gives the nth id in fixed steps downwards that nothing has. Each has another last digit. */
  const unknownFrom = (resource: 'order' | 'pet', ...starts: readonly bigint[]) => {
    const found: string[] = []
    const candidates = starts.flatMap(from =>
      Array.from({ length: Number(STEPS) }, (_, step) => from - BigInt(step) * STEP),
    )
    return (nth = 0): string | undefined => {
      while (found.length <= nth && candidates.length > 0) {
        const id = candidates.shift() as bigint
        const near = Array.from({ length: 10 }, (_, digit) => id - BigInt(digit))
        if (consent[resource].isFree(id)) found.push(...near.filter(consent[resource].isFree).map(String))
      }
      return found[nth]
    }
  }

  const fixtures: Fixtures = {
    get canArrange() {
      return provider !== undefined && !declined.has('pending orders')
    },
    async pending() {
      const { 'pending orders': rest } = own
      if (rest.length === 0 && fixtures.canArrange) rest.push(...(await arrange('pending orders', FURTHER)))
      return rest.shift()
    },
    get kept() {
      return kept
    },
    shipped: own['shipped orders'],
    get cancelled() {
      const accepted = log.exchanges.filter(
        ({ ask, response }) => ask.named === 'pending order' && !ask.refused && response?.status === 204,
      )
      return [...new Set(accepted.map(({ ask }) => ask.id).reverse())]
    },
    pets: own.pets,
    arrange: (state, count) => arrange(state, count),
    arrangePets: (count, quantity) => arrange('pets', count, { quantity }),
    async arrangeWithId(id) {
      if (consent.order.isTaken(String(id))) return undefined
      client.forgetTried(String(id))
      const answer = await setUp('pending order with id', { id: String(id) })
      const [given] = typeof answer === 'string' ? [] : answer
      if (given === undefined || canonical(given) === String(id)) return given
      // The store may be what rounds, so the rules must not be inapplicable.
      return client.miss(cancel('pending order', given, { row: 'exact-id' }), {
        reason: `${name} was asked for an order with id ${id} and arranged ${given}`,
        need: 'let the provider state "pending order with id" arrange exactly the requested id (in JavaScript, as a string or a bigint)',
      })
    },
    unknownOrder: unknownFrom('order', unknownOrderFrom(random), 2_087_654_321n),
    unknownPet: unknownFrom('pet', 1_987_654_321n - random(100_000_000n)),
    isFree: (resource, id) => consent[resource].isUnused(id),
    petOf(order) {
      const id = canonical(order)
      return numberIn(client.lastList('listOrders', list => list.byId.has(id))?.byId.get(id), 'petId')
    },
  }

  return {
    fixtures,
    /** Why what was arranged may still be in the store. */
    warnings,
    /**
     * Arranges what most schedules need, or takes what was named. One pending order is kept for requests that must be refused.
     * @throws {Misconfigured} if the provider failed, and arranged nothing
     */
    async fill(pets: readonly string[]): Promise<void> {
      for (const state of Object.keys(FIRST) as CountedState[]) {
        const ids = await arrange(state, FIRST[state], state === 'pets' ? { quantity: QUANTITY } : {})
        const names = state === 'pets' ? pets : named[state]
        if (ids.length === 0) add(state, names, 'named')
        own[state].push(...(ids.length === 0 ? names : ids))
      }
      if (failure !== undefined && !log.fixtures.some(({ origin }) => origin === 'arranged'))
        throw new Misconfigured(failure)
      kept = own['pending orders'].length > 1 ? own['pending orders'].shift() : undefined
    },
    /** Tears down everything that was arranged. @param interrupted is aborted if the user waits for the end */
    async close(limitMs: number, interrupted?: AbortSignal): Promise<void> {
      const late = new AbortController()
      const hurry = () => void setTimeout(() => late.abort(), STOPPED_MS).unref()
      if (interrupted?.aborted) hurry()
      else interrupted?.addEventListener('abort', hurry, { once: true })
      // A provider identifies a setup only by its state and parameters, so equal setups are torn down one after the other.
      const all = async () => {
        for (const { state, params } of made.splice(0).reverse())
          await provider?.teardown(state, params).catch(({ message }: Error) => warnLeft(message))
      }
      await within(limitMs, all(), late.signal).catch(() =>
        warnLeft(`${name} did not end its teardowns in time`),
      )
    },
  }
}

const resourceOf = (state: StateName) => (state === 'pets' ? 'pet' : 'order')

/** What cannot be asked without a state. */
const ASKS: Readonly<Record<CountedState, readonly Ask[]>> = {
  'pending orders': [cancel('pending order', ''), cancel('cancelled order', '')],
  'shipped orders': [cancel('shipped order', '')],
  pets: [update('pet', '', '')],
}
const FLAGS: Readonly<Record<StateName, string>> = {
  'pending orders': '--pending-orders',
  'shipped orders': '--shipped-orders',
  'pending order with id': '--pending-orders',
  pets: '--pets',
}
