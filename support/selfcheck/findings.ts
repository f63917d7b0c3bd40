import { allRules } from '../judge/interface.ts'
import { gapsOf, type Mode, type Proof } from './proof.ts'
import type { Task, TaskResult } from './prove.ts'

/** `reports/selfcheck.json`: which faults the rules detect, and which freedoms they accept. */
export interface Findings {
  readonly format: 'store-conformance-selfcheck/1'
  readonly seed: number
  readonly rules: number
  readonly faults: number
  /** Faults that turn exactly the expected rules red. */
  readonly killed: number
  readonly outOfReach: number
  /** Rules that failed although the fault does not name them. */
  readonly collateral: number
  readonly freedoms: number
  /** Freedoms that are not accepted: the verdict was not `conformant`. */
  readonly flagged: number
  /** Rules that no fault turns red, and faults that name an unknown rule. */
  readonly gaps: readonly string[]
  readonly results: readonly TaskResult[]
}

export interface Wanted {
  readonly seed: number
  readonly modes: readonly Mode[]
  /** Only this fault. */
  readonly fault?: string | undefined
  /** Only this freedom. */
  readonly freedom?: string | undefined
  /** This many generated faults, instead of the listed ones. */
  readonly generated?: number | undefined
}

const isEverything = ({ fault, freedom, generated }: Wanted): boolean =>
  fault === undefined && freedom === undefined && generated === undefined

export function tasksFor(proof: Proof, wanted: Wanted): Task[] {
  const { generated } = wanted
  const ids = {
    fault:
      generated !== undefined
        ? Array.from({ length: generated }, (_, n) => `generated-${wanted.seed}-${n}`)
        : proof.faults.map(({ id }) => id).filter(id => isEverything(wanted) || id === wanted.fault),
    freedom: proof.freedoms.map(({ id }) => id).filter(id => isEverything(wanted) || id === wanted.freedom),
  }
  return wanted.modes.flatMap(mode =>
    (['fault', 'freedom'] as const).flatMap(kind =>
      ids[kind].map(id => ({ kind, id, mode, seed: wanted.seed })),
    ),
  )
}

export function findingsOf(proof: Proof, results: readonly TaskResult[], wanted: Wanted): Findings {
  const ofFaults = results.filter(({ kind }) => kind === 'fault')
  const ofFreedoms = results.filter(({ kind }) => kind === 'freedom')
  const { unproven, stale } = gapsOf(proof)
  const gaps = [
    ...unproven.map(({ id }) => `no fault turns ${id} red`),
    ...stale.map(({ fault: { id }, pattern }) => `fault ${id} breaks ${pattern}, which is not a rule`),
  ]
  return {
    format: 'store-conformance-selfcheck/1',
    seed: wanted.seed,
    rules: allRules(proof.subject).length,
    faults: ofFaults.length,
    killed: ofFaults.filter(({ good, outOfReach }) => good && outOfReach === undefined).length,
    outOfReach: ofFaults.filter(({ outOfReach }) => outOfReach !== undefined).length,
    collateral: ofFaults.reduce((sum, { collateral }) => sum + collateral.length, 0),
    freedoms: ofFreedoms.length,
    flagged: ofFreedoms.filter(({ good }) => !good).length,
    gaps: isEverything(wanted) ? gaps : [],
    results,
  }
}

export const isSound = ({ gaps, results }: Findings): boolean =>
  gaps.length === 0 && results.length > 0 && results.every(({ good }) => good)
