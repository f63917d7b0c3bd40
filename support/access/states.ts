import { canonical } from '../http/decimal.ts'
import { NotApplicable, NotArranged } from '../judge/outcome.ts'
import type { Consent, Created, Resource } from './consent.ts'
import { Misconfigured } from './misconfigured.ts'
import type { NamedOrders, PetLeases } from './named.ts'
import type { Misapplied, NamedStock } from './named-stock.ts'
import type { Arranged, StateName } from './provider.ts'
import type { CountedState, Supply } from './supply.ts'

/** How scenarios get the conditions that they need. A scenario may change only the orders and pets that it gets here. */
export interface States {
  pendingOrder(): Promise<string>
  pendingOrders(count: number): Promise<string[]>
  /** Further pending orders if they can be arranged, else none. Named orders are not used for this. */
  extraOrders(count: number): Promise<string[]>
  /** @throws {NotApplicable} without a states endpoint or module, because named ids are too few */
  manyOrders(count: number): Promise<string[]>
  shippedOrder(): Promise<string>
  /** Shipped orders if they can be arranged, else a named one that other scenarios use as well, if there is one. */
  someShippedOrders(count: number): Promise<string[]>
  /** An order that the run has cancelled, if there is one. */
  cancelledOrder(): string | undefined
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
  /** What was arranged for the run so far, and no scenario may change by the way. */
  arranged(): Pick<Supply, 'pets' | 'shipped'>
  /** Resolves when every setup that was started has ended and its ids are known. */
  settled(): Promise<void>
  isUnknownOrder(id: bigint): boolean
  unknownPet(): string
  isUnknownPet(id: string): boolean
  /** The first thing that did not exist, and that the store has changed or created. */
  created(resource: Resource): Created | undefined
  /** Whether an order was named, not arranged. Its state may have changed since. */
  isNamed(order: string): boolean
  /** Whether nothing has this id, and a request with it can hit only what belongs to the run. */
  isUnused(resource: 'order' | 'pet', id: string): boolean
  /** Whether the id is close neither to a listed id nor to ids that the store may soon assign. */
  isFar(resource: 'order' | 'pet', id: bigint): boolean
  /** Whether a cancellation with this path can hit only orders of the run. */
  mayCancel(path: string): boolean
  /** Whether an update with this path can hit only pets of the run. */
  mayUpdate(path: string): boolean
}

export interface StatesParts {
  /** Undefined without provider states: then only named orders and pets are available. */
  readonly supply: Supply | undefined
  readonly named: NamedOrders
  readonly leases: PetLeases
  readonly consent: Consent
  readonly namedStock: Pick<NamedStock, 'misapplied'>
  /** A source of random integers for each use. */
  integers(use: string): (below: bigint) => bigint
  settled(): Promise<void>
}

