import { canonical } from '../support/interface/numbers.ts'
import { type Check, contexts, type Exchange, isSuccess, isViolation, type Violation } from './oracle/log.ts'
import { overlapOf } from './overlap.ts'
import { type Cell, type Cells, isRefused, keyOf } from './rule.ts'

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

/** The cell that a comparison belongs to. Undefined if no rule judges it. */
type FindCell = (check: Check) => Cell | undefined

/** Attributes each violation to one rule. What another violation explains is counted, not listed: one cause is one failure. */
export function findingsOf(checks: readonly Check[], cells: Cells): readonly Finding[] {
  const counts = new Map<Cell, number>()
  for (const check of checks)
    for (const cell of cells.judging(check)) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const cellFor: FindCell = check => cells.judging(check)[0]
  const ledger = new Ledger()
  const violations = checks.filter(isViolation)
  const answers = violations.filter(({ aspect }) => aspect !== 'effect')
  const effects = violations.filter(({ aspect }) => aspect === 'effect')
  const judged = answers.filter(each => each.aspect !== 'advice' && cellFor(each))
  const { behindAnswer, behindEffect } = overlapOf(judged, effects, checks)
  attributeEffects(effects, behindAnswer, cellFor, ledger)
  attributeAnswers(answers, behindEffect, seldomIn(checks), cellFor, ledger)
  for (const [effect, answer] of behindAnswer)
    ledger.settle(effect, cellFor(effect), ledger.causes.get(answer))
  return cells.all.map(cell => {
    const causes = [...(ledger.explained.get(cell) ?? [])]
    return {
      cell,
      checks: counts.get(cell) ?? 0,
      violations: ledger.own.get(cell) ?? [],
      behind: causes[0]?.[0],
      explained: causes.reduce((sum, [, count]) => sum + count, 0),
    }
  })
}

/** The violations of each cell that no other one explains, and how many are explained by which cell. */
class Ledger {
  readonly own = new Map<Cell, Violation[]>()
  readonly explained = new Map<Cell, Map<Cell, number>>()
  readonly causes = new Map<Violation, Cell>()

  /** @param exchange the request that has the effect, where it is not the one that shows it */
  settle(violation: Violation, cell: Cell | undefined, cause = cell, exchange = violation.exchange): void {
    if (!cell || !cause) return
    this.causes.set(violation, cause)
    if (cause === cell) this.own.set(cell, [...(this.own.get(cell) ?? []), { ...violation, exchange }])
    else this.explain(cell, cause)
  }

  explain(cell: Cell, by: Cell): void {
    if (cell === by) return
    const all = this.explained.get(cell) ?? new Map<Cell, number>()
    this.explained.set(cell, all.set(by, (all.get(by) ?? 0) + 1))
  }
}

/** In the order of the contexts: the plain answer explains the same one elsewhere. */
function attributeAnswers(
  answers: readonly Violation[],
  behindEffect: ReadonlyMap<Violation, Violation>,
  seldom: ReadonlySet<Check>,
  cellFor: FindCell,
  ledger: Ledger,
): void {
  const found = new Map<string, Cell>()
  const rankOf = (violation: Violation): number => {
    if (seldom.has(violation)) return contexts.length
    return cellFor(violation)?.rule.isGeneral ? -1 : contexts.indexOf(violation.exchange.context)
  }
  for (const violation of answers.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const cell = cellFor(violation)
    const area = areaOf(violation)
    const keys = [kindOf(violation), ...withoutKeyOf(violation)]
    const effect = behindEffect.get(violation)
    const cause =
      [area, ...keys].flatMap(key => found.get(key) ?? [])[0] ?? (effect && ledger.causes.get(effect)) ?? cell
    ledger.settle(violation, cell, cause)
    for (const key of cell?.rule.isGeneral ? [area, ...keys] : keys)
      if (cause && !found.has(key)) found.set(key, cause)
  }
}

/** Violations of one kind in different circumstances have one cause. */
function kindOf({ exchange: { ask, response }, aspect, about }: Check): string {
  const { operation, named, row, body } = ask
  switch (aspect) {
    case 'body':
    case 'type':
    case 'json':
    case 'shape':
      return `${operation} ${aspect} ${response?.status}`
    // The list and the answer to an update show the same entries.
    case 'fields':
      return `${operation === 'listOrders' ? 'order' : 'pet'} ${['sold', 'available'].includes(about) ? 'label' : about}`
    case 'advice':
      return `${operation} ${about} ${row}`
    default:
      return isRefused(ask)
        ? `${operation} ${aspect} refused ${row}`
        : `${operation} ${aspect} ${named} ${body?.kind} ${body?.kind === 'invalid' ? row : ''}`
  }
}

/** In a context, requests without a key and with a wrong one are the same, and so they are for a store that breaks down. */
const withoutKeyOf = ({ exchange: { ask, context }, aspect, problem }: Violation): readonly string[] =>
  isRefused(ask) && (context !== 'plain' || problem.got.startsWith('5'))
    ? [`${ask.operation} ${aspect} without a key ${problem.got}`]
    : []

/** What the failure of a general rule explains. */
const areaOf = ({ exchange: { ask } }: Violation): string =>
  `any answer of ${ask.operation} ${isRefused(ask) ? 'without a key' : ''}`

