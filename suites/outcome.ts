import type { Outcome } from '../support/interface/description.ts'
import type { OperationId } from '../support/interface/operations.ts'
import { keyRules } from './authentication/wrong-keys.ts'
import type { Finding } from './cause.ts'
import { described } from './message.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log, Named } from './oracle/log.ts'
import { type Stale, staleOrders } from './oracle/stale.ts'
import { type Cell, isAbout, type Rule } from './rule.ts'
import { unreadFor } from './unread.ts'

/** The outcome of one cell, with what a reader needs to follow it. */
export interface CellOutcome {
  readonly cell: Cell
  readonly outcome: Outcome
  /** Why it is not passed. */
  readonly message?: string
  /** Of a violation: the request, what was expected and what came, in words. */
  readonly asked?: string
  readonly expected?: string
  readonly actual?: string
  /** What the user can provide, as an instruction. */
  readonly need?: string
  /** What the run does not cover, in words. */
  readonly lacks?: string
  /** The cell whose failure explains it. */
  readonly behind?: Cell | undefined
  /** The exchanges that show it, in order. */
  readonly exchanges: readonly Exchange[]
  /** Further violations of the same cell. */
  readonly more: number
}

export function judgementsOf(
  findings: readonly Finding[],
  log: Log,
  reader: ListReader,
): readonly CellOutcome[] {
  const stale = staleOrders(log, reader)
  const failed = findings.filter(({ violations }) => violations.length > 0)
  return findings.map(finding => judgementOf(finding, log, stale, failed, reader))
}

const NOT_SENT = 'no such request was sent'

function judgementOf(
  finding: Finding,
  log: Log,
  stale: readonly Stale[],
  failed: readonly Finding[],
  reader: ListReader,
): CellOutcome {
  const { cell, violations, behind, explained, checks } = finding
  const plain = { cell, exchanges: [], more: 0 }
  const [first] = violations
  if (first)
    return {
      ...plain,
      outcome: 'failed',
      ...described(violations, log, reader),
      more: violations.length - 1 + explained,
    }
  if (behind)
    return {
      ...plain,
      outcome: 'cantTell',
      behind,
      message: `its ${explained === 1 ? 'violation follows' : `${explained} violations follow`} from ${behind.rule.id} of ${behind.operation}, which has to be fixed first`,
      more: explained,
    }
  const changed = staleOf(cell, stale)
  if (changed) return { ...plain, ...changed }
  if (checks > 0) return controlled(plain, log, failed)
  const cause = failed.find(each => keepsFrom(each, cell))
  if (cause) {
    const { rule, operation } = cause.cell
    const message = `its requests violate ${rule.id} of ${operation}, which has to be fixed first`
    return { ...plain, outcome: 'cantTell', behind: cause.cell, message }
  }
  const unanswered = log.exchanges.find(each => !each.response && isSubject(each, cell))
  if (unanswered && unanswered.problem?.kind !== 'aborted') {
    const message = `${unanswered.ask.title}: ${unanswered.problem?.message}`
    const cause = failed.find(({ violations }) =>
      violations.some(
        ({ aspect, exchange: { ask } }) =>
          aspect === 'answered' &&
          ask.operation === cell.operation &&
          ask.named === unanswered.ask.named &&
          ask.refused === unanswered.ask.refused,
      ),
    )
    return { ...plain, outcome: 'cantTell', message, behind: cause?.cell, exchanges: [unanswered] }
  }
  const none = notSent(cell, log)
  // What only a provider can arrange, or another reason, does not depend on a list.
  const isUnexplained =
    none.message === NOT_SENT ||
    none.message?.includes('could not be read') ||
    (none.outcome === 'inapplicable' && !none.need)
  const unread = isUnexplained ? unreadFor(cell, log, reader) : undefined
  return { ...plain, ...(unread ? { ...unread, behind: causeIn(failed, unread.exchanges) } : none) }
}

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
function controlled(
  plain: Pick<CellOutcome, 'cell' | 'exchanges' | 'more'>,
  { exchanges }: Log,
  failed: readonly Finding[],
): CellOutcome {
  const { operation } = plain.cell
  const sent = exchanges.filter(({ ask, again }) => ask.operation === operation && again === undefined)
  const controls = sent.filter(isControl)
  const isControlled =
    controls.length > 0
      ? controls.some(isAccepted)
      : sent.some(({ response }) => (response?.status ?? 500) < 500)
  if (isControlled || sent.length === 0) return { ...plain, outcome: 'passed' }
  const message = `no request of ${operation} was accepted, so its other answers show nothing`
  return { ...plain, outcome: 'cantTell', message, behind: causeIn(failed, controls) }
}

/** Whether a conformant store accepts the request, or answers that the order has shipped. */
const isControl = ({ ask }: Exchange): boolean =>
  !ask.refused &&
  !ask.undescribed &&
  ['nothing', 'pending order', 'shipped order', 'pet'].includes(ask.named) &&
  ask.body?.kind !== 'invalid'

const isAccepted = ({ response, ask }: Exchange): boolean =>
  (response?.status ?? 500) < 300 || (ask.named === 'shipped order' && response?.status === 409)

const NAMED: readonly (readonly [Named, string])[] = [
  ['pending order', 'name three pending orders (--pending-orders), or give a states endpoint (--states-url)'],
  [
    'cancelled order',
    'name three pending orders (--pending-orders), or give a states endpoint (--states-url)',
  ],
  ['shipped order', 'name a shipped order (--shipped-orders), or give a states endpoint (--states-url)'],
  ['pet', 'name two pets whose stock may be changed (--pets), or give a states endpoint (--states-url)'],
]

