import type { ClauseId } from '../support/interface/clauses.ts'
import type { OperationId } from '../support/interface/operations.ts'
import type { Aspect, BodyKind, Check, Context, Named } from './oracle/log.ts'

/** Which comparisons a rule is about. An absent member matches any. */
export interface Subject {
  readonly aspect: Aspect | readonly Aspect[]
  /** The member of a body, the header, or what an effect concerns. */
  readonly about?: string | readonly string[]
  readonly named?: Named | readonly Named[]
  /** The row of a table of asks. */
  readonly row?: string | readonly string[]
  readonly body?: BodyKind | readonly BodyKind[]
  /** Whether the request is one without a valid key. Default: it is not. */
  readonly refused?: boolean | 'either'
  /** Default: plain. */
  readonly context?: Context | readonly Context[] | 'any'
  /** Of a violation: only these answers. */
  readonly got?: RegExp
}

/** One sentence that is true of every conformant store, with a cell for each operation that it holds for. */
export type Rule = {
  readonly id: string
  readonly operations: readonly OperationId[]
  /** The clause that states it, of all operations or of each. */
  readonly clause: ClauseId | Readonly<Partial<Record<OperationId, ClauseId>>>
  /** In the present tense. `{}` stands for the operation. */
  readonly title: string
  readonly judges: readonly Subject[]
  /** It needs more than named orders and pets: without a provider of states, it does not apply. */
  readonly needsProvider?: true
  /** The usual cause of a failure. */
  readonly usually?: string
} & (
  | { readonly level: 'required' }
  /** Why the rule has its level. */
  | { readonly level: 'implied' | 'advisory'; readonly because: string }
)

type Facts = Rule extends infer Each ? (Each extends Rule ? Omit<Each, 'id' | 'operations'> : never) : never

/** The rules of one operation, by id. */
export const rulesOf = (
  operations: OperationId | readonly OperationId[],
  rows: Readonly<Record<string, Facts>>,
): readonly Rule[] =>
  Object.entries(rows).map(([id, facts]) => ({ id, operations: [operations].flat(), ...facts }) as Rule)

/** An aspect of the answer to an ask. */
export const answer = (aspect: Subject['aspect'], own: Omit<Subject, 'aspect'> = {}): Subject => ({
  aspect,
  ...own,
})

/** An effect of a request, or that it has none. */
export const effect = (
  about: string | readonly string[],
  own: Omit<Subject, 'aspect' | 'about'> = {},
): Subject => ({
  aspect: 'effect',
  about,
  ...own,
})

const isIn = <Value>(value: Value, allowed: Value | readonly Value[] | undefined): boolean =>
  allowed === undefined || (Array.isArray(allowed) ? allowed.includes(value) : allowed === value)

/** Whether a rule judges this comparison. */
export function isAbout(subject: Subject, { exchange, aspect, about, problem }: Check): boolean {
  const { ask, context } = exchange
  const { refused = false } = subject
  return (
    isIn(aspect, subject.aspect) &&
    isIn(about, subject.about) &&
    isIn(ask.named, subject.named) &&
    (subject.row === undefined || (ask.row !== undefined && isIn(ask.row, subject.row))) &&
    (subject.body === undefined || (ask.body !== undefined && isIn(ask.body.kind, subject.body))) &&
    (refused === 'either' || refused === (ask.refused !== undefined)) &&
    (subject.context === 'any' || isIn(context, subject.context ?? 'plain')) &&
    (subject.got === undefined || problem === undefined || subject.got.test(problem.got))
  )
}

/** One cell: a rule, for one operation. */
export interface Cell {
  readonly rule: Rule
  readonly operation: OperationId
}
export const keyOf = ({ rule, operation }: Cell): string => `${rule.id} ${operation}`

export const clauseOf = ({ clause }: Rule, operation: OperationId): ClauseId =>
  (typeof clause === 'string' ? clause : clause[operation]) as ClauseId
