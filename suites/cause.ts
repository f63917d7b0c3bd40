import { type Check, contexts, type Exchange, isViolation, type Violation } from './oracle/log.ts'
import { type Cell, type FindCells, finderOf, isAbout, isRefused, type Rule } from './rule.ts'
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
  const cellsFor = finderOf(rules, cells)
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
  const dropped = overlapping(checks)
  const postponed = attributeAnswers(checks, dropped, cellsFor, ledger)
  attributeEffects(
    checks.filter(each => !isViolation(each) || !dropped.has(each)),
    cellsFor,
    ledger,
  )
  for (const [violation, other] of [...postponed, ...dropped]) {
    const [cell, cause] = [cellsFor(violation)[0], ledger.causes.get(dropped.get(other) ?? other)]
    if (cell && cause) ledger.explain(cell, cause)
  }
  return ledger
}

/**
 * Violations that are the same as another one, seen from the other side. An order that should be pending and is not violates its answer
 * and its history at once: if other pending orders are cancelled with 204, and this answer comes only after requests that may have changed
 * the order, one of them has; else the answer is the cause. An update whose wrong stock the list shows as well did more than answer
 * wrongly. What a list does not show any more is answered like what does not exist.
 */
function overlapping(checks: readonly Check[]): ReadonlyMap<Violation, Violation> {
  const isCancellable = checks.some(
    ({ exchange: { ask, response }, aspect }) =>
      aspect === 'status' && ask.named === 'pending order' && !ask.refused && response?.status === 204,
  )
  const violations = checks.filter(isViolation)
  const states = violations.filter(({ aspect }) => aspect === 'effect')
  const stateOf = new Map(states.map(state => [state.exchange, state]))
  const entryOf = new Map(
    violations
      .filter(({ aspect, about }) => aspect === 'fields' && about === 'quantity')
      .map(each => [each.exchange, each]),
  )
  const hasSuspects = ({ problem }: Violation) => (problem.suspects?.length ?? 0) > 0
  const pairs = violations.flatMap(answer => {
    const state = stateOf.get(answer.exchange)
    return state && answer.aspect !== 'effect' && answer.aspect !== 'advice' ? [{ answer, state }] : []
  })
  const certain = new Set(
    pairs.filter(({ state }) => !hasSuspects(state)).map(({ answer }) => answer.problem.got),
  )
  const same = new Map<Violation, Violation>()
  for (const state of states)
    for (const entry of state.problem.suspects?.flatMap(each => entryOf.get(each) ?? []) ?? [])
      if (entry.problem.got === state.problem.got) same.set(entry, state)
  const lost = states.filter(({ about }) => about.endsWith(' listed'))
  for (const answer of violations) {
    const { ask, ended } = answer.exchange
    const state = lost.find(
      each =>
        each.object === ask.id &&
        ended > (each.problem.shown[0]?.begun ?? 0) &&
        each.exchange !== answer.exchange,
    )
    if (answer.aspect === 'status' && answer.problem.got === '404' && state) same.set(answer, state)
  }
  const refused = violations.find(
    ({ aspect, exchange: { ask } }) => aspect === 'status' && ask.named === 'pending order' && !ask.refused,
  )
  for (const state of states)
    if (state.about === 'pending' && !isCancellable && refused) same.set(state, refused)
  for (const { answer, state } of pairs)
    if (isCancellable && hasSuspects(state) && !certain.has(answer.problem.got)) same.set(answer, state)
    else same.set(state, answer)
  return same
}

/** A violation, the cell that judges it, and the exchange before it on its connection. */
interface Attributed {
  readonly cell: Cell
  readonly violation: Violation
  readonly before: Exchange | undefined
}

/**
 * In an order in which what explains a violation comes before it, and is no consequence of another one itself.
 * @param dropped violations that are the same as another one
 * @returns those that a dropped one explains
 */
function attributeAnswers(
  checks: readonly Check[],
  dropped: ReadonlyMap<Violation, Violation>,
  cellsFor: FindCells,
  ledger: Ledger,
): ReadonlyMap<Violation, Violation> {
  const postponed = new Map<Violation, Violation>()
  const seldom = seldomIn(checks)
  const before = predecessorsIn(checks)
  const answers = checks
    .filter(isViolation)
    .filter(({ aspect }) => aspect !== 'effect')
    .flatMap(violation => {
      const [cell] = cellsFor(violation)
      return cell ? [{ cell, violation, before: before.get(violation.exchange) }] : []
    })
    .sort((one, other) => rankOf(one, seldom) - rankOf(other, seldom))
  const found = new Map<string, Attributed[]>()
  const note = (key: string, each: Attributed) => void found.set(key, [...(found.get(key) ?? []), each])
  for (const each of answers) {
    const { violation, cell } = each
    const cause =
      consequencesOf(each).flatMap(key => found.get(key) ?? [])[0] ??
      found.get(kindOf(violation))?.find(other => isTwin(other.violation, violation, dropped))
    const isOwn = cause === undefined || cause.cell === cell
    if (cause && dropped.has(cause.violation)) postponed.set(violation, cause.violation)
    else if (!isOwn) ledger.explain(cell, cause.cell, violation)
    else if (!dropped.has(violation)) ledger.blame(cell, violation)
    for (const key of isOwn ? [kindOf(violation), ...causesOf(each)] : []) note(key, each)
    // Where its body ends is not known, so what follows is read wrongly.
    if (['answered', 'body', 'json'].includes(violation.aspect))
      note(`after ${violation.exchange.at}`, isOwn ? each : cause)
  }
  return postponed
}

