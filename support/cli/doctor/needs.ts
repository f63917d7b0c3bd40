import { needsOf } from '../../access/needs.ts'
import type { StateName } from '../../access/provider.ts'
import { selectRules } from '../../run/select-rules.ts'
import type { Configuration } from '../../settings/configuration.ts'

/** What has to be named for a full verdict where nothing is arranged. */
interface Wanted {
  readonly pendingOrders: number
  readonly shippedOrders: number
  readonly pets: number
}

/** Named orders are dealt out, so they add up; pets are lent, so the most that one scenario takes will do. */
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

/** What is still to be given for a full verdict: a sentence each. What is declined is arranged by nobody, and has to be named. */
export function missingFor(configuration: Configuration, declined: readonly StateName[] = []): string[] {
  if (configuration.readOnly) return ['leave out --read-only: a run that only reads judges the reads alone']
  const arranges = configuration.statesUrl !== undefined || configuration.statesModule !== undefined
  const { pendingOrders = [], shippedOrders = [], pets = [] } = configuration
  const want = wanted(configuration)
  const more = (state: StateName, count: number, what: string, flag: string) =>
    count > 0 && (!arranges || declined.includes(state))
      ? [`name ${count} more ${count === 1 ? what : `${what}s`} (${flag})`]
      : []
  return [
    ...more('pending orders', want.pendingOrders - pendingOrders.length, 'pending order', '--pending-orders'),
    ...more('shipped orders', want.shippedOrders - shippedOrders.length, 'shipped order', '--shipped-orders'),
    ...(pets === 'any' ? [] : more('pets', want.pets - pets.length, 'pet', '--pets')),
  ]
}
