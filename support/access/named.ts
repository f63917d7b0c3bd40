import { canonical } from '../http/decimal.ts'
import { type NeedyScenario, needsOf } from './needs.ts'

/** `missing`: how many more ids all scenarios together need, not only the one that asked. */
export type Taken = { readonly ids: readonly string[] } | { readonly missing: number }

/**
 * The named orders, assigned to the scenarios in the order of the suite, whichever of them runs first. A pending order can be used
 * only once. A shipped order could be used again, but is assigned in the same way.
 */
export interface NamedOrders {
  take(kind: 'pending' | 'shipped', scenario: string, count: number): Taken
  /** A named shipped order, whether it is assigned or not: refused cancellations do not change it. */
  readonly anyShipped: string | undefined
}

export function namedOrders(
  named: { readonly pending: readonly string[]; readonly shipped: readonly string[] },
  scenarios: readonly NeedyScenario[],
): NamedOrders {
  const assign = (ids: readonly string[], need: 'pendingOrders' | 'shippedOrders') => {
    const shares = new Map<string, string[]>()
    let next = 0
    for (const scenario of scenarios) {
      const { title } = scenario
      const count = needsOf(scenario)[need] ?? 0
      shares.set(title, ids.slice(next, next + count))
      next += count
    }
    return { shares, missing: Math.max(next - ids.length, 1) }
  }
  const assigned = {
    pending: assign(named.pending, 'pendingOrders'),
    shipped: assign(named.shipped, 'shippedOrders'),
  }
  return {
    // The last one, because scenarios that need one of their own get the first.
    anyShipped: named.shipped.at(-1),
    take(kind, scenario, count) {
      const { shares, missing } = assigned[kind]
      const share = shares.get(scenario) ?? []
      return share.length >= count ? { ids: share.splice(0, count) } : { missing }
    },
  }
}

/** The named pets, which one scenario at a time may use. */
export interface PetLeases {
  take(scenario: string, count: number): Promise<Taken>
  release(scenario: string): void
}

/** The holder from the release of the pets until the next scenario continues, so that no other one takes them in between. */
const HANDED_OVER = ''

export function petLeases(pets: readonly string[], wanted: number): PetLeases {
  const known = [...new Map(pets.map(id => [canonical(id), id] as const)).values()]
  const waiting: (() => void)[] = []
  let holder: string | undefined
  return {
    async take(scenario, count) {
      if (known.length < count) return { missing: Math.max(wanted, count) - known.length }
      if (holder !== undefined && holder !== scenario)
        await new Promise<void>(resolve => waiting.push(resolve))
      holder = scenario
      return { ids: known.slice(0, count) }
    },
    release(scenario) {
      if (holder !== scenario) return
      const next = waiting.shift()
      holder = next ? HANDED_OVER : undefined
      next?.()
    },
  }
}
