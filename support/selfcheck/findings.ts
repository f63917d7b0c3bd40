import { faults } from '../../suites/faults.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import type { Mode } from './judge-store.ts'
import { catalogue, gapsOf } from './matrix.ts'
import type { Task, TaskResult } from './task.ts'

/** `reports/selfcheck.json`: what the rules detect, less what they invent. */
export interface Findings {
  readonly format: 'store-conformance-selfcheck/1'
  readonly seed: number
  readonly rules: number
  readonly faults: number
  readonly killed: number
  readonly outOfReach: number
  /** Rules that a fault turned red beside those that it is about. */
  readonly collateral: number
  readonly freedoms: number
  /** Freedoms on which the verdict was not `conformant`. */
  readonly flagged: number
  /** Rules that no fault proves able to fail; faults that name a rule which is none. */
  readonly gaps: readonly string[]
  readonly results: readonly TaskResult[]
}

export interface Wanted {
  readonly seed: number
  readonly modes: readonly Mode[]
  readonly fault?: string | undefined
  readonly freedom?: string | undefined
}

/** Everything, or the one fault or freedom. */
export function tasksFor({ seed, modes, fault, freedom }: Wanted): Task[] {
  const all = fault === undefined && freedom === undefined
  const ids = (kind: Task['kind']) =>
    kind === 'fault'
      ? faults.map(({ id }) => id).filter(id => all || id === fault)
      : freedoms.map(({ id }) => id).filter(id => all || id === freedom)
  return modes.flatMap(mode =>
    (['fault', 'freedom'] as const).flatMap(kind => ids(kind).map(id => ({ kind, id, mode, seed }))),
  )
}

export function findingsOf(results: readonly TaskResult[], { seed, fault, freedom }: Wanted): Findings {
  const all = fault === undefined && freedom === undefined
  const ofFaults = results.filter(({ kind }) => kind === 'fault')
  const ofFreedoms = results.filter(({ kind }) => kind === 'freedom')
  const { unproven, stale } = gapsOf(faults)
  const gaps = [
    ...unproven.map(({ id }) => `${id} is turned red by no fault`),
    ...stale.map(({ fault: { id }, pattern }) => `${id} breaks ${pattern}, which is no rule`),
  ]
  return {
    format: 'store-conformance-selfcheck/1',
    seed,
    rules: catalogue.length,
    faults: ofFaults.length,
    killed: ofFaults.filter(({ good, outOfReach }) => good && outOfReach === undefined).length,
    outOfReach: ofFaults.filter(({ outOfReach }) => outOfReach !== undefined).length,
    collateral: ofFaults.reduce((sum, { collateral }) => sum + collateral.length, 0),
    freedoms: ofFreedoms.length,
    flagged: ofFreedoms.filter(({ good }) => !good).length,
    gaps: all ? gaps : [],
    results,
  }
}

export const isSound = (findings: Findings): boolean =>
  findings.gaps.length === 0 && findings.results.length > 0 && findings.results.every(({ good }) => good)