/** Plain answers that are wrong once in a while, and right most times: something else decides, which a context may show. */
function seldomIn(checks: readonly Check[]): ReadonlySet<Check> {
  const counts = new Map<string, { right: number; wrong: Check[] }>()
  for (const check of checks) {
    const { ask, context } = check.exchange
    if (check.aspect !== 'status' || context !== 'plain') continue
    const isBreakdown = check.problem?.got.startsWith('5')
    if (ask.row && !(isRefused(ask) && (!check.problem || isBreakdown))) continue
    const key = isRefused(ask) ? `${ask.operation} without a key` : kindOf(check)
    const count = counts.get(key) ?? { right: 0, wrong: [] }
    counts.set(key, count)
    if (check.problem) count.wrong.push(check)
    else count.right += 1
  }
  return new Set([...counts.values()].flatMap(({ right, wrong }) => (right > wrong.length ? wrong : [])))
}

/** A request that may have had an effect. */
interface Candidate {
  readonly exchange: Exchange
  readonly cell: Cell
  /** What requests of its kind would have done in its context, and the plain cell of it. */
  readonly key: string
  readonly plain: string
  /** How likely such a request has the effect, if nothing else is known. */
  readonly weight: number
}

/**
 * Attributes what lists and later answers show of orders and pets to the requests before. Among several, the one is chosen whose kind
 * is there most often when something is wrong (spectrum-based fault localization).
 */
function attributeEffects(
  effects: readonly Violation[],
  behindAnswer: ReadonlyMap<Violation, Violation>,
  cellFor: FindCell,
  ledger: Ledger,
): void {
  const all = effects
    .filter(each => !behindAnswer.has(each))
    .map(violation => ({ violation, candidates: candidatesOf(violation, cellFor) }))
  const guilty = new Map<string, number>()
  for (const { candidates } of all)
    for (const { key, weight } of candidates) guilty.set(key, (guilty.get(key) ?? 0) + weight)
  const suspicionOf = ({ key }: Candidate): number => guilty.get(key) ?? 0
  const rated = all.flatMap(({ violation, candidates }) => {
    const sorted = candidates.toSorted((one, other) => suspicionOf(other) - suspicionOf(one))
    const [best] = sorted
    if (!best) return []
    const suspicion = sorted.length === 1 ? Infinity : suspicionOf(best)
    return [{ violation, sorted, best, suspicion, context: contexts.indexOf(best.exchange.context) }]
  })
  rated.sort(
    (one, other) =>
      one.context - other.context ||
      other.suspicion - one.suspicion ||
      one.best.exchange.at - other.best.exchange.at,
  )
  /** The cause by the plain cell of a request, and by a wrong stock or a missing element, which is one wherever it is shown. */
  const found = new Map<string, Cell>()
  for (const { violation, sorted, best } of rated) {
    const { about, problem } = violation
    const chosen = sorted.find(({ plain }) => found.has(plain)) ?? best
    const shown = about === 'stock' ? `stock ${problem.got}` : about.endsWith('listed') ? about : chosen.plain
    const keys = [chosen.plain, shown]
    const cause = keys.flatMap(key => found.get(key) ?? [])[0] ?? chosen.cell
    ledger.settle(violation, chosen.cell, cause, chosen.exchange)
    for (const key of keys) found.set(key, cause)
    // Each other request may be a second cause.
    for (const { cell } of sorted) ledger.explain(cell, cause)
  }
}

const isOwnOf = ({ ask }: Exchange, object: string | undefined): boolean =>
  object !== undefined &&
  [ask.id, ask.of].some(each => each !== undefined && canonical(each) === canonical(object))

const OF_ANOTHER = 0.25

/** The requests that may have had an effect, one of each kind. */
function candidatesOf(violation: Violation, cellFor: FindCell): readonly Candidate[] {
  const { exchange, about, problem } = violation
  const { suspects = [] } = problem
  const wasAccepted = (each: Exchange) => isRefused(each.ask) && isSuccess(each)
  const found = new Map<string, Candidate>()
  // Of the requests that must be refused, one that was accepted is shown.
  for (const each of [...suspects.filter(wasAccepted), ...suspects]) {
    const effect = effectOf(each, violation)
    const weight = effect === 'others' || effect === 'stock' ? OF_ANOTHER : 1
    for (const candidate of candidateOf(each, effect, weight, cellFor))
      if (!found.has(candidate.key)) found.set(candidate.key, candidate)
  }
  return found.size > 0 ? [...found.values()] : candidateOf(exchange, about, 1, cellFor)
}

function candidateOf(
  exchange: Exchange,
  about: string,
  weight: number,
  cellFor: FindCell,
): readonly Candidate[] {
  const cell = cellFor({ exchange, aspect: 'effect', about })
  if (!cell) return []
  const { named, refused, body } = exchange.ask
  const plain = { ...exchange, context: 'plain' as const, ask: { ...exchange.ask, row: undefined } }
  const usual = cellFor({ exchange: plain, aspect: 'effect', about }) ?? cell
  const key = [keyOf(cell), about, named, refused, body?.kind].join()
  return [{ exchange, cell, key, plain: keyOf(usual), weight }]
}

/** What a request did, if it is the cause. */
function effectOf(suspect: Exchange, { about, object }: Violation): string {
  const { ask } = suspect
  const isOfStock = about === 'stock' || about === 'pet listed'
  if (isOfStock !== (ask.operation === 'updateInventory')) return isOfStock ? 'stock' : 'others'
  if (!isOwnOf(suspect, object)) return 'others'
  const isNothing = canonical(ask.id) !== canonical(object ?? '') || ask.refused || ask.undescribed
  return isNothing || ask.body?.kind === 'invalid' || ask.body?.kind === 'empty' ? 'nothing' : 'itself'
}
