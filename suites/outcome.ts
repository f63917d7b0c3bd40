import type { Outcome } from '../support/interface/description.ts'
import type { OperationId } from '../support/interface/operations.ts'
import { keyRules } from './authentication/wrong-keys.ts'
import type { Finding } from './cause.ts'
import { described } from './message.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log, Named, Unsent, Violation } from './oracle/log.ts'
import { type Stale, staleOrders } from './oracle/timeline.ts'
import { type Cell, isAbout } from './rule.ts'

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

type Judged = Pick<CellOutcome, 'outcome'> & Partial<CellOutcome>

const waiting = (behind: Cell | undefined, message: string): Judged => ({
  outcome: 'cantTell',
  message,
  behind,
})

export function judgementsOf(
  findings: readonly Finding[],
  log: Log,
  reader: ListReader,
): readonly CellOutcome[] {
  const stale = staleOrders(log, reader)
  const failed = findings.filter(({ violations }) => violations.length > 0)
  const judged = ({ cell, violations, behind, explained, checks }: Finding): Judged => {
    if (violations.length > 0)
      return {
        outcome: 'failed',
        ...described(violations, log, reader),
        more: violations.length - 1 + explained,
      }
    if (behind) {
      const follow = explained === 1 ? 'violation follows' : `${explained} violations follow`
      return { ...waiting(behind, `its ${follow} from ${nameOf(behind)}`), more: explained }
    }
    const changed = staleFor(cell, stale)
    if (changed) return changed
    if (checks > 0) return controlled(cell, log, failed)
    // Nothing is said of what comes after the first violation of an answer.
    const cause = causeIn(failed, ({ exchange }) => isSubject(exchange, cell))
    if (cause) return waiting(cause, `its requests violate ${nameOf(cause)}`)
    const unanswered = log.exchanges.find(
      each => !each.response && isSubject(each, cell) && !isRepeated(each, log),
    )
    if (unanswered && unanswered.problem?.kind !== 'aborted') {
      const { ask, problem } = unanswered
      const isSame = ({ aspect, exchange }: Violation) =>
        aspect === 'answered' && exchange.ask.named === ask.named && exchange.ask.refused === ask.refused
      const behind = causeIn(failed, each => each.exchange.ask.operation === ask.operation && isSame(each))
      return { ...waiting(behind, `${ask.title}: ${problem?.message}`), exchanges: [unanswered] }
    }
    const unsent = unsentFor(cell, log, reader)
    return { ...unsent, behind: causeIn(failed, showing(unsent.exchanges ?? [])) }
  }
  return findings.map(finding => ({ cell: finding.cell, exchanges: [], more: 0, ...judged(finding) }))
}

/** Whether a further attempt followed: a store may close a kept connection at any time (RFC 9112 §9.5). */
const isRepeated = ({ at, attempt, ask }: Exchange, { exchanges }: Log): boolean =>
  exchanges.slice(at).some(each => each.attempt > attempt && each.ask.title === ask.title)

const nameOf = ({ rule, operation }: Cell): string =>
  `${rule.id} of ${operation}, which has to be fixed first`

/** The failed cell with such a violation. Advice keeps no request from being accepted, and no list from being read. */
const causeIn = (failed: readonly Finding[], isIt: (violation: Violation) => boolean): Cell | undefined =>
  failed.find(({ cell, violations }) => cell.rule.level !== 'advisory' && violations.some(isIt))?.cell

const showing =
  (exchanges: readonly Exchange[]) =>
  ({ exchange, problem }: Violation): boolean =>
    [exchange, ...problem.shown].some(each => exchanges.includes(each))

/** Whether a cell judges anything of the answer to this request, or would, had it been accepted. */
const isSubject = (exchange: Exchange, { rule, operation }: Cell): boolean =>
  exchange.ask.operation === operation &&
  rule.judges.some(({ about: _about, got: _got, answered = 200, ...subject }) =>
    isAbout(
      { ...subject, aspect: 'status', ...(answered < 300 ? {} : { answered }) },
      { exchange, aspect: 'status', about: '' },
    ),
  )

