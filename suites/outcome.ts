import type { Finding } from './cause.ts'
import { described } from './message.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log, Violation } from './oracle/log.ts'
import { staleOrders } from './oracle/timeline.ts'
import { type Cell, isAbout } from './rule.ts'
import { type Reasoned, staleFor, untestedFor } from './untested.ts'

/** The outcome of one cell, with what a reader needs to follow it. */
export interface CellOutcome extends Reasoned {
  readonly cell: Cell
  /** Of a violation: the request, what was expected and what came, in words. */
  readonly asked?: string
  readonly expected?: string
  readonly actual?: string
  /** The cell whose failure explains it. */
  readonly behind?: Cell | undefined
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
    const untested = untestedFor(cell, log, reader)
    return { ...untested, behind: causeIn(failed, showing(untested.exchanges ?? [])) }
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