/** Why a cell that is about named orders shows nothing: one of them is not what the user named. */
function staleOf({ rule, operation }: Cell, stale: readonly Stale[]) {
  const found = stale.find(({ order }) =>
    rule.judges.some(
      ({ named, about, context = 'plain' }) =>
        (operation === 'cancelOrder' &&
          context === 'plain' &&
          [named].flat().includes(`${order.state} order` as Named)) ||
        (operation === 'listOrders' && [about].flat().includes(`${order.state} listed`)),
    ),
  )
  if (!found) return undefined
  const { order, exchange } = found
  const shown = exchange
    ? `its first cancellation was answered ${exchange.response?.status}`
    : 'no list shows it'
  return {
    outcome: 'untested',
    message: `order ${order.id} was named as ${order.state}, but ${shown}`,
    need: `name orders that ${order.state === 'pending' ? 'are still pending (--pending-orders)' : 'exist and are shipped (--shipped-orders)'}, or give a states endpoint (--states-url)`,
  } as const
}

const FOR_PETS = 'orders for pets of the run'

/** What only orders that somebody arranges for the run can show. */
function arrangedOnly({ needsProvider, judges }: Rule): string | undefined {
  const areIn = (...wanted: readonly string[]) =>
    judges.every(
      ({ context }) => context !== undefined && [context].flat().every(each => wanted.includes(each)),
    )
  if (areIn('size')) return 'lists longer than a page'
  if (areIn('data')) return FOR_PETS
  return needsProvider || areIn('size', 'data') ? 'orders with chosen ids, such as one above 2^53' : undefined
}

/** A wrong key that cannot be made from the key of this store, while others were sent. */
function impossibleKey({ rule, operation }: Cell, { exchanges }: Log) {
  const { title = '', unless } = keyRules.find(({ name }) => `auth-${name}` === rule.id) ?? {}
  const isTried = exchanges.some(({ ask }) => ask.operation === operation && ask.refused !== undefined)
  return unless !== undefined && isTried
    ? ({ outcome: 'inapplicable', message: unless, lacks: title } as const)
    : undefined
}

/** Why there is nothing to judge. */
function notSent(cell: Cell, log: Log): Pick<CellOutcome, 'outcome' | 'message' | 'need' | 'lacks'> {
  const { rule, operation } = cell
  const canArrange = log.fixtures.some(({ origin }) => origin === 'arranged')
  const lacks = arrangedOnly(rule)
  if (lacks !== undefined && !canArrange)
    return {
      outcome: 'inapplicable',
      message: 'it needs orders that only a states endpoint or module can arrange',
      need: 'give a states endpoint: --states-url',
      lacks,
    }
  const unsent = log.unsent.find(
    ({ ask, context: own }) =>
      ask.operation === operation &&
      rule.judges.some(
        ({ named, row, context = 'plain' }) =>
          (context === 'any' || [context].flat().includes(own)) &&
          (named === undefined || [named].flat().includes(ask.named)) &&
          (row === undefined || [row].flat().includes(ask.row ?? '')),
      ),
  )
  const impossible = unsent ? undefined : impossibleKey(cell, log)
  if (impossible) return impossible
  const named = rule.judges.flatMap(each => each.named ?? [])
  const usual = { updateInventory: 'pet', cancelOrder: 'pending order', listOrders: '', listInventory: '' }[
    operation
  ]
  const need =
    lacks === FOR_PETS
      ? 'let the provider states arrange orders for pets that were arranged before'
      : (NAMED.find(([each]) => named.includes(each)) ?? NAMED.find(([each]) => each === usual))?.[1]
  const isBeside = rule.judges.every(({ context }) => [context].flat().includes('beside'))
  if ((need ? canArrange : isBeside) && isSerial(log))
    return {
      outcome: 'untested',
      message: 'no two requests were sent at the same time',
      need: 'run with --concurrency 2 or more',
    }
  if (unsent)
    return {
      // Naming more is no help where somebody arranges what the run may change.
      outcome:
        unsent.isInapplicable || (canArrange && isForeign(unsent.reason)) ? 'inapplicable' : 'untested',
      message: unsent.reason,
      ...(unsent.need ? { need: unsent.need } : {}),
    }
  // A read-only run, for example, has no use for names, and neither has a store that does not answer.
  const isUnused = !log.exchanges.some(
    ({ ask, response }) => ask.operation === operation && !ask.refused && response,
  )
  const refused = isUnused
    ? log.unsent.find(each => each.ask.operation === operation && each.need)
    : undefined
  if (need && refused?.need) return { outcome: 'untested', message: refused.reason, need: refused.need }
  return {
    outcome: need && !hasEnough(operation, log) ? 'untested' : 'inapplicable',
    message: NOT_SENT,
    ...(need ? { need } : {}),
    ...(lacks === undefined ? {} : { lacks }),
  }
}

const isForeign = (reason: string): boolean => reason.endsWith('which was not named or arranged')

/** Whether the run has all that a full verdict needs: what it has not sent then does not fit the ids of the store. */
function hasEnough(operation: OperationId, { fixtures, exchanges }: Log): boolean {
  const count = (resource: string, state?: string) =>
    fixtures.filter(each => each.resource === resource && each.state === state).length
  const isAccepted = exchanges.some(
    ({ ask, response }) => ask.operation === operation && !ask.refused && (response?.status ?? 500) < 300,
  )
  return (
    isAccepted &&
    (operation === 'updateInventory'
      ? count('pet') >= 2
      : count('order', 'pending') >= 3 && count('order', 'shipped') >= 1)
  )
}

/** Whether each change was asked for after the answer to the one before. */
function isSerial({ exchanges }: Log): boolean {
  const changes = exchanges.filter(({ ask }) => !ask.operation.startsWith('list'))
  return changes.every((each, at) => at === 0 || each.begun >= (changes[at - 1]?.ended ?? 0))
}