/** General rules first, then the contexts in their order, and in each those about a row of a table last. */
function rankOf({ cell, violation, before }: Attributed, seldom: ReadonlySet<Violation>): number {
  const isSecond = isRefused(violation.exchange.ask) && isRefusedUpdate(before)
  if (cell.rule.isGeneral && !isSecond) return -1
  const { row } = cell.rule.judges.find(subject => isAbout(subject, violation)) ?? {}
  const context = seldom.has(violation) ? contexts.length : contexts.indexOf(violation.exchange.context)
  return 2 * context + Number(row !== undefined) + (isSecond ? 0.5 : 0)
}

const isTwin = (
  other: Violation,
  { exchange, aspect, problem }: Violation,
  dropped: ReadonlyMap<Violation, unknown>,
) =>
  other.problem.got === problem.got ||
  aspect === 'fields' ||
  (other.exchange.context === 'plain' && exchange.context !== 'plain' && !dropped.has(other))

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

const AFTER_REFUSED = 'after a refused update on the same connection'

/** What a violation explains beside those of its kind. */
const causesOf = ({ cell, violation, violation: { exchange }, before }: Attributed): readonly string[] => [
  ...withoutKeyOf(violation),
  ...(cell.rule.isGeneral ? [areaOf(exchange.ask.operation, isRefused(exchange.ask))] : []),
  ...(isRefusedUpdate(before) && exchange.context === 'plain' ? [AFTER_REFUSED] : []),
]

/** The circumstances that may explain a violation, if they have explained another one. */
function consequencesOf({ violation, before }: Attributed): readonly string[] {
  const { exchange, aspect } = violation
  const { operation, refused } = exchange.ask
  // A store that refuses the key refuses it in every notation.
  if (aspect === 'advice') return refused === 'open' ? [areaOf(operation, false)] : []
  return [
    ...(refused === 'open' ? [true, false] : [isRefused(exchange.ask)]).map(each => areaOf(operation, each)),
    ...withoutKeyOf(violation),
    ...(before ? [`after ${before.at}`] : []),
    ...(isRefusedUpdate(before) ? [AFTER_REFUSED] : []),
  ]
}

/** In a context, requests without a key and with a wrong one are the same, and so they are for a store that breaks down. */
const withoutKeyOf = ({ exchange: { ask, context }, aspect, problem }: Violation): readonly string[] =>
  isRefused(ask) && (context !== 'plain' || isServerError(problem.got))
    ? [`${ask.operation} ${aspect} without a key ${problem.got}`]
    : []

const areaOf = (operation: string, isWithoutKey: boolean): string =>
  `any answer of ${operation} ${isWithoutKey ? 'without a key' : ''}`

const isRefusedUpdate = (exchange: Exchange | undefined): boolean =>
  exchange?.ask.operation === 'updateInventory' && (exchange.response?.status ?? 0) >= 400

/** The exchange before each one on its connection. */
function predecessorsIn(checks: readonly Check[]): ReadonlyMap<Exchange, Exchange> {
  const last = new Map<number, Exchange>()
  const before = new Map<Exchange, Exchange>()
  for (const { exchange, aspect } of checks) {
    const { connection } = exchange
    if (connection === undefined || aspect !== 'answered') continue
    const previous = last.get(connection)
    if (previous) before.set(exchange, previous)
    last.set(connection, exchange)
  }
  return before
}

/** Plain answers that are wrong once in a while, and right most times: something else decides, which a context may show. */
function seldomIn(checks: readonly Check[]): ReadonlySet<Violation> {
  const plain = checks.filter(
    ({ aspect, exchange: { ask, context }, problem }) =>
      aspect === 'status' &&
      context === 'plain' &&
      (isRefused(ask) ? !problem || isServerError(problem.got) : !ask.row || ask.refused === 'open'),
  )
  const nameOf = (check: Check) =>
    isRefused(check.exchange.ask) ? `${check.exchange.ask.operation} without a key` : kindOf(check)
  const counts = new Map<string, { right: number; wrong: number }>()
  for (const check of plain) {
    const count = counts.get(nameOf(check)) ?? { right: 0, wrong: 0 }
    counts.set(nameOf(check), count)
    if (check.problem) count.wrong += 1
    else count.right += 1
  }
  return new Set(
    plain.filter(isViolation).filter(each => {
      const { right = 0, wrong = 0 } = counts.get(nameOf(each)) ?? {}
      return right > wrong
    }),
  )
}

const isServerError = (got: string): boolean => /^5/.test(got)
