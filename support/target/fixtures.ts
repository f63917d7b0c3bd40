import type { Fixtures } from '../../suites/acts.ts'
import { type ListReader, numberIn } from '../../suites/oracle/lists.ts'
import type { Fixture } from '../../suites/oracle/log.ts'
import { canonical, toInteger } from '../../suites/oracle/numbers.ts'
import type { Provider } from '../access/provider.ts'
import { Misconfigured } from '../judge/outcome.ts'
import type { Consent } from '../store/consent.ts'
import type { Client, OpenLog } from './client.ts'

export interface FixturesOptions {
  readonly provider: Provider | undefined
  readonly named: {
    readonly pendingOrders?: readonly string[] | undefined
    readonly shippedOrders?: readonly string[] | undefined
    readonly pets: readonly string[]
  }
  readonly consent: Consent
  readonly client: Pick<Client, 'tick'>
  readonly log: OpenLog
  readonly reader: ListReader
  readonly random: (below: bigint) => bigint
  /** Called with a message about a setup or a teardown that failed. */
  readonly warn: (message: string) => void
}

/** What is arranged at the start. Later schedules arrange more where they need it. */
const FIRST = { pending: 60, shipped: 8, pets: 40, quantity: 5 } as const

/** How the search for an id that nothing has goes on. */
const [STEP, STEPS] = [1_000_003n, 400n]

const unknownOrderFrom = (random: FixturesOptions['random']): bigint => 2n ** 62n - random(2n ** 60n)

/** Whether the first order id that nothing has can be this one in a run with these random numbers. A small id does not depend on them. */
export function canBeFirstUnknown(id: string, random: FixturesOptions['random']): boolean {
  const below = unknownOrderFrom(random) - BigInt(id)
  return BigInt(id) < 2n ** 61n || (below >= 0n && below < STEP * STEPS)
}

/** The orders and pets of a run: those that the user named, or that the provider arranges. */
export function fixturesOf(options: FixturesOptions) {
  const { provider, named, consent, client, log, reader, random, warn } = options
  const pending: string[] = []
  const shipped: string[] = []
  const pets: string[] = []
  const cancelled: string[] = []
  const made: { readonly state: string; readonly params: object }[] = []
  const declined = new Map<string, string>()
  let kept: string | undefined

  const add = (resource: Fixture['resource'], ids: readonly string[], state?: Fixture['state']): void => {
    const since = client.tick()
    const origin = provider ? 'arranged' : 'named'
    for (const id of ids) {
      consent[resource].grant(id)
      log.fixtures.push({ resource, id, ...(state ? { state } : {}), origin, since })
    }
  }

  const arrange = async (state: string, params: object): Promise<readonly string[]> => {
    if (!provider || declined.has(state) || consent.readOnly) return []
    const resource = state === 'pets' ? 'pet' : 'order'
    client.tick()
    const answer = await provider.setup(state, params)
    if (!('ids' in answer)) {
      if (!('id' in params)) declined.set(state, answer.declined)
      return []
    }
    made.push({ state, params })
    const foreign = answer.ids.filter(id => consent[resource].isForeign(id))
    if (foreign.length > 0)
      throw new Misconfigured(
        `${provider.name} was asked to arrange "${state}" and answered ${foreign.slice(0, 3).join(', ')}, which existed before the run. Nothing of it is touched. Let it arrange what is new.`,
      )
    add(
      resource,
      answer.ids,
      resource === 'pet' ? undefined : state.startsWith('shipped') ? 'shipped' : 'pending',
    )
    return answer.ids
  }

  /** The nth id in fixed steps downwards from the first that nothing has. */
  const unknown = (resource: 'order' | 'pet', from: bigint, nth: number): string | undefined => {
    let found = 0
    for (let step = 0n; step < STEPS; step += 1n) {
      const id = from - step * STEP
      if (!consent[resource].isFree(String(id))) continue
      // Each with another last digit.
      const each = [...Array(10).keys()]
        .map(digit => id - BigInt(digit))
        .filter(id => consent[resource].isFree(String(id)))
      if (found + each.length > nth) return String(each[nth - found])
      found += each.length
    }
    return undefined
  }
  const firstOrder = unknownOrderFrom(random)
  const firstPet = 1_987_654_321n - random(100_000_000n)

  const fixtures: Fixtures = {
    canArrange: provider !== undefined,
    async pending() {
      if (pending.length === 0) pending.push(...(await arrange('pending orders', { count: 40 })))
      return pending.shift()
    },
    get kept() {
      return kept
    },
    shipped,
    cancelled,
    pets,
    arrange: (state, count) => arrange(state, { count }),
    arrangePets: (count, quantity) => arrange('pets', { count, quantity }),
    async arrangeWithId(id) {
      const [given] = await arrange('pending order with id', { id: String(id) })
      return given !== undefined && canonical(given) === String(id) ? given : undefined
    },
    unknownOrder: (nth = 0) => unknown('order', firstOrder, nth) ?? unknown('order', 2_087_654_321n, nth),
    unknownPet: (nth = 0) => unknown('pet', firstPet, nth),
    isFree: (resource, id) => {
      const integer = toInteger(id)
      return consent[resource].isUnused(id) && (integer === undefined || consent[resource].isFar(integer))
    },
    petOf(order) {
      const id = canonical(order)
      const list = log.exchanges.findLast(
        each => each.ask.operation === 'listOrders' && reader.read(each)?.byId.has(id),
      )
      return list && numberIn(reader.read(list)?.byId.get(id), 'petId')
    },
  }

  return {
    fixtures,
    /** Why each state could not be arranged. */
    declined: declined as ReadonlyMap<string, string>,
    noteCancelled(id: string): void {
      if (!cancelled.includes(id)) cancelled.unshift(id)
    },
    /** Arranges what most schedules need, or takes what was named. One pending order is kept for requests that must be refused. */
    async fill(): Promise<void> {
      if (provider) {
        pending.push(...(await arrange('pending orders', { count: FIRST.pending })))
        shipped.push(...(await arrange('shipped orders', { count: FIRST.shipped })))
        pets.push(...(await arrange('pets', { count: FIRST.pets, quantity: FIRST.quantity })))
      } else if (!consent.readOnly) {
        pending.push(...(named.pendingOrders ?? []))
        shipped.push(...(named.shippedOrders ?? []))
        pets.push(...named.pets)
        add('order', pending, 'pending')
        add('order', shipped, 'shipped')
        add('pet', pets)
      }
      kept = pending.length > 1 ? pending.shift() : undefined
    },
    async close(): Promise<void> {
      for (const { state, params } of made.reverse())
        await provider
          ?.teardown(state, params)
          .catch(error => warn(`the teardown of "${state}" failed: ${error.message}`))
    },
  }
}
