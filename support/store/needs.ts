import type { StateDescriptions } from '../access/provider.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'

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
