import type { Selection } from '../../judge/selection.ts'
import type { Configuration } from '../../settings/configuration.ts'

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
  declined: readonly string[],
): Lacking[] {
  const arranges = statesUrl !== undefined || statesModule !== undefined
  const needs = (operation: string) => rules.some(each => each.operation === operation)
  const [cancels, updates] = [needs('cancelOrder'), needs('updateInventory')]
  const more = (name: Lacking['name'], state: string, wanted: number, named: number) => {
    const count = wanted - named
    if (count <= 0 || (arranges && !declined.includes(state))) return []
    const what = count === 1 ? state.replace(/s$/, '') : state
    const todo = `name ${count} ${named > 0 ? 'more ' : ''}${what} (--${state.replace(' ', '-')})`
    return [{ name, count, todo }]
  }
  return [
    ...more('pendingOrders', 'pending orders', cancels ? 3 : 0, pendingOrders.length),
    ...more('shippedOrders', 'shipped orders', cancels ? 1 : 0, shippedOrders.length),
    ...more('pets', 'pets', updates && pets !== 'any' ? 2 : 0, pets.length),
  ]
}