export function states(parts: StatesParts, scenario: string): States {
  const { supply, named, leases, consent } = parts

  const arrange = async (state: StateName, ask: (supply: Supply) => Promise<Arranged>): Promise<Arranged> => {
    if (consent.readOnly) throw new NotArranged('the run is read-only', 'run without --read-only')
    if (!supply) return { declined: '' }
    return ask(supply).catch(error => {
      // An earlier setup was successful, so the run continues.
      if (error instanceof Misconfigured)
        throw new NotArranged(error.message, `let ${supply.name} arrange "${state}"`)
      throw error
    })
  }
  const take = (state: CountedState, count: number): Promise<Arranged> =>
    arrange(state, from => from.take(scenario, state, count))

  const taken = new Set<string>()
  const orders = async (kind: 'pending' | 'shipped', count: number): Promise<string[]> => {
    const answer = await take(`${kind} orders`, count)
    if ('ids' in answer) return [...answer.ids]
    const own = named.take(kind, scenario, count)
    if ('ids' in own) {
      for (const id of own.ids) {
        consent.grantOrder(id)
        taken.add(id)
      }
      return [...own.ids]
    }
    throw new NotArranged(
      answer.declined || `it needs ${plural(count, `${kind} order`)}`,
      `name ${plural(own.missing, `more ${kind} order`)} (--${kind}-orders)${otherwise(answer.declined)}`,
    )
  }

  /** The same for all scenarios, so that a store that creates what it does not find creates one order and one pet at most. */
  const random = parts.integers('unknown ids')
  const [away, around] = [random(2n ** 60n), random(AROUND)]

  const client: States = {
    pendingOrders: count => orders('pending', count),
    pendingOrder: async () => (await orders('pending', 1))[0] as string,
    shippedOrder: async () => (await orders('shipped', 1))[0] as string,
    async someShippedOrders(count) {
      if (consent.readOnly) return []
      const answer = await take('shipped orders', count)
      if ('ids' in answer) return [...answer.ids]
      const { anyShipped } = named
      if (anyShipped !== undefined) consent.grantOrder(anyShipped)
      return anyShipped === undefined ? [] : [anyShipped]
    },
    cancelledOrder: () => consent.cancelled[0],
    async extraOrders(count) {
      if (consent.readOnly) return []
      const answer = await take('pending orders', count)
      return 'ids' in answer ? [...answer.ids] : []
    },
    async manyOrders(count) {
      const answer = await take('pending orders', count)
      if ('ids' in answer) return [...answer.ids]
      if (!supply)
        throw new NotApplicable(
          `it needs ${count} orders, which only a states endpoint or module can arrange`,
        )
      throw new NotArranged(answer.declined, `let the provider state "pending orders" arrange ${count}`)
    },
    async orderWithId(id) {
      const answer = await arrange('pending order with id', from => from.orderWithId(String(id)))
      if (!('ids' in answer)) {
        throw new NotApplicable(
          answer.declined ||
            'it needs an order whose id is chosen, which only a states endpoint or module can arrange',
        )
      }
      const [given = ''] = answer.ids
      if (canonical(given) === String(id)) return given
      const instead = `${supply?.name} was asked for an order with id ${id} and arranged ${given}`
      // The store may be what rounds, so a run must not pass without this order.
      if (Number(given) === Number(id))
        throw new NotArranged(
          `${instead}, which is the same as a double`,
          'let the provider state "pending order with id" arrange exactly the requested id (in JavaScript, as a string or a bigint)',
        )
      throw new NotApplicable(instead)
    },
    async pets(count, quantity) {
      const answer =
        quantity === undefined
          ? await take('pets', count)
          : await arrange('pets', from => from.petsWith(quantity, count))
      if ('ids' in answer) return [...answer.ids]
      const own = await leases.take(scenario, count)
      if ('ids' in own) {
        for (const id of own.ids) consent.grantPet(id)
        return [...own.ids]
      }
      throw new NotArranged(
        answer.declined || `it needs ${plural(count, 'pet')} whose stock may be changed`,
        `name ${plural(own.missing, 'more pet')} (--pets)${otherwise(answer.declined)}`,
      )
    },
    misapplied: () => parts.namedStock.misapplied,
    async extraPets(count) {
      if (consent.readOnly) return []
      const answer = await take('pets', count)
      return 'ids' in answer ? [...answer.ids] : []
    },
    arranged: () => supply ?? { pets: [], shipped: [] },
    unknownOrder() {
      const isFree = (id: bigint) => consent.isFreeOrder(id)
      const hitsOursAtMost = (id: bigint) => consent.allows('order', String(id))
      // If an order has the largest id of 32 bits, a store that clamps would take every larger id for it.
      return (
        consent.firstCreated('order')?.id ??
        search(2n ** 62n - away, isFree) ??
        search(2_087_654_321n - around, isFree) ??
        search(2n ** 62n - away, hitsOursAtMost) ??
        raiseUnreadable('order', 'GET /store/orders')
      )
    },
    settled: parts.settled,
    isUnknownOrder: id => consent.isFreeOrder(id),
    unknownPet() {
      // Within 32 bits: which numbers a pet's id can be is not shown.
      return (
        consent.firstCreated('pet')?.id ??
        search(1_987_654_321n - around, each => consent.isFreePet(String(each))) ??
        raiseUnreadable('pet', 'GET /inventory')
      )
    },
    isUnknownPet: id => consent.isFreePet(id),
    created: consent.firstCreated,
    isNamed: order => taken.has(order),
    isUnused: (resource, id) => consent.isUnused(resource, id),
    isFar: (resource, id) => consent.isFar(resource, id),
    mayCancel: path => consent.allows('order', path),
    mayUpdate: path => consent.allows('pet', path),
  }
  return client
}

/** Unknown ids of 32 bits begin at most this far below a fixed one, far above the ids of most stores. */
const AROUND = 100_000_000n

/** The first free id in fixed steps downwards; undefined if no id is known to be free. */
function search(from: bigint, isFree: (id: bigint) => boolean): string | undefined {
  for (let id = from; id > from - 400_000_000n; id -= 1_000_003n) if (isFree(id)) return String(id)
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
