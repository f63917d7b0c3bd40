import type { OperationId } from '../support/interface/operations.ts'
import { type Check, type Exchange, isViolation, type Log, type Violation } from './oracle/log.ts'
import { canonical } from './oracle/numbers.ts'
import { type Cell, isAbout, keyOf, type Rule } from './rule.ts'

/** What is known about one rule and one operation. */
export interface Finding {
  readonly cell: Cell
  /** Comparisons that the rule judges. */
  readonly checks: number
  /** Violations of which no other cell is the cause, and requests that show them. */
  readonly violations: readonly Violation[]
  /** The cell whose failure explains the violations that are not listed, and how many those are. */
  readonly behind?: Cell | undefined
  readonly explained: number
}

/**
 * Attributes each violation to one rule. What another violation explains is counted, not listed: one cause is one failure. First the order
 * of aspects and contexts decides; of requests that may all have had an effect, those that explain the most violations.
 */
export function findingsOf(checks: readonly Check[], rules: readonly Rule[]): readonly Finding[] {
  const cells = cellsOf(rules)
  const cellsFor = finderOf(rules, cells)
  const cellFor: FindCell = check => cellsFor(check)[0]
  const counts = new Map<Cell, number>()
  for (const check of checks)
    for (const cell of cellsFor(check)) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const violations = checks.filter(isViolation)
  const own = new Map<Cell, Violation[]>()
  const explained = new Map<Cell, Map<Cell, number>>()
  const blame = (cell: Cell, violation: Violation) =>
    void own.set(cell, [...(own.get(cell) ?? []), violation])
  const explain = (cell: Cell, by: Cell) => {
    const all = explained.get(cell) ?? new Map<Cell, number>()
    explained.set(cell, all.set(by, (all.get(by) ?? 0) + 1))
  }

  const states = violations.filter(({ aspect }) => aspect === 'effect')
  const dropped = overlapping(violations, checks)
  const answers = violations.filter(each => each.aspect !== 'effect' && !dropped.has(each))
  for (const violation of answers) {
    const cell = cellFor(violation)
    if (!cell) continue
    const cause = plainCause(violation, cell, answers, cellFor)
    if (cause) explain(cell, cause)
    else blame(cell, violation)
  }
  let open = states
    .filter(each => !dropped.has(each))
    .map(violation => ({ violation, candidates: candidatesOf(violation, cellFor) }))
  // What a request did whose own answer is a violation is explained by that.
  const wrong = new Map(
    answers.filter(({ aspect }) => aspect === 'status').map(each => [each.exchange, cellFor(each)] as const),
  )
  open = open.filter(({ violation, candidates }) => {
    const [first] = candidates
    const cause = violation.problem.suspects?.map(each => wrong.get(each)).find(each => each !== undefined)
    if (cause && first) explain(first.cell, cause)
    return !cause && first !== undefined
  })
  while (open.length > 0) {
    // What a request has done in plain circumstances explains the same elsewhere.
    open = open.filter(({ candidates }) => {
      const found = candidates.find(({ cell, general }) => general && general !== cell && own.has(general))
      if (found?.general) explain(found.cell, found.general)
      return !found
    })
    if (open.length === 0) break
    const cell = mostExplaining(open, own)
    for (const { violation, candidates } of open) {
      const found = candidates.find(each => each.cell === cell)
      if (found) blame(cell, { ...violation, exchange: found.exchange })
    }
    open = open.filter(({ candidates }) => !candidates.some(each => each.cell === cell))
  }

  return cells.map(cell => {
    const causes = [...(explained.get(cell) ?? [])]
    return {
      cell,
      checks: counts.get(cell) ?? 0,
      violations: own.get(cell) ?? [],
      behind: causes[0]?.[0],
      explained: causes.reduce((sum, [, count]) => sum + count, 0),
    }
  })
}

const cellsOf = (rules: readonly Rule[]): readonly Cell[] =>
  rules.flatMap(rule => rule.operations.map(operation => ({ rule, operation })))

type FindCell = (check: Check) => Cell | undefined

/** The rules that judge a comparison. A violation belongs to the first. Comparisons with the same features belong to the same ones. */
function finderOf(rules: readonly Rule[], cells: readonly Cell[]): (check: Check) => readonly Cell[] {
  const byKey = new Map(cells.map(cell => [keyOf(cell), cell]))
  const known = new Map<string, readonly Cell[]>()
  return check => {
    const { ask, context } = check.exchange
    const { operation } = ask
    const got = check.problem?.got.slice(0, 1)
    const key = [
      operation,
      ask.named,
      ask.row,
      ask.refused,
      ask.body?.kind,
      context,
      check.aspect,
      check.about,
      got,
    ].join()
    const found =
      known.get(key) ??
      rules
        .filter(
          each => each.operations.includes(operation) && each.judges.some(subject => isAbout(subject, check)),
        )
        .flatMap(rule => byKey.get(keyOf({ rule, operation })) ?? [])
    known.set(key, found)
    return found
  }
}

/**
 * An order that should be pending and is not violates its answer and its history at once. If other pending orders are cancelled with 204,
 * something has changed this one; else the answer is the cause.
 */
function overlapping(violations: readonly Violation[], checks: readonly Check[]): ReadonlySet<Violation> {
  const isCancellable = checks.some(
    ({ exchange: { ask }, aspect, problem }) =>
      aspect === 'status' && !problem && ask.named === 'pending order' && !ask.refused,
  )
  const byExchange = new Map<Exchange, Violation[]>()
  for (const each of violations)
    byExchange.set(each.exchange, [...(byExchange.get(each.exchange) ?? []), each])
  const dropped = new Set<Violation>()
  for (const all of byExchange.values()) {
    const state = all.find(({ aspect }) => aspect === 'effect')
    const answer = all.find(({ aspect }) => aspect !== 'effect' && aspect !== 'advice')
    if (!state || !answer) continue
    const isChanged = isCancellable && (state.problem.suspects?.length ?? 0) > 0
    dropped.add(isChanged ? answer : state)
  }
  return dropped
}

