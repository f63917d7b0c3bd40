import { canonical } from '../http/decimal.ts'
import { type NeedyScenario, needsOf } from './needs.ts'

/** `missing`: how many more would serve all scenarios, not just the one that asked. */
export type Taken = { readonly ids: readonly string[] } | { readonly missing: number }

/**
 * The orders that were named, dealt out in the order in which the scenarios stand in the suite, whichever of them runs
 * first. A pending order serves once. A shipped one cannot be used up, but is dealt like the others.
 */
export interface NamedOrders {
  take(kind: 'pending' | 'shipped', scenario: string, count: number): Taken
}

export function namedOrders(
  named: { readonly pending: readonly string[]; readonly shipped: readonly string[] },
  scenarios: readonly NeedyScenario[],
): NamedOrders {
  const deal = (ids: readonly string[], need: 'pendingOrders' | 'shippedOrders') => {
    const hands = new Map<string, string[]>()
    let next = 0
    for (const scenario of scenarios) {
      const { title } = scenario
      const count = needsOf(scenario)[need] ?? 0
      hands.set(title, ids.slice(next, next + count))
      next += count
    }
    return { hands, missing: Math.max(next - ids.length, 1) }
  }
  const dealt = {
    pending: deal(named.pending, 'pendingOrders'),
    shipped: deal(named.shipped, 'shippedOrders'),
  }
  return {
    take(kind, scenario, count) {
      const { hands, missing } = dealt[kind]
      const hand = hands.get(scenario) ?? []
      return hand.length >= count ? { ids: hand.splice(0, count) } : { missing }
    },
  }
}

/** The pets that were named, lent to one scenario at a time. */
export interface PetLeases {
  take(scenario: string, count: number): Promise<Taken>
  giveBack(scenario: string): void
}

/** Holds a lease between the hand-over and the moment that the next scenario takes it up. */
const NOBODY_YET = ''

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
    giveBack(scenario) {
      if (holder !== scenario) return
      const next = waiting.shift()
      holder = next ? NOBODY_YET : undefined
      next?.()
    },
  }
}
