import { expect, it } from 'vitest'
import { gapsOf } from './proof.ts'
import { storeProof } from './store-proof.ts'

const { unproven, stale } = gapsOf(storeProof)

it('each rule has a fault that turns it red', () => {
  expect(unproven.map(({ id }) => id)).toEqual([])
})

it('no fault names an unknown rule', () => {
  expect(stale.map(({ fault, pattern }) => `${fault.id}: ${pattern}`)).toEqual([])
})
