import type { OperationId } from '../support/interface/operations.ts'
import type { Finding } from './cause.ts'
import { answerChecks } from './oracle/answer.ts'
import { type ListReader, stockIn } from './oracle/lists.ts'
import { type Exchange, isViolation, type Log, type Violation } from './oracle/log.ts'
import { staleOrders } from './oracle/orders.ts'
import { type Cell, type CellOutcome, isAbout, type Judged } from './rule.ts'
import { insteadOf, isRepeated, staleFor, untestedFor } from './untested.ts'

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
  /** An answer shows something only if the operation works: a store that answers 500 to everything passes nothing. */
  const controlled = (operation: OperationId): Judged => {
    const sent = log.exchanges.filter(({ ask, again }) => ask.operation === operation && again === undefined)
    const controls = sent.filter(isControl)
    const isWorking = ({ response }: Exchange) => (response?.status ?? 500) < 500
    const isControlled = controls.length > 0 ? controls.some(isAccepted) : sent.some(isWorking)
    if (isControlled || sent.length === 0) return { outcome: 'passed' }
    const message = `no request of ${operation} was accepted, so its other answers show nothing`
    const [other] = operation === 'cancelOrder' ? stale : []
    const need = other && { need: insteadOf(other) }
    return { ...waiting(causeIn(failed, showing(controls)), message), ...need }
  }
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
    if (checks > 0) return controlled(cell.operation)
    // Nothing is said of what comes after the first violation of an answer.
    const cause = causeIn(failed, ({ exchange }) => isSubject(exchange, cell))
    if (cause) return waiting(cause, `its requests violate ${nameOf(cause)}`)
    const unanswered = log.exchanges.find(
      each => !each.response && isSubject(each, cell) && !isRepeated(each, log),
    )
    if (unanswered && unanswered.problem?.kind !== 'aborted') {
      const { ask, problem } = unanswered
      const behind = causeIn(
        failed,
        ({ aspect, exchange }) => aspect === 'answered' && kindOf(exchange) === kindOf(unanswered),
      )
      return { ...waiting(behind, `${ask.title}: ${problem?.message}`), exchanges: [unanswered] }
    }
    const unsent = untestedFor(cell, log, reader)
    return { ...unsent, behind: causeIn(failed, showing(unsent.exchanges ?? [])) }
  }
  return findings.map(finding => ({ cell: finding.cell, exchanges: [], more: 0, ...judged(finding) }))
}

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

/** Whether a conformant store accepts the request, or answers that the order has shipped. */
const isControl = ({ ask }: Exchange): boolean =>
  !ask.refused &&
  !ask.undescribed &&
  ['nothing', 'pending order', 'shipped order', 'pet'].includes(ask.named) &&
  ask.body?.kind !== 'invalid'

const isAccepted = ({ response, ask }: Exchange): boolean =>
  (response?.status ?? 500) < 300 || (ask.named === 'shipped order' && response?.status === 409)

/**
 * What was asked, what was expected and what came, and whether it comes again alone.
 * @param violations of one rule, of which the first is described
 */
function described(violations: readonly Violation[], log: Log, reader: ListReader): Partial<CellOutcome> {
  const [violation] = violations as [Violation]
  const { exchange, aspect, problem } = violation
  const history = historyOf(violation, log)
  const all = new Set([...problem.shown, exchange, ...history])
  const exchanges = log.exchanges.filter(each => all.has(each))
  // An effect may be that of an earlier request than the one that shows it.
  const showing = exchanges.findLast(each => each.begun > exchange.begun && aspect === 'effect')
  const asked = `${requestOf(exchange)} (${[exchange.ask.title, ...formsBehind(violations, log)].join('; ')})`
  const expected = `${problem.expected}${showing ? ' afterwards' : ''}`
  const actual = `${problem.got}${showing ? ` in ${requestOf(showing)}` : ''}${stockBefore(violation, reader)}`
  const alone = repeatedAlone(violation, history, log, reader)
  return {
    asked,
    expected,
    actual,
    exchanges,
    message: `${asked}: expected ${expected}, got ${actual}${alone}`,
  }
}

const SHOWN = 60

/** A request on one line: its method, its path, and the beginning of its body. */
function requestOf({ request: { method, url, body = '' } }: Exchange): string {
  const text = /^[ -~]*$/.test(body) ? body : JSON.stringify(body)
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return `${method} ${url.replace(/^\w+:\/\/[^/]*/, '')}${shown === '' ? '' : ` ${shown}`}`
}

/** The stock that the list before showed. */
function stockBefore({ about, object = '', problem: { shown } }: Violation, reader: ListReader): string {
  const [first, ...others] = shown
  const before =
    about === 'stock' && first && others.length > 0 ? stockIn(reader.read(first), object) : undefined
  return before === undefined ? '' : ` (${before} before)`
}

const kindOf = ({ ask: { operation, named, refused, body } }: Exchange): string =>
  [operation, named, refused, body?.kind].join()

/** The forms that all requests with this violation have in common, and no right request of their kinds. Else those of the first. */
function formsBehind(violations: readonly Violation[], { exchanges }: Log): readonly string[] {
  const [{ exchange, aspect, about }] = violations as [Violation]
  const own = exchange.ask.form ?? []
  const same = violations.filter(each => each.aspect === aspect && each.about === about)
  const wrong = same.map(each => each.exchange).filter(({ ask }) => ask.form)
  const kinds = new Set(wrong.map(kindOf))
  const right = exchanges.filter(
    each => each.response && each.again === undefined && kinds.has(kindOf(each)) && !wrong.includes(each),
  )
  const has = (form: string) => (each: Exchange) => each.ask.form?.includes(form)
  const common = own.filter(form => wrong.every(has(form)) && !right.some(has(form)))
  return common.length > 0 ? common : own
}

const HISTORY = 3

/** What the run sent at the same time as a wrong answer, or before it on its connection. */
function historyOf({ exchange, aspect }: Violation, { exchanges }: Log): readonly Exchange[] {
  if (aspect === 'effect' || !['after', 'beside', 'history'].includes(exchange.context)) return []
  const others = exchanges.filter(
    each => each !== exchange && each.begun < exchange.ended && each.again === undefined,
  )
  const beside = others.filter(({ ended }) => ended > exchange.begun)
  const before = others.filter(({ connection }) => connection === exchange.connection)
  return beside.length > 0 ? beside.slice(-HISTORY) : before.slice(-1)
}

/** Whether a violation in a context is there without it, and what was sent at the same time, or before it. */
function repeatedAlone(
  { exchange, aspect }: Violation,
  history: readonly Exchange[],
  { exchanges }: Log,
  reader: ListReader,
): string {
  const again = exchanges.find(each => each.again === exchange.at)
  const checks = again ? answerChecks(again, { mayBeCancelled: false, mayBe: () => false }, reader) : []
  if (again && (!again.response || checks.some(each => isViolation(each) && each.aspect === aspect)))
    return '. It is the same when the request is sent again alone'
  const sent = history
    .map(each => `${requestOf(each)}${each.ask.refused ? ' without a valid key' : ''}`)
    .join(', and ')
  const when = history.some(({ ended }) => ended > exchange.begun) ? 'At the same time' : 'Before it'
  return `${again ? '. Sent again alone, it is answered as expected' : ''}${sent === '' ? '' : `. ${when}, the run sent ${sent}`}`
}
