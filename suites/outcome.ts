import type { Finding } from './cause.ts'
import { described } from './message.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log } from './oracle/log.ts'
import { staleOrders } from './oracle/stale.ts'
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
    const cause = failed.find(each => keepsFrom(each, cell))?.cell
    if (cause) return waiting(cause, `its requests violate ${nameOf(cause)}`)
    const exchanges = log.exchanges.filter(each => !each.response && isSubject(each, cell)).slice(0, 1)
    const [unanswered] = exchanges
    if (unanswered && unanswered.problem?.kind !== 'aborted') {
      const message = `${unanswered.ask.title}: ${unanswered.problem?.message}`
      return { ...waiting(causeIn(failed, exchanges), message), exchanges }
    }
    const untested = untestedFor(cell, log, reader)
    return { ...untested, behind: causeIn(failed, untested.exchanges ?? []) }
  }
  return findings.map(finding => ({ cell: finding.cell, exchanges: [], more: 0, ...judged(finding) }))
}

const nameOf = ({ rule, operation }: Cell): string =>
  `${rule.id} of ${operation}, which has to be fixed first`

/** The failed cell of which one of these exchanges shows a violation. Advice keeps no request from being accepted, and no list from being read. */
const causeIn = (failed: readonly Finding[], exchanges: readonly Exchange[]): Cell | undefined =>
  failed.find(
    ({ cell, violations }) =>
      cell.rule.level !== 'advisory' &&
      violations.some(({ exchange, problem }) =>
        [exchange, ...problem.shown].some(each => exchanges.includes(each)),
      ),
  )?.cell

/** Whether the violations of one cell are of requests that another one would judge: nothing is said of what comes after the first. */
const keepsFrom = ({ cell: { rule, operation }, violations }: Finding, cell: Cell): boolean =>
  operation === cell.operation &&
  rule.level !== 'advisory' &&
  violations.some(({ exchange }) => isSubject(exchange, cell))

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
        causeIn(failed, controls),
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
