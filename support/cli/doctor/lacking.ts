import type { Selection } from '../../judge/selection.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { needsOf, type StateName } from '../../store/needs.ts'

/** Orders or pets that a full verdict needs, and that are neither named nor arranged. */
export interface Lacking {
  readonly name: 'pendingOrders' | 'shippedOrders' | 'pets'
  readonly count: number
  /** What to do about it. */
  readonly todo: string
}

/** @param declined states that the endpoint does not arrange */
export function lackingFor(
  { statesUrl, statesModule, pendingOrders = [], shippedOrders = [], pets = [] }: Configuration,
  { rules }: Selection,
  declined: readonly StateName[],
): Lacking[] {
  const arranges = statesUrl !== undefined || statesModule !== undefined
  const needs = [...new Set(rules.map(({ given }) => given))].map(needsOf)
  // Each scenario consumes its orders, so their numbers add up. Pets are returned, so the largest need is enough.
  const sum = (kind: 'pendingOrders' | 'shippedOrders') =>
    needs.reduce((total, each) => total + (each[kind] ?? 0), 0)
  const most = pets === 'any' ? 0 : Math.max(0, ...needs.map(each => each.pets ?? 0))
  const more = (name: Lacking['name'], state: StateName, wanted: number, named: number) => {
    const count = wanted - named
    if (count <= 0 || (arranges && !declined.includes(state))) return []
    const what = count === 1 ? state.replace(/s$/, '') : state
    const todo = `name ${count} ${named > 0 ? 'more ' : ''}${what} (--${state.replace(' ', '-')})`
    return [{ name, count, todo }]
  }
  return [
    ...more('pendingOrders', 'pending orders', sum('pendingOrders'), pendingOrders.length),
    ...more('shippedOrders', 'shipped orders', sum('shippedOrders'), shippedOrders.length),
    ...more('pets', 'pets', most, pets.length),
  ]
}
