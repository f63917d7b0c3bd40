import { expect, it } from 'vitest'
import type { Override } from '../decisions.ts'
import { type ReferenceStore, referenceStore } from '../store.ts'

/** The probe has one result for the store without the override and another with it. */
export interface Example {
  readonly override: Override
  readonly probe: (store: ReferenceStore) => Promise<unknown>
  readonly plain: unknown
  readonly changed: unknown
}

export const REVOKED = 'Once-Good'

export const showEach = (examples: Readonly<Record<string, Example>>): void => {
  it.each(Object.entries(examples))('%s', async (_title, { override, probe, plain, changed }) => {
    const make = (...overrides: Override[]) =>
      referenceStore({ demo: false, revokedKeys: [REVOKED], overrides })
    expect(plain).not.toEqual(changed)
    expect(await probe(make())).toEqual(plain)
    expect(await probe(make(override))).toEqual(changed)
  })
}

/** A pending order with this id. */
export const order = (store: ReferenceStore, id: number | string = 12) =>
  store.states.setup('pending order with id', { id })

export const shipped = (store: ReferenceStore) => store.states.setup('shipped orders').orderIds?.[0]

export const pet = (store: ReferenceStore, quantity = 3) =>
  store.states.setup('pets', { quantity }).petIds?.[0]
