import type { Level } from '../interface/description.ts'

/** What names a rule for one operation: in reports, profiles, selections and expected failures. */
export interface CellName {
  readonly id: string
  readonly operation: string
}

export const cellKey = ({ id, operation }: CellName): string => `${id} ${operation}`

/** A question that the document leaves open. The answer is recorded and never judged. */
export interface Question extends CellName {
  readonly clause: string
  readonly title: string
}

/** One cell: a rule, for one operation. Its title is a sentence that is true of a conformant store. */
export type RuleFacts = Question & {
  /** Which requests it judges, and what has to be true of their answers and effects, in words. */
  readonly judges?: readonly string[]
  /** The usual cause of a failure. */
  readonly usually?: string
} & (
    | { readonly level: 'required' }
    /** Why the rule has its level. */
    | { readonly level: Exclude<Level, 'required'>; readonly because: string }
  )

/** The rules and observations of one folder of `suites/`. */
export interface Suite {
  readonly name: string
  readonly rules: readonly RuleFacts[]
  readonly observations: readonly Question[]
}
