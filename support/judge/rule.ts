import type { Level } from '../interface/description.ts'
import type { Given, Scenario } from './scenario.ts'

/** One checkable consequence of a clause. */
export type Rule<Seen = unknown> = RuleFacts & {
  readonly given: Given<Seen>
  /**
   * Returns if the expectation holds, throws a `Violation` if not. Pure: it uses only what the scenario saw, whether that is
   * live or recorded.
   */
  readonly expect: (seen: Seen) => void
}

/** @typeParam OperationId ids of the operations of the interface under test @typeParam ClauseId the same of its clauses */
export type RuleFacts<OperationId = string, ClauseId = string> = {
  readonly id: string
  readonly clause: ClauseId
  readonly operation: OperationId
  /** A sentence that is true of a conformant store. */
  readonly title: string
  /** Ids of rules that must hold first. If one does not, this rule's outcome is `cantTell`. */
  readonly after?: string | readonly string[]
  /**
   * Whether a violation of this rule is one even if a rule in `after` is untested or could not be determined. Then only a failure of such
   * a rule, which explains the violation, makes the outcome `cantTell`.
   */
  readonly isSoundAlone?: true
  /** The usual cause of a failure. */
  readonly usually?: string
} & (
  | { readonly level: 'required' }
  | {
      readonly level: Exclude<Level, 'required'>
      /** Why the rule has its level. */
      readonly because: string
    }
)

/** A question that the document leaves open. The answer is recorded and never judged. */
export interface Observation<Seen = unknown, OperationId = string, ClauseId = string> {
  readonly id: string
  readonly clause: ClauseId
  readonly operation: OperationId
  /** A question. */
  readonly title: string
  readonly given: Scenario<Seen>
  /** The answer, from what the scenario saw. */
  readonly saw: (seen: Seen) => string
}

/** The rules and observations of one folder of `suites/`. */
export interface Suite {
  readonly name: string
  readonly rules: readonly Rule[]
  readonly observations: readonly Observation[]
}

export const afterOf = ({ after = [] }: Pick<RuleFacts, 'after'>): readonly string[] => [after].flat()
