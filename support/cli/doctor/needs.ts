import { needsOf } from '../../access/needs.ts'
import type { StateName } from '../../access/provider.ts'
import { selectRules } from '../../run/select-rules.ts'
import type { Configuration } from '../../settings/configuration.ts'

/** How many orders and pets a full verdict needs by name, without provider states. */
interface Wanted {
  readonly pendingOrders: number
  readonly shippedOrders: number
  readonly pets: number
}

/** Each scenario consumes its orders, so their numbers add up. Pets are returned, so the largest need is enough. */
function wanted({ profile }: Pick<Configuration, 'profile'>): Wanted {
  const scenarios = new Set(selectRules({ profile }).rules.map(({ given }) => given))
  const needs = [...scenarios].map(needsOf)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  return {
    pendingOrders: sum(needs.map(({ pendingOrders = 0 }) => pendingOrders)),
    shippedOrders: sum(needs.map(({ shippedOrders = 0 }) => shippedOrders)),
    pets: Math.max(0, ...needs.map(({ pets = 0 }) => pets)),
  }
}

/** One phrase for each thing that a full verdict still needs. @param declined states that the endpoint does not arrange */
export function missingFor(configuration: Configuration, declined: readonly StateName[] = []): string[] {
  if (configuration.readOnly)
    return ['leave out --read-only: a read-only run judges only what GET requests show']
  const arranges = configuration.statesUrl !== undefined || configuration.statesModule !== undefined
  const { pendingOrders = [], shippedOrders = [], pets = [] } = configuration
  const want = wanted(configuration)
  const more = (state: StateName, wanted: number, named: number, what: string, flag: string) => {
    const count = wanted - named
    if (count <= 0 || (arranges && !declined.includes(state))) return []
    return [`name ${count} ${named > 0 ? 'more ' : ''}${count === 1 ? what : `${what}s`} (${flag})`]
  }
  return [
    ...more('pending orders', want.pendingOrders, pendingOrders.length, 'pending order', '--pending-orders'),
    ...more('shipped orders', want.shippedOrders, shippedOrders.length, 'shipped order', '--shipped-orders'),
    ...(pets === 'any' ? [] : more('pets', want.pets, pets.length, 'pet', '--pets')),
  ]
}
