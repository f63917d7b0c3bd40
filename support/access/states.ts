import { canonical } from '../http/decimal.ts'
import { NotApplicable, NotArranged } from '../judge/outcome.ts'
import type { Consent } from './consent.ts'
import { Misconfigured } from './misconfigured.ts'
import type { NamedOrders, PetLeases } from './named.ts'
import type { Arranged, StateName } from './provider.ts'
import type { CountedState, Supply } from './supply.ts'

/** How scenarios get the conditions that they need. What is handed out may be changed; nothing else may. */
export interface States {
  pendingOrder(): Promise<string>
  pendingOrders(count: number): Promise<string[]>
  /** Further pending orders, where they can be had without spending named ones; else none. */
  extraOrders(count: number): Promise<string[]>
  /** @throws {NotApplicable} where no states endpoint or module arranges: named ids are too few to show it */
  manyOrders(count: number): Promise<string[]>
  shippedOrder(): Promise<string>
  /** @throws {NotApplicable} where ids can't be chosen */
  orderWithId(id: bigint): Promise<string>
  /** Pets of the run's own until the scenario ends; what is changed of their stock is put back then. Only arranged ones have the quantity asked for. */
  pets(count: number, quantity?: number): Promise<string[]>
  /** Like extraOrders: for what might not be put back. */
  extraPets(count: number): Promise<string[]>
  /** An order that does not exist, far from those that do. @throws {NotArranged} where the list could not be read */
  unknownOrder(): string
  /** Everything that is being arranged is there, and known. */
  settled(): Promise<void>
  isUnknownOrder(id: bigint): boolean
  unknownPet(): string
  isUnknownPet(id: string): boolean
  /** Whether the store has accepted a change of what does not exist: nobody knows what that changed, so it is not asked again and again. */
  hasAccepted(resource: 'order' | 'pet'): boolean
  /** Whether an order was named, and not arranged: what somebody knew of it may be out of date. */
  isNamed(order: string): boolean
  /** Whether nothing has this id, and a request with it can hit nothing but what is the run's own. */
  isUnused(resource: 'order' | 'pet', id: string): boolean
  /** Whether the id is not close to a listed one, nor where the store will soon hand out new ones. */
  isFar(resource: 'order' | 'pet', id: bigint): boolean
  /** Whether a cancellation with this path can hit nothing but what is the run's own. */
  mayCancel(path: string): boolean
  /** The same of an update. */
  mayUpdate(path: string): boolean
}

export interface StatesParts {
  /** Undefined if nothing arranges, and conditions are only had by naming. */
  readonly supply: Supply | undefined
  readonly named: NamedOrders
  readonly leases: PetLeases
  readonly consent: Consent
  /** Ids that do not exist, and were handed out as such: a store that creates what it does not find has them now. */
  readonly unknown: Set<string>
  settled(): Promise<void>
}

export function states(parts: StatesParts, scenario: string): States {
  const { supply, named, leases, consent } = parts

  const arrange = async (state: StateName, ask: (supply: Supply) => Promise<Arranged>): Promise<Arranged> => {
    if (consent.readOnly) throw new NotArranged('the run is read-only', 'run without --read-only')
    if (!supply) return { declined: '' }
    return ask(supply).catch(error => {
      // It has worked before, or another state has: the rest of the run goes on.
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

  const handOut = (id: string | undefined): string | undefined => {
    if (id !== undefined) parts.unknown.add(id)
    return id
  }
  const isNew = (id: bigint): boolean => !parts.unknown.has(String(id))

  const client: States = {
    pendingOrders: count => orders('pending', count),
    pendingOrder: async () => (await orders('pending', 1))[0] as string,
    shippedOrder: async () => (await orders('shipped', 1))[0] as string,
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
      throw new NotApplicable(`${supply?.name} was asked for an order with id ${id} and arranged ${given}`)
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
    async extraPets(count) {
      if (consent.readOnly) return []
      const answer = await take('pets', count)
      return 'ids' in answer ? [...answer.ids] : []
    },
    unknownOrder() {
      const isFree = (id: bigint) => isNew(id) && consent.isFreeOrder(id)
      const hitsOursAtMost = (id: bigint) => isNew(id) && consent.allows('order', String(id))
      // Where there is an order at the end of 32 bits, every larger id might be taken for it.
      const id = handOut(
        search(2n ** 62n - 3n, isFree) ??
          search(2_087_654_321n, isFree) ??
          search(2n ** 62n - 3n, hitsOursAtMost),
      )
      return id ?? raiseUnreadable('order', 'GET /store/orders')
    },
    settled: parts.settled,
    isUnknownOrder: id => consent.isFreeOrder(id),
    unknownPet() {
      // Within 32 bits: which numbers a pet's id can be is not shown.
      const id = handOut(search(1_987_654_321n, each => isNew(each) && consent.isFreePet(String(each))))
      return id ?? raiseUnreadable('pet', 'GET /inventory')
    },
    isUnknownPet: id => consent.isFreePet(id),
    hasAccepted: resource => consent.hasAccepted(resource),
    isNamed: order => taken.has(order),
    isUnused: (resource, id) => consent.isUnused(resource, id),
    isFar: (resource, id) => consent.isFar(resource, id),
    mayCancel: path => consent.allows('order', path),
    mayUpdate: path => consent.allows('pet', path),
  }
  return client
}

/** The first free id on a fixed walk downwards; undefined where nothing is known to be free. */
function search(from: bigint, isFree: (id: bigint) => boolean): string | undefined {
  for (let id = from; id > from - 400_000_000n; id -= 1_000_003n) if (isFree(id)) return String(id)
  return undefined
}

function raiseUnreadable(what: string, request: string): never {
  throw new NotArranged(
    `no ${what} is known to be free, because the list could not be read`,
    `mend ${request} first`,
  )
}

/** Where something arranges, but not this, its reason belongs to what can be done. */
const otherwise = (declined: string): string =>
  declined === '' ? ', or give a states endpoint (--states-url)' : `, or mend this: ${declined}`

const plural = (count: number, noun: string): string => (count === 1 ? `one ${noun}` : `${count} ${noun}s`)