/** Answers that all other requests of the operation wait for. */
const GENERAL = ['auth-valid-key', 'auth-no-header', 'auth-unknown-key', 'update-refusal-is-400']

/** The cell that explains an answer: the plain answer explains the same one elsewhere, and a general rule the special ones. */
function plainCause(
  violation: Violation,
  cell: Cell,
  all: readonly Violation[],
  cellFor: FindCell,
): Cell | undefined {
  const { exchange, aspect } = violation
  if (aspect === 'advice') return undefined
  const isSame = (other: Violation): boolean => {
    const { ask, context } = other.exchange
    const isTwin =
      context === 'plain' &&
      ask.named === exchange.ask.named &&
      ask.body?.kind === exchange.ask.body?.kind &&
      other.aspect === aspect &&
      other.about === violation.about
    return isTwin && (other.problem.got === violation.problem.got || context !== exchange.context)
  }
  const general = (other: Violation): boolean => {
    const id = cellFor(other)?.rule.id ?? ''
    return (
      other.exchange.context === 'plain' &&
      GENERAL.includes(id) &&
      (id === 'auth-valid-key' || id === 'update-refusal-is-400' || exchange.ask.refused !== undefined)
    )
  }
  const isEarlier = (other: Cell) => rankOf(other) < rankOf(cell)
  for (const other of all) {
    if (other === violation || other.exchange.ask.operation !== exchange.ask.operation) continue
    if (
      (other.exchange.ask.refused === undefined) !== (exchange.ask.refused === undefined) &&
      cellFor(other)?.rule.id !== 'auth-valid-key'
    )
      continue
    const found = cellFor(other)
    if (found && found !== cell && isEarlier(found) && (general(other) || isSame(other))) return found
  }
  return undefined
}

/** General rules first, then plain ones, then contexts. */
const rankOf = ({ rule: { id, judges } }: Cell): number => {
  const general = GENERAL.indexOf(id)
  if (general >= 0) return general
  if (judges.some(({ row }) => row === undefined && judges.length > 0))
    return judges.some(({ context }) => context !== undefined && context !== 'any') ? 30 : 10
  return 20
}

interface Candidate {
  readonly cell: Cell
  /** The cell of the same effect in plain circumstances. */
  readonly general: Cell | undefined
  readonly exchange: Exchange
}

/** The cells that an effect may belong to, most likely first. */
function candidatesOf(violation: Violation, cellFor: FindCell): readonly Candidate[] {
  const { suspects = [] } = violation.problem
  const found: Candidate[] = []
  const add = (exchange: Exchange, about: string) => {
    const cell = cellFor({ exchange, aspect: 'effect', about })
    if (!cell || found.some(each => each.cell === cell)) return
    const plain = { ...exchange, context: 'plain', ask: { ...exchange.ask, row: undefined } } as const
    found.push({ cell, exchange, general: cellFor({ exchange: plain, aspect: 'effect', about }) })
  }
  for (const suspect of suspects) add(suspect, aboutOf(suspect, violation))
  if (suspects.length === 0 || found.length === 0) add(violation.exchange, violation.about)
  return found
}

/** What a request did, if it is the cause. */
function aboutOf(suspect: Exchange, violation: Violation): string {
  const { ask } = suspect
  const isStock = violation.about === 'stock' || violation.about === 'pet listed'
  if (isStock !== (ask.operation === 'updateInventory')) return isStock ? 'stock' : 'others'
  const named = violation.object === undefined ? '' : canonical(violation.object)
  if (canonical(ask.id) !== named)
    return ask.of !== undefined && canonical(ask.of) === named ? 'nothing' : 'others'
  return ask.refused || ask.undescribed || ask.body?.kind === 'invalid' || ask.body?.kind === 'empty'
    ? 'nothing'
    : 'itself'
}

/** The cell that explains the most violations. Of equal ones, a plain one, then one that has failed anyway, then the most likely one. */
function mostExplaining(
  open: readonly { readonly candidates: readonly Candidate[] }[],
  own: ReadonlyMap<Cell, readonly Violation[]>,
): Cell {
  const scores = new Map<Cell, { count: number; likely: number }>()
  for (const { candidates } of open)
    for (const [at, { cell }] of candidates.entries()) {
      const score = scores.get(cell) ?? { count: 0, likely: 0 }
      scores.set(cell, { count: score.count + 1, likely: score.likely + 1 / (at + 1) })
    }
  const ranked = [...scores].sort(
    ([one, a], [other, b]) =>
      b.count - a.count ||
      rankOf(one) - rankOf(other) ||
      Number(own.has(other)) - Number(own.has(one)) ||
      b.likely - a.likely,
  )
  return (ranked[0] as [Cell, unknown])[0]
}

/** Whether a request of an operation with the key was accepted, so that a refusal shows something. Undefined if none was sent. */
export function isControlled(operation: OperationId, { exchanges }: Log): boolean | undefined {
  const controls = exchanges.filter(
    ({ ask, response }) =>
      ask.operation === operation &&
      !ask.refused &&
      response &&
      ['nothing', 'pending order', 'shipped order', 'pet'].includes(ask.named) &&
      ask.body?.kind !== 'invalid',
  )
  if (controls.length === 0) return undefined
  return controls.some(
    ({ response, ask }) =>
      (response?.status ?? 500) < 300 || (ask.named === 'shipped order' && response?.status === 409),
  )
}
