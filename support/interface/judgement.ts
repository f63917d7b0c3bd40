import type { CellName, Outcome, Question, RuleFacts } from './description.ts'

/** The outcome of one rule for one operation in one run. */
export interface Judgement {
  readonly rule: RuleFacts
  readonly outcome: Outcome
  readonly message?: string | undefined
  /** The request that the violation is about, in words. */
  readonly asked?: string | undefined
  readonly expected?: string | undefined
  readonly actual?: string | undefined
  /** For `cantTell`: the rule whose failure explains it. */
  readonly behind?: CellName | undefined
  /** What to provide to get a result, as an instruction. */
  readonly need?: string | undefined
  /** For `inapplicable`: what the run does not cover, in words. */
  readonly lacks?: string | undefined
  /** Positions of the exchanges that show it. */
  readonly exchanges: readonly number[]
  /** Further violations of the same rule. */
  readonly more?: number | undefined
  /** The failure is expected, or the rule waits for one that is. It has no effect on the verdict. */
  readonly expectedFailure?: Excuse | undefined
  /** The rule is newer than this profile. It has no effect on the verdict. */
  readonly newSince?: string | undefined
}

/** Why a failure has no effect on the verdict. */
export interface Excuse {
  readonly reason: string
  readonly owner: string
  /** The last day (UTC) on which the failure is accepted: `2026-12-31`. */
  readonly expires: string
}

/** What a store does where the document leaves it open. */
export interface Observed extends Question {
  readonly saw: string
}

/** What a run did to the implementation. */
export interface Effects {
  /** Each follows "This run". */
  readonly did: readonly string[]
  /** What is not as it was before, or may not be. */
  readonly left: readonly string[]
}
