import type { ClauseId } from '../interface/clauses.ts'
import type { OperationId } from '../interface/operations.ts'
import type { Given, Scenario } from './scenario.ts'

/** How much the document says for it: `required` states it, `implied` shows it or lets it follow, `advisory` is silent. */
export type Level = 'required' | 'implied' | 'advisory'

export const levels: readonly Level[] = ['required', 'implied', 'advisory']

/** One checkable consequence of a clause. */
export type Rule<Seen = unknown> = RuleFacts & {
  readonly given: Given<Seen>
  /**
   * Returns where the expectation holds, throws a Violation where not. Pure: it looks at what the scenario saw, live or
   * recorded, and at nothing else.
   */
  readonly expect: (seen: Seen) => void
}

export type RuleFacts = {
  readonly id: string
  readonly clause: ClauseId
  readonly operation: OperationId
  /** The sentence that holds for a conformant store. */
  readonly title: string
  /** Rules that must hold first; where one does not, this one can't tell. */
  readonly after?: string | readonly string[]
  /** What usually lies behind a failure, and the mend. */
  readonly usually?: string
  /** The profile with which it came, where that is not the first. */
  readonly since?: string
} & (
  | { readonly level: 'required' }
  /** Each level below `required` says in a line why. */
  | { readonly level: 'implied' | 'advisory'; readonly because: string }
)

/** What this store does where the document is silent: recorded, never judged. */
export interface Observation<Seen = unknown> {
  readonly id: string
  readonly clause: ClauseId
  readonly operation: OperationId
  /** A question. */
  readonly title: string
  readonly given: Scenario<Seen>
  readonly saw: (seen: Seen) => string
}

export type AnyRule = Rule<never> | Rule<unknown>

/** Keeps the type of what was seen between `given` and `expect`, and forgets it afterwards. */
export const rule = <Seen>(facts: Rule<Seen>): Rule => facts as unknown as Rule

export const observation = <Seen>(facts: Observation<Seen>): Observation => facts as unknown as Observation

export const afterOf = (facts: RuleFacts): readonly string[] =>
  facts.after === undefined ? [] : typeof facts.after === 'string' ? [facts.after] : facts.after

/** Whether a rule of this level takes part in the verdict. */
export const gates = (level: Level, gate: Level): boolean => levels.indexOf(level) <= levels.indexOf(gate)

/** What a folder of `suites/` hands over. */
export interface Suite {
  readonly name: string
  readonly rules: readonly Rule[]
  readonly observations: readonly Observation[]
}
