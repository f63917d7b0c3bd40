import type { Outcome } from '../support/interface/description.ts'
import type { OperationId } from '../support/interface/operations.ts'
import { keyRules } from './authentication/wrong-keys.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log, Named } from './oracle/log.ts'
import type { Stale } from './oracle/timeline.ts'
import type { Cell } from './rule.ts'

/** An outcome, and why it is not `passed`. */
export interface Reasoned {
  readonly outcome: Outcome
  readonly message?: string
  /** What the user can provide, as an instruction. */
  readonly need?: string
  /** What the run does not cover, in words. */
  readonly lacks?: string
  /** The exchanges that show it, in order. */
  readonly exchanges?: readonly Exchange[]
}

const OR_STATES = ', or give a states endpoint (--states-url)'
const NOT_SENT = 'no such request was sent'

/** Why a cell that is about named orders shows nothing: one of them is not what the user named. */
export function staleFor({ rule, operation }: Cell, stale: readonly Stale[]): Reasoned | undefined {
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

/** Why none of the requests that a cell judges was sent. */
export function untestedFor(cell: Cell, log: Log, reader: ListReader): Reasoned {
  const untested = notSent(cell, log)
  // What only a provider can arrange, or another reason, does not depend on a list.
  const mayBeUnread =
    untested.message === NOT_SENT ||
    untested.message?.includes('could not be read') ||
    (untested.outcome === 'inapplicable' && !untested.need)
  return (mayBeUnread && unreadFor(cell, log, reader)) || untested
}

const FOR_PETS = 'orders for pets of the run'

/** What only orders that somebody arranges for the run can show. */
function arrangedOnly(cell: Cell): string | undefined {
  if (isOnlyIn(cell, 'size')) return 'lists longer than a page'
  if (isOnlyIn(cell, 'data')) return FOR_PETS
  return cell.rule.needsProvider || isOnlyIn(cell, 'size', 'data')
    ? 'orders with chosen ids, such as one above 2^53'
    : undefined
}

const isOnlyIn = ({ rule }: Cell, ...contexts: readonly string[]): boolean =>
  rule.judges.every(({ context = 'plain' }) => [context].flat().every(each => contexts.includes(each)))

/** What has to be named for requests that name such an order or pet. */
const NEEDS: readonly (readonly [readonly (Named | OperationId)[], string])[] = [
  [['pending order', 'cancelled order', 'cancelOrder'], 'name three pending orders (--pending-orders)'],
  [['shipped order'], 'name a shipped order (--shipped-orders)'],
  [['pet', 'updateInventory'], 'name two pets whose stock may be changed (--pets)'],
]

function needOf({ rule, operation }: Cell): string | undefined {
  const named = rule.judges.flatMap(each => each.named ?? [])
  const need = [named, [operation]].flatMap(wanted =>
    NEEDS.flatMap(([names, text]) => (names.some(each => [...wanted].includes(each as Named)) ? [text] : [])),
  )[0]
  return need && `${need}${OR_STATES}`
}

/** A wrong key that cannot be made from the key of this store, while others were sent. */
function impossibleKey({ rule, operation }: Cell, { exchanges }: Log): Reasoned | undefined {
  const { title, unless } = keyRules.find(({ name }) => `auth-${name}` === rule.id) ?? {}
  const isTried = exchanges.some(({ ask }) => ask.operation === operation && ask.refused !== undefined)
  return unless && title && isTried ? { outcome: 'inapplicable', message: unless, lacks: title } : undefined
}

function notSent(cell: Cell, log: Log): Reasoned {
  const { rule, operation } = cell
  const canArrange = log.fixtures.some(({ origin }) => origin === 'arranged')
  const lacks = arrangedOnly(cell)
  if (lacks && !canArrange)
    return {
      outcome: 'inapplicable',
      message: 'it needs orders that only a states endpoint or module can arrange',
      need: 'give a states endpoint: --states-url',
      lacks,
    }
  const ofOperation = log.unsent.filter(({ ask }) => ask.operation === operation)
  const unsent = ofOperation.find(({ ask, context: own }) =>
    rule.judges.some(
      ({ named, row, context = 'plain' }) =>
        (context === 'any' || [context].flat().includes(own)) &&
        (named === undefined || [named].flat().includes(ask.named)) &&
        (row === undefined || [row].flat().includes(ask.row ?? '')),
    ),
  )
  const impossible = unsent ? undefined : impossibleKey(cell, log)
  if (impossible) return impossible
  const need =
    lacks === FOR_PETS
      ? 'let the provider states arrange orders for pets that were arranged before'
      : needOf(cell)
  if ((need ? canArrange : isOnlyIn(cell, 'beside')) && isSerial(log))
    return {
      outcome: 'untested',
      message: 'no two requests were sent at the same time',
      need: 'run with --concurrency 2 or more',
    }
  // Naming more is no help where somebody arranges what the run may change.
  if (unsent)
    return {
      outcome:
        unsent.isInapplicable || (canArrange && unsent.reason.endsWith('which was not named or arranged'))
          ? 'inapplicable'
          : 'untested',
      message: unsent.reason,
      ...(unsent.need && { need: unsent.need }),
    }
  // A read-only run, for example, has no use for names, and neither has a store that does not answer.
  const isUnused = !log.exchanges.some(
    ({ ask, response }) => ask.operation === operation && !ask.refused && response,
  )
  const refused = isUnused && need ? ofOperation.find(each => each.need) : undefined
  if (refused?.need) return { outcome: 'untested', message: refused.reason, need: refused.need }
  return {
    outcome: need && !hasEnough(operation, log) ? 'untested' : 'inapplicable',
    message: NOT_SENT,
    ...(need && { need }),
    ...(lacks && { lacks }),
  }
}

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

/** A list that could not be read. It is not an empty one: naming other orders or pets would not help. */
function unreadFor(
  { operation }: Cell,
  { exchanges, fixtures }: Log,
  reader: ListReader,
): Reasoned | undefined {
  const isFound = (list: OperationId) =>
    fixtures.some(({ resource }) => resource === (list === 'listOrders' ? 'order' : 'pet'))
  const lists = ['listOrders', 'listInventory'] as const
  const [own, other] = operation.endsWith('Inventory') ? lists.toReversed() : lists
  // Only what the operation itself names has to be named.
  for (const list of isFound(own) ? [own, other] : [own]) {
    // In another form, a server may decline the request. A run that is stopped aborts its last ones.
    const sent = exchanges.filter(
      ({ ask, context, response, problem }) =>
        ask.operation === list &&
        problem?.kind !== 'aborted' &&
        context === 'plain' &&
        !ask.refused &&
        !ask.undescribed &&
        !ask.declined?.includes(response?.status ?? 0),
    )
    const unread = sent.find(each => !reader.read(each))
    if (unread && (isFound(list) || unread === sent[0]))
      return {
        outcome: 'cantTell',
        message: `no such request was sent, because ${unread.ask.title} could not be read: ${whyUnread(unread)}`,
        exchanges: [unread],
      }
  }
  return undefined
}

const whyUnread = ({ response, problem }: Exchange): string =>
  response
    ? response.status === 200
      ? 'it is not a JSON array of objects'
      : `it was answered ${response.status}`
    : (problem?.message ?? 'there was no response')
