import { allRules } from '../interface/selection.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { faults } from '../run/faults.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { gapsOf, type Mode, type Task, type TaskResult } from './prove.ts'

/** `reports/selfcheck.json`: which faults the rules detect, and which freedoms they accept. */
export type Findings = ReturnType<typeof findingsOf>

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

export function tasksFor(wanted: Wanted): Task[] {
  const { generated } = wanted
  const ids = {
    fault:
      generated !== undefined
        ? Array.from({ length: generated }, (_, n) => `generated-${wanted.seed}-${n}`)
        : faults.map(({ id }) => id).filter(id => isEverything(wanted) || id === wanted.fault),
    freedom: freedoms.map(({ id }) => id).filter(id => isEverything(wanted) || id === wanted.freedom),
  }
  return wanted.modes.flatMap(mode =>
    (['fault', 'freedom'] as const).flatMap(kind =>
      ids[kind].map(id => ({ kind, id, mode, seed: wanted.seed })),
    ),
  )
}

export function findingsOf(results: readonly TaskResult[], wanted: Wanted) {
  const ofFaults = results.filter(({ kind }) => kind === 'fault')
  const ofFreedoms = results.filter(({ kind }) => kind === 'freedom')
  return {
    format: 'store-conformance-selfcheck/1' as const,
    seed: wanted.seed,
    rules: allRules(storeServiceUnderTest).length,
    faults: ofFaults.length,
    /** Faults that turn exactly the expected rules red. */
    killed: ofFaults.filter(({ good, outOfReach }) => good && outOfReach === undefined).length,
    outOfReach: ofFaults.filter(({ outOfReach }) => outOfReach !== undefined).length,
    /** Rules that failed although the fault does not name them. */
    collateral: ofFaults.reduce((sum, { collateral }) => sum + collateral.length, 0),
    freedoms: ofFreedoms.length,
    /** Freedoms that are not accepted: the verdict was not `conformant`. */
    flagged: ofFreedoms.filter(({ good }) => !good).length,
    /** Rules that no fault turns red, and faults that name an unknown rule. */
    gaps: isEverything(wanted) ? gapsOf() : [],
    results,
  }
}

export const isSound = ({ gaps, results }: Pick<Findings, 'gaps' | 'results'>): boolean =>
  gaps.length === 0 && results.length > 0 && results.every(({ good }) => good)