/** An answer shows something only if the operation works: a store that answers 500 to everything passes nothing. */
function controlled({ operation }: Cell, { exchanges }: Log, failed: readonly Finding[]): Judged {
  const sent = exchanges.filter(({ ask, again }) => ask.operation === operation && again === undefined)
  const controls = sent.filter(isControl)
  const isControlled =
    controls.length > 0
      ? controls.some(isAccepted)
      : sent.some(({ response }) => (response?.status ?? 500) < 500)
  return isControlled || sent.length === 0
    ? { outcome: 'passed' }
    : waiting(
        causeIn(failed, showing(controls)),
        `no request of ${operation} was accepted, so its other answers show nothing`,
      )
}

/** Whether a conformant store accepts the request, or answers that the order has shipped. */
const isControl = ({ ask }: Exchange): boolean =>
  !ask.refused &&
  !ask.undescribed &&
  ['nothing', 'pending order', 'shipped order', 'pet'].includes(ask.named) &&
  ask.body?.kind !== 'invalid'

const isAccepted = ({ response, ask }: Exchange): boolean =>
  (response?.status ?? 500) < 300 || (ask.named === 'shipped order' && response?.status === 409)

const OR_STATES = ', or give a states endpoint (--states-url)'

/** Why a cell that is about named orders shows nothing: one of them is not what the user named. */
function staleFor({ rule, operation }: Cell, stale: readonly Stale[]): Judged | undefined {
  const found = stale.find(({ order: { state } }) =>
    rule.judges.some(({ named, about, context = 'plain' }) =>
      operation === 'cancelOrder'
        ? context === 'plain' && [named].flat().includes(`${state} order` as Named)
        : operation === 'listOrders' && [about].flat().includes(`${state} listed`),
    ),
  )
  if (!found) return undefined
  const { order, exchange } = found
  const shown = exchange
    ? `its first cancellation was answered ${exchange.response?.status}`
    : 'no list shows it'
  const other =
    order.state === 'pending'
      ? 'are still pending (--pending-orders)'
      : 'exist and are shipped (--shipped-orders)'
  return {
    outcome: 'untested',
    message: `order ${order.id} was named as ${order.state}, but ${shown}`,
    need: `name orders that ${other}${OR_STATES}`,
  }
}

const NOT_SENT = 'no such request was sent'

/** Why none of the requests that a cell judges was sent. */
function unsentFor(cell: Cell, log: Log, reader: ListReader): Judged {
  const { rule, operation } = cell
  const { needsProvider: lacks } = rule
  const canArrange = log.fixtures.some(({ origin }) => origin === 'arranged')
  if (lacks && !canArrange)
    return {
      outcome: 'inapplicable',
      message: 'it needs orders that only a states endpoint or module can arrange',
      need: 'give a states endpoint: --states-url',
      lacks,
    }
  const ofOperation = log.unsent.filter(({ ask }) => ask.operation === operation)
  const isUsed = log.exchanges.some(
    each => each.ask.operation === operation && !each.ask.refused && each.response,
  )
  const isJudged = (each: Unsent) =>
    rule.judges.some(
      ({ named, row, context = 'plain' }) =>
        (context === 'any' || [context].flat().includes(each.context)) &&
        (named === undefined || [named].flat().includes(each.ask.named)) &&
        (row === undefined || [row].flat().includes(each.ask.row ?? '')),
    )
  // A read-only run, for example, has no use for names, and neither has a store that does not answer.
  const unsent = ofOperation.find(isJudged) ?? (isUsed ? undefined : ofOperation.find(({ need }) => need))
  const lists = ['listOrders', 'listInventory'] as const
  const own = operation.endsWith('Inventory') ? lists[1] : lists[0]
  const unread = unreadFor([own], log, reader)
  // What was refused for another reason does not depend on a list.
  if (unread && (!unsent || unsent.reason.includes('could not be read'))) return unread
  if (unsent) {
    // Naming more is no help where somebody arranges what the run may change.
    const isOfOthers = canArrange && unsent.reason.endsWith('which was not named or arranged')
    const { reason: message, need, isInapplicable } = unsent
    return {
      outcome: isInapplicable || isOfOthers ? 'inapplicable' : 'untested',
      message,
      ...(need && { need }),
    }
  }
  const need = needOf(cell, log)
  const isSimultaneous = rule.judges.every(({ about, context }) => about === 'once' || context === 'beside')
  if (need) return { outcome: 'untested', message: NOT_SENT, need }
  if (isSimultaneous && isSerial(log))
    return {
      outcome: 'untested',
      message: 'no two requests were sent at the same time',
      need: 'run with --concurrency 2 or more',
    }
  return (
    impossibleKey(cell, log) ??
    unreadFor(lists, log, reader) ?? {
      outcome: 'inapplicable',
      message: NOT_SENT,
      ...(lacks && { lacks, need: `let the provider states arrange ${lacks}` }),
    }
  )
}

