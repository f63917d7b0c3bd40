import { type Check, contexts, type Exchange, isViolation, type Violation } from './oracle/log.ts'
import { type Cell, type FindCells, finderOf, isRefused, type Rule } from './rule.ts'
import { attributeEffects, Ledger } from './suspects.ts'

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

/** Attributes each violation to one rule. What another violation explains is counted, not listed: one cause is one failure. */
export function findingsOf(checks: readonly Check[], rules: readonly Rule[]): readonly Finding[] {
  const cells = rules.flatMap(rule => rule.operations.map(operation => ({ rule, operation })))
  const cellsFor = finderOf(cells)
  const counts = new Map<Cell, number>()
  for (const check of checks)
    for (const cell of cellsFor(check)) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const ledger = checks.some(isViolation) ? attributed(checks, cellsFor) : new Ledger()
  return cells.map(cell => {
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

function attributed(checks: readonly Check[], cellsFor: FindCells): Ledger {
  const ledger = new Ledger()
  const same = overlapping(checks)
  attributeAnswers(checks, same, cellsFor, ledger)
  attributeEffects(
    checks.filter(each => !isViolation(each) || !same.has(each)),
    cellsFor,
    ledger,
  )
  for (const [violation, other] of same) {
    const [cell, cause] = [cellsFor(violation)[0], ledger.causes.get(other)]
    if (cell && cause) ledger.explain(cell, cause)
  }
  return ledger
}

/**
 * Violations that are the same as another one, seen from the other side. An order that should be pending and is not violates its answer
 * and its history at once: if others are cancelled, and requests before may have changed this one, one of them has; else the answer is
 * the cause. An update whose wrong stock the list shows as well did more than answer wrongly.
 */
function overlapping(checks: readonly Check[]): Map<Violation, Violation> {
  const same = new Map<Violation, Violation>()
  const violations = checks.filter(isViolation)
  const cancellations = checks.filter(
    ({ aspect, exchange: { ask } }) => aspect === 'status' && ask.named === 'pending order' && !ask.refused,
  )
  const isCancellable = cancellations.some(({ exchange }) => exchange.response?.status === 204)
  const refused = isCancellable ? undefined : cancellations.find(isViolation)
  const answers = violations.filter(({ aspect }) => aspect !== 'effect' && aspect !== 'advice')
  const states = violations.filter(({ aspect }) => aspect === 'effect')
  // Of a list that shows several, one is taken for its answer.
  const stateOf = new Map(states.map(state => [state.exchange, state]))
  for (const state of states) {
    const { suspects = [], got } = state.problem
    if (state.about === 'pending' && refused) same.set(state, refused)
    for (const answer of answers) {
      const isEntry = answer.aspect === 'fields' && answer.about === 'quantity'
      if (isEntry && answer.problem.got === got && suspects.includes(answer.exchange)) same.set(answer, state)
      // What a list does not show any more is answered like what does not exist.
      const isLost =
        state.about.endsWith(' listed') &&
        state.object === answer.exchange.ask.id &&
        answer.aspect === 'status' &&
        answer.problem.got === '404' &&
        answer.exchange.ended > (state.problem.shown[0]?.begun ?? 0)
      if (isLost && answer.exchange !== state.exchange) same.set(answer, state)
      if (stateOf.get(answer.exchange) === state)
        if (isCancellable && suspects.length > 0) same.set(answer, state)
        else same.set(state, answer)
    }
  }
  return same
}

/**
 * In an order in which what explains a violation comes before it, and is no consequence of another one itself.
 * @param same violations that are the same as another one. What one of them explains is added
 */
function attributeAnswers(
  checks: readonly Check[],
  same: Map<Violation, Violation>,
  cellsFor: FindCells,
  ledger: Ledger,
): void {
  const seldom = seldomIn(checks)
  const isAfterRefusedUpdate = ({ at, ask, connection }: Exchange): boolean => {
    if (connection === undefined || !isRefused(ask)) return false
    const before = checks.findLast(
      ({ aspect, exchange }) =>
        aspect === 'answered' && exchange.connection === connection && exchange.at < at,
    )?.exchange
    return before?.ask.operation === 'updateInventory' && (before.response?.status ?? 0) >= 400
  }
  // General rules come first. After a refused update on the same connection, another cause is likely.
  const rankOf = ({ rule }: Cell, violation: Violation): number => {
    const isSecond = isAfterRefusedUpdate(violation.exchange)
    if (rule.isGeneral && !isSecond) return -1
    const context = seldom.has(violation) ? contexts.length : contexts.indexOf(violation.exchange.context)
    return context + (isSecond ? 0.5 : 0)
  }
  const answers = checks
    .filter(isViolation)
    .filter(({ aspect }) => aspect !== 'effect')
    .flatMap(violation => {
      const [cell] = cellsFor(violation)
      return cell ? [{ cell, violation, rank: rankOf(cell, violation) }] : []
    })
    .sort((one, other) => one.rank - other.rank)
  const found = new Map<string, (typeof answers)[number][]>()
  for (const each of answers) {
    const { violation, cell } = each
    const area = areaOf(violation)
    const withoutKey = withoutKeyOf(violation)
    const kind = kindOf(violation)
    const cause =
      [area, ...withoutKey].flatMap(key => found.get(key) ?? [])[0] ??
      found.get(kind)?.find(other => isTwin(other.violation, violation))
    const other = cause && same.get(cause.violation)
    if (other) same.set(violation, other)
    else if (cause && cause.cell !== cell) ledger.explain(cell, cause.cell, violation)
    else if (!same.has(violation)) ledger.blame(cell, violation)
    if (cause && cause.cell !== cell) continue
    for (const key of [kind, ...withoutKey, ...(cell.rule.isGeneral ? [area] : [])])
      found.set(key, [...(found.get(key) ?? []), each])
  }
}

const isTwin = (other: Violation, { exchange, aspect, problem }: Violation) =>
  other.problem.got === problem.got ||
  aspect === 'fields' ||
  (other.exchange.context === 'plain' && exchange.context !== 'plain')

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
  isRefused(ask) && aspect !== 'advice' && (context !== 'plain' || isServerError(problem.got))
    ? [`${ask.operation} ${aspect} without a key ${problem.got}`]
    : []

/** What the failure of a general rule explains. */
const areaOf = ({ exchange: { ask } }: Violation): string =>
  `any answer of ${ask.operation} ${isRefused(ask) ? 'without a key' : ''}`

/** Plain answers that are wrong once in a while, and right most times: something else decides, which a context may show. */
function seldomIn(checks: readonly Check[]): ReadonlySet<Check> {
  const counts = new Map<string, { right: number; wrong: Check[] }>()
  for (const check of checks) {
    const { aspect, exchange, problem } = check
    const { ask, context } = exchange
    if (aspect !== 'status' || context !== 'plain') continue
    const isUsual = isRefused(ask)
      ? !problem || isServerError(problem.got)
      : !ask.row || ask.refused === 'open'
    if (!isUsual) continue
    const name = isRefused(ask) ? `${ask.operation} without a key` : kindOf(check)
    const count = counts.get(name) ?? { right: 0, wrong: [] }
    counts.set(name, count)
    if (problem) count.wrong.push(check)
    else count.right += 1
  }
  return new Set([...counts.values()].flatMap(({ right, wrong }) => (right > wrong.length ? wrong : [])))
}

const isServerError = (got: string): boolean => /^5/.test(got)
