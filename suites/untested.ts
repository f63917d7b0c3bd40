import type { OperationId } from '../support/interface/operations.ts'
import { keyRules } from './authentication/wrong-keys.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log, Named, Unsent } from './oracle/log.ts'
import type { Stale } from './oracle/orders.ts'
import type { Cell, Judged } from './rule.ts'

const OR_STATES = ', or give a states endpoint (--states-url)'

/** Why a cell that is about named orders shows nothing: one of them is not what the user named. */
export function staleFor({ rule, operation }: Cell, stale: readonly Stale[]): Judged | undefined {
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
  return {
    outcome: 'untested',
    message: `order ${order.id} was named as ${order.state}, but ${shown}`,
    need: insteadOf(found),
  }
}

export const insteadOf = ({ order: { id, state } }: Stale): string =>
  state === 'pending'
    ? `name orders that are still pending instead of ${id} (--pending-orders)${OR_STATES}`
    : `name orders that exist and are shipped instead of ${id} (--shipped-orders)${OR_STATES}`

const NOT_SENT = 'no such request was sent'

/** Why none of the requests that a cell judges was sent. */
export function untestedFor(cell: Cell, log: Log, reader: ListReader): Judged {
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
  const list = operation.endsWith('Inventory') ? 'listInventory' : 'listOrders'
  const unread = unreadFor([list], log, reader)
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
  const impossible = impossibleKey(cell, log)
  const need = needOf(cell, log)
  const isSimultaneous = rule.judges.every(({ about, context }) => about === 'once' || context === 'beside')
  if (impossible) return impossible
  if (need) return { outcome: 'untested', message: NOT_SENT, need }
  if (isSimultaneous && isSerial(log))
    return {
      outcome: 'untested',
      message: 'no two requests were sent at the same time',
      need: 'run with --concurrency 2 or more',
    }
  return (
    unreadFor(operation === list ? [] : ['listOrders', 'listInventory'], log, reader) ?? {
      outcome: 'inapplicable',
      message: NOT_SENT,
      ...(lacks && { lacks, need: `let the provider states arrange ${lacks}` }),
    }
  )
}

/** For requests of an operation or that name such an order: how many fixtures a full verdict needs, and how they are named. */
// biome-ignore format: a table
const NEEDS = [
  [['shipped order'], 'order', 'shipped', 1, 'name a shipped order (--shipped-orders)'],
  [['pending order', 'cancelled order', 'cancelOrder'], 'order', 'pending', 3, 'name three pending orders (--pending-orders)'],
  [['updateInventory'], 'pet', undefined, 2, 'name two pets whose stock may be changed (--pets)'],
] as const

/** What has to be named. Undefined if the run has it: what it has not sent then does not fit the ids of the store. */
function needOf({ rule, operation }: Cell, { fixtures }: Log): string | undefined {
  const names: readonly string[] = [...rule.judges.flatMap(({ named = [] }) => named), operation]
  const missing = NEEDS.find(([of, resource, state, count]) => {
    const own = fixtures.filter(each => each.resource === resource && each.state === state)
    return of.some(each => names.includes(each)) && own.length < count
  })
  return missing && `${missing[4]}${OR_STATES}`
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

/** Whether a further attempt followed: a store may close a kept connection at any time (RFC 9112 §9.5). */
export const isRepeated = ({ at, attempt, ask }: Exchange, { exchanges }: Log): boolean =>
  exchanges.slice(at).some(each => each.attempt > attempt && each.ask.title === ask.title)

/** A list that could not be read. It is not an empty one: naming other orders or pets would not help. */
function unreadFor(lists: readonly OperationId[], log: Log, reader: ListReader): Judged | undefined {
  const unread = log.exchanges.find(
    each =>
      lists.includes(each.ask.operation) &&
      each.context === 'plain' &&
      // A run that is stopped aborts its last requests. In another form, a server may decline them.
      each.problem?.kind !== 'aborted' &&
      !each.ask.refused &&
      !each.ask.undescribed &&
      !each.ask.declined?.length &&
      !reader.read(each) &&
      (each.response || !isRepeated(each, log)),
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