/** What a full verdict needs, for requests of an operation or that name such an order. */
const NEEDS = [
  {
    of: ['shipped order', 'shipped listed'],
    has: ['order', 'shipped', 1],
    text: 'name a shipped order (--shipped-orders)',
  },
  {
    of: ['pending order', 'cancelled order', 'pending listed', 'cancelOrder'],
    has: ['order', 'pending', 3],
    text: 'name three pending orders (--pending-orders)',
  },
  {
    of: ['updateInventory'],
    has: ['pet', undefined, 2],
    text: 'name two pets whose stock may be changed (--pets)',
  },
] as const

/** What has to be named. Undefined if the run has it: what it has not sent then does not fit the ids of the store. */
function needOf({ rule, operation }: Cell, { fixtures }: Log): string | undefined {
  const names: readonly string[] = [
    ...rule.judges.flatMap(({ named = [], about = [] }) => [named, about].flat()),
    operation,
  ]
  const missing = NEEDS.find(({ of, has: [resource, state, count] }) => {
    const own = fixtures.filter(each => each.resource === resource && each.state === state)
    return of.some(each => names.includes(each)) && own.length < count
  })
  return missing && `${missing.text}${OR_STATES}`
}

/** A wrong key that cannot be made from the key of this store, while others were sent. */
function impossibleKey({ rule, operation }: Cell, { exchanges }: Log): Judged | undefined {
  const { title, unless } = keyRules.find(({ name }) => `auth-${name}` === rule.id) ?? {}
  const isTried = exchanges.some(({ ask }) => ask.operation === operation && ask.refused !== undefined)
  return unless && title && isTried ? { outcome: 'inapplicable', message: unless, lacks: title } : undefined
}

/** Whether each change was asked for after the answer to the one before. */
function isSerial({ exchanges }: Log): boolean {
  const changes = exchanges.filter(({ ask }) => !ask.operation.startsWith('list'))
  return changes.every((each, at) => at === 0 || each.begun >= (changes[at - 1]?.ended ?? 0))
}

/** A list that could not be read. It is not an empty one: naming other orders or pets would not help. */
function unreadFor(
  lists: readonly OperationId[],
  { exchanges }: Log,
  reader: ListReader,
): Judged | undefined {
  const unread = exchanges.find(
    each =>
      lists.includes(each.ask.operation) &&
      each.context === 'plain' &&
      // A run that is stopped aborts its last requests. In another form, a server may decline them.
      each.problem?.kind !== 'aborted' &&
      !each.ask.refused &&
      !each.ask.undescribed &&
      !each.ask.declined?.includes(each.response?.status ?? 0) &&
      !reader.read(each),
  )
  if (!unread) return undefined
  const { ask, response, problem } = unread
  const answered =
    response?.status === 200 ? 'it is not a JSON array of objects' : `it was answered ${response?.status}`
  return {
    outcome: 'cantTell',
    message: `${NOT_SENT}, because ${ask.title} could not be read: ${response ? answered : problem?.message}`,
    exchanges: [unread],
  }
}
