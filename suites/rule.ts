import type { ClauseId } from '../support/interface/clauses.ts'
import type { Outcome } from '../support/interface/description.ts'
import type { OperationId } from '../support/interface/operations.ts'
import type { Ask, Aspect, BodyKind, Check, Context, Exchange, Named } from './oracle/log.ts'

/** Which comparisons a rule is about. An absent member matches any. */
export interface Subject {
  readonly aspect: Aspect | readonly Aspect[]
  /** The member of a body, the header, or what an effect concerns. */
  readonly about?: string | readonly string[]
  readonly named?: Named | readonly Named[]
  /** The row of a table of asks. Without it, not a request that the document does not describe. */
  readonly row?: string | readonly string[]
  readonly body?: BodyKind | readonly BodyKind[]
  /** Whether the request is one without a valid key. Default: it is not. */
  readonly refused?: boolean | 'either'
  /** Default: plain. */
  readonly context?: Context | readonly Context[] | 'any'
  /** Only answers with this status. */
  readonly answered?: number
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
  /** What only a provider of states can arrange. Without one, the rule does not apply. */
  readonly needsProvider?: string
  /** Its failure explains that of other rules of the operation about requests with the key, or about those without. */
  readonly isGeneral?: true
  /** The usual cause of a failure. */
  readonly usually?: string
} & (
  | { readonly level: 'required' }
  /** Why the rule has its level. */
  | { readonly level: 'implied' | 'advisory'; readonly because: string }
)

/** A rule as it is written: under the name of its level is the clause that states it, of all operations or of each. */
type Row = Omit<Rule, 'id' | 'operations' | 'level' | 'clause' | 'because'> &
  (
    | { readonly required: Rule['clause'] }
    | { readonly implied: Rule['clause']; readonly because: string }
    | { readonly advisory: Rule['clause']; readonly because: string }
  )

/** The rules of some operations, by id. */
export const rulesOf = (
  operations: OperationId | readonly OperationId[],
  rows: Readonly<Record<string, Row>>,
): readonly Rule[] =>
  Object.entries(rows).map(([id, row]) => {
    const none = { required: undefined, implied: undefined, advisory: undefined }
    const { required, implied, advisory, ...facts } = { ...none, ...row }
    const level = required ? 'required' : implied ? 'implied' : 'advisory'
    const clause = required ?? implied ?? advisory
    return { ...facts, id, operations: [operations].flat(), level, clause } as Rule
  })

/** What only a provider of states can arrange. */
export const CHOSEN_IDS = 'orders with chosen ids, such as one above 2^53'
export const LONG_LISTS = 'lists longer than a page'

/** The contexts that vary what the store holds, and not how it is asked. */
export const HELD = { context: ['plain', 'data', 'size', 'end'] } as const

type Own = Omit<Subject, 'aspect'>
type About = Exclude<Own['about'], undefined>

/** An aspect of the answer to an ask. */
export const answer = (aspect: Subject['aspect'], own: Own = {}): Subject => ({ aspect, ...own })

/** An effect of a request, or that it has none. */
export const effect = (about: About, own: Own = {}): Subject => ({ aspect: 'effect', ...own, about })

/** The Error shape (§7) of a refusal. `prefix` is that of the ids. */
export const errorRules = (prefix: string, status: 401 | 404, usually: string) => {
  const own = { answered: status, ...HELD, refused: 'either' } as const
  return {
    [`${prefix}-content-type`]: {
      required: '1/json',
      title: `The ${status} response of {} is application/json`,
      judges: [answer('type', own)],
      usually,
    },
    [`${prefix}-error-body`]: {
      required: status === 401 ? '7/error-body' : '2/error',
      title: `The ${status} response of {} has an Error body: code, message and the status ${status}`,
      judges: [answer(['json', 'shape'], own)],
      usually,
    },
  } as const
}

const isIn = <Value>(value: Value, allowed: Value | readonly Value[] | undefined): boolean =>
  allowed === undefined || (Array.isArray(allowed) ? allowed.includes(value) : allowed === value)

/** Whether a request is one without a valid key, and not one with a key that a store may accept. */
export const isRefused = ({ refused }: Ask): boolean => refused !== undefined && refused !== 'open'

/** Whether a rule judges this comparison. */
export function isAbout(subject: Subject, { exchange, aspect, about, problem }: Check): boolean {
  const { ask, context } = exchange
  const { refused = false } = subject
  return (
    isIn(aspect, subject.aspect) &&
    isIn(about, subject.about) &&
    isIn(ask.named, subject.named) &&
    (subject.row ? ask.row !== undefined && isIn(ask.row, subject.row) : !ask.undescribed) &&
    (subject.body === undefined || (ask.body !== undefined && isIn(ask.body.kind, subject.body))) &&
    (refused === 'either' || refused === isRefused(ask)) &&
    (subject.context === 'any' || isIn(context, subject.context ?? 'plain')) &&
    (subject.answered === undefined || subject.answered === exchange.response?.status) &&
    (subject.got === undefined || problem === undefined || subject.got.test(problem.got))
  )
}

/** One cell: a rule, for one operation. */
export interface Cell {
  readonly rule: Rule
  readonly operation: OperationId
}
/** The outcome of one cell, with what a reader needs to follow it. */
export interface CellOutcome {
  readonly cell: Cell
  readonly outcome: Outcome
  /** Why it is not `passed`. */
  readonly message?: string
  /** What the user can provide, as an instruction. */
  readonly need?: string
  /** What the run does not cover, in words. */
  readonly lacks?: string
  /** Of a violation: the request, what was expected and what came, in words. */
  readonly asked?: string
  readonly expected?: string
  readonly actual?: string
  /** The cell whose failure explains it. */
  readonly behind?: Cell | undefined
  /** The exchanges that show it, in order. */
  readonly exchanges: readonly Exchange[]
  /** Further violations of the same cell. */
  readonly more: number
}

export type Judged = Pick<CellOutcome, 'outcome'> & Partial<CellOutcome>

export const keyOf = ({ rule, operation }: Cell): string => `${rule.id} ${operation}`

export const clauseOf = ({ clause }: Rule, operation: OperationId): ClauseId =>
  (typeof clause === 'string' ? clause : clause[operation]) as ClauseId

/** The cells of some rules, and those that judge a comparison, the most special one first. */
export interface Cells {
  readonly all: readonly Cell[]
  readonly judging: (check: Check) => readonly Cell[]
}

/** Comparisons with the same features belong to the same cells. */
export function cellsOf(rules: readonly Rule[]): Cells {
  const all = rules.flatMap(rule => rule.operations.map(operation => ({ rule, operation })))
  const known = new Map<string, readonly Cell[]>()
  const judging = (check: Check): readonly Cell[] => {
    const { aspect, about, problem, exchange } = check
    const { ask, context, response } = exchange
    const { operation, named, row, refused, body } = ask
    const asked = `${operation},${named},${row},${refused},${body?.kind},${context}`
    const key = `${asked},${response?.status},${aspect},${about}`
    const judges = (found: Check) => (cell: Cell) =>
      cell.operation === operation && cell.rule.judges.some(subject => isAbout(subject, found))
    const found = known.get(key) ?? all.filter(judges({ ...check, problem: undefined }))
    known.set(key, found)
    // What came has no limit, so it is not remembered.
    return problem ? found.filter(judges(check)) : found
  }
  return { all, judging }
}
