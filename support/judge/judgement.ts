import type { Outcome } from './outcome.ts'
import type { RuleFacts } from './rule.ts'

/** The outcome of one rule in one run. */
export interface Judgement {
  readonly rule: RuleFacts & { readonly given?: { readonly title: string } }
  readonly outcome: Outcome
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  /** For `cantTell`: id of the rule that has to hold first. */
  readonly behind?: string
  /** For `untested`: what to provide, as an instruction. */
  readonly need?: string
  /** Indexes of the exchanges that show it. For `passed`: the first exchanges of the scenario. */
  readonly exchanges: readonly number[]
  readonly counterexample?: Counterexample
  /** The failure is expected, or the rule waits for one that is. It has no effect on the verdict. */
  readonly expectedFailure?: Excuse
  /** The rule is newer than this profile. It has no effect on the verdict. */
  readonly newSince?: string
}

/** Why a failure has no effect on the verdict. */
export interface Excuse {
  readonly reason: string
  readonly owner: string
  /** The last day (UTC) on which the failure is accepted: `2026-12-31`. */
  readonly expires: string
}

/** The smallest generated case that fails, and how to generate it again. */
export interface Counterexample {
  readonly value: string
  /** The seed of the run, from which the next one is derived. Absent if a challenge takes its place. */
  readonly runSeed?: number
  /** fast-check's seed for this property. */
  readonly seed: number
  /** fast-check's path to the shrunk value. */
  readonly path: string
  readonly shrinks: number
}

/** What a store does where the document leaves it open. */
export interface Observed {
  readonly id: string
  readonly operation: RuleFacts['operation']
  readonly clause: RuleFacts['clause']
  readonly title: string
  readonly saw: string
}
