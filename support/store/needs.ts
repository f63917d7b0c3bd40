import type { StateDescriptions } from '../access/provider.ts'
import type { NeedyScenario, Turns } from '../access/scheduler.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'

/**
 * The turns of a run, in order. An order may take its quantity from a stock, and a cancellation may return it (§3 leaves it open), so
 * no scenario compares stock in a turn in which others arrange or cancel orders.
 * - `first cancellation`: before other scenarios, so that its rules detect what a faulty store cancels in addition.
 * - `orders`: they arrange or cancel orders.
 * - `first update`: before other scenarios, so that its rules detect what a faulty store updates in addition.
 * - `stock`: they compare stock.
 * - `contexts`, `last contexts`: each cancels orders and compares stock, or compares whole lists, so they act one after the other.
 * - `long lists`: they arrange hundreds of orders or pets, which makes all lists long.
 * - `chosen ids`: a store that assigns ids in the same moment could assign a chosen one.
 * - `end`: they check what the others left.
 */
const order = [
  'first cancellation',
  'orders',
  'first update',
  'stock',
  'contexts',
  'long lists',
  'chosen ids',
  'last contexts',
  'end',
] as const
type Turn = (typeof order)[number]

/** What a scenario needs of the store. */
export interface Needs {
  readonly pendingOrders?: number
  /** Further pending orders, only where they can be arranged. */
  readonly extraOrders?: number
  readonly shippedOrders?: number
  /** Further shipped orders where they can be arranged. Else a named one that other scenarios use as well. */
  readonly someShippedOrders?: number
  readonly pets?: number
  /** Further pets, only where they can be arranged. */
  readonly extraPets?: number
  /** Default: `orders` if it needs orders, else `stock` if it needs pets, else none: it acts at any time. */
  readonly turn?: Turn
}

/** The scenarios in `suites/` declare `Needs`, which the engine passes on unread. */
export const needsOf = ({ needs }: NeedyScenario): Needs => needs as Needs

/** Undefined for a scenario that neither arranges or cancels orders nor compares stock. */
export function turnOf({
  turn,
  pendingOrders = 0,
  extraOrders = 0,
  shippedOrders = 0,
  pets = 0,
  extraPets = 0,
}: Needs): Turn | undefined {
  if (turn !== undefined) return turn
  if (pendingOrders + extraOrders + shippedOrders > 0) return 'orders'
  return pets + extraPets > 0 ? 'stock' : undefined
}

export const turns: Turns = {
  order,
  oneByOne: ['contexts', 'last contexts'],
  last: 'end',
  of: scenario => turnOf(needsOf(scenario)),
}

/** The provider states of a store, and the parameters of each. */
export interface SetupParams {
  'pending orders': { readonly count: number }
  'shipped orders': { readonly count: number }
  'pending order with id': { readonly id: string }
  pets: { readonly count: number; readonly quantity: number }
}
export type StateName = keyof SetupParams

const orderIds = { member: 'orderIds', isId: isOrderId }
export const storeStates: StateDescriptions & Readonly<Record<StateName, object>> = {
  'pending orders': orderIds,
  'shipped orders': orderIds,
  'pending order with id': orderIds,
  pets: { member: 'petIds', isId: isPetId },
}
