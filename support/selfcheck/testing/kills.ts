import { expect } from 'vitest'
import type { Fault } from '../../reference/index.ts'
import type { Mode } from '../proof.ts'
import { prove } from '../prove.ts'
import { storeProof } from '../store-proof.ts'

/** Fails with the rules that are red or not red unexpectedly, each with its message. */
export async function expectDetected(fault: Fault, mode: Mode): Promise<void> {
  const { good, missing, collateral, report } = await prove(storeProof, [fault], {
    mode,
    seed: 1,
    runs: 2,
  })
  const said = (ids: readonly string[]) =>
    report.rules
      .filter(({ id }) => ids.includes(id))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message ?? ''}`)
  expect({ missing: said(missing), collateral: said(collateral) }).toEqual({ missing: [], collateral: [] })
  expect(good).toBe(true)
}
