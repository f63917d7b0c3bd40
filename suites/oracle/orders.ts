import { canonical } from '../../support/interface/numbers.ts'
import { type JsonObject, member, show } from './json.ts'
import { firstInexplicable, type Move } from './linearizable.ts'
import { type ListReader, numberIn } from './lists.ts'
import { type Check, type Exchange, type Fixture, isSuccess, type Log } from './log.ts'
import {
  isUnknown,
  lastOfEach,
  MOST_VIOLATIONS,
  mayShow,
  missingFrom,
  once,
  type Seen,
  since,
  type Timeline,
} from './timeline.ts'

/**
 * Each order of the run: its cancellations, its place in the lists, and its members.
 * @param stale those whose state is not known
 */
export function orderChecks(timeline: Timeline, stale: readonly Fixture[]): readonly Check[] {
  const orders = timeline.fixtures.filter(({ resource }) => resource === 'order')
  return once(
    orders.flatMap(order => [
      ...stateChecks(order, timeline, stale.includes(order)),
      ...memberChecks(order, timeline),
    ]),
  )
}

function stateChecks(order: Fixture, timeline: Timeline, isStale: boolean): readonly Check[] {
  const { id, state = 'pending', origin } = order
  if (isStale && state === 'shipped') return []
  const lists = since(timeline.orderLists, order.since)
  const asked = timeline.asked(order)
  const cancellations = asked.filter(
    ({ ask }) => canonical(ask.id) === canonical(id) && !ask.refused && !ask.undescribed,
  )
  const accepted = cancellations.filter(isSuccess)
  const lacking = lists.filter(seen => !mayShow(seen, id))
  // Most orders are only listed. A pending one that was named and not listed at first may have been cancelled before.
  const isGone =
    origin === 'named' && state === 'pending' && lacking[0] !== undefined && lacking[0] === lists[0]
  if (asked.length === 0 && lacking.length === 0) return [...passed(order, asked, accepted, lists)]
  if (isGone && accepted.length === 0) return [...passed(order, asked, accepted, lists)]
  const moves: Move<Exchange>[] = []
  const add = (of: Exchange, from: Move<Exchange>['from'], facts: Partial<Move<Exchange>> = {}) =>
    moves.push({ of, begun: of.begun, ended: of.ended, from, ...facts })
  const cancel = (state: string) => (state === 'pending' ? ['cancelled'] : [])
  // A shipped order that is answered 204 is a violation of its answer, and what it is then is not known. What was listed stays so.
  for (const each of state === 'shipped' || isStale ? [] : cancellations) {
    const { status = 0 } = each.response ?? {}
    if (each.ask.declined?.includes(status)) continue
    if (status === 204) add(each, cancel)
    // Another refusal, such as 400 to a form of the request, says nothing about the order.
    else if (status === 404 || status === 409)
      add(each, state => (state === 'pending' ? [] : [state]), { isRead: true })
    else add(each, cancel, { isOpen: true })
  }
  for (const { exchange } of lacking)
    add(exchange, state => (state === 'cancelled' ? [state] : []), { isRead: true })
  // A request that must be refused and was accepted may have cancelled it: the violation of its answer explains what follows.
  const until = Math.min(...asked.filter(isUnknown).map(({ begun }) => begun))
  const wrong = firstInexplicable(
    moves.filter(({ ended }) => ended < until),
    [state],
  )
  return wrong
    ? [inexplicable(order, wrong.move.of, accepted, lists, timeline)]
    : [...passed(order, asked, accepted, lists)]
}

/** What cancellations and lists show of the order. */
function* passed(
  { id, state }: Fixture,
  asked: readonly Exchange[],
  accepted: readonly Exchange[],
  lists: readonly Seen[],
): Generator<Check> {
  for (const exchange of accepted) yield { exchange, aspect: 'effect', about: 'itself' }
  const [one, last] = [accepted[0], lists.at(-1)]
  // A cancellation shows that what came before it has not cancelled the order.
  const until = state === 'shipped' ? last?.exchange.begun : one?.begun
  for (const exchange of asked)
    if (exchange.ended < (until ?? 0)) yield { exchange, aspect: 'effect', about: 'nothing' }
  if (one) {
    const isRaced = asked.some(each => each !== one && each.begun < one.ended && one.begun < each.ended)
    if (accepted.length === 1 && isRaced) yield { exchange: one, aspect: 'effect', about: 'once' }
    yield { exchange: one, aspect: 'effect', about: 'pending' }
  }
  // A list with entries of no id may or may not contain the order.
  for (const { exchange, list } of lastOfEach(lists))
    if (list.byId.has(canonical(id)) || (list.byId.size > 0 && !list.hidesIds))
      yield { exchange, aspect: 'effect', about: `${state} listed` }
}

/** The first answer or list that no history of the order explains. */
function inexplicable(
  order: Fixture,
  exchange: Exchange,
  accepted: readonly Exchange[],
  lists: readonly Seen[],
  timeline: Timeline,
): Check {
  const list = lists.find(seen => seen.exchange === exchange)
  if (list) return missingFrom(list, order, timeline)
  const isAgain = isSuccess(exchange)
  const other = accepted.find(each => each !== exchange)
  const isRaced = other !== undefined && other.begun < exchange.ended && exchange.begun < other.ended
  const own = new Set(timeline.asked(order))
  const suspects = isAgain ? [] : timeline.suspects(order.since, exchange.begun, order)
  return {
    exchange,
    object: order.id,
    aspect: 'effect',
    about: isRaced ? 'once' : isAgain ? 'itself' : 'pending',
    problem: {
      expected: isAgain ? `one cancellation of order ${order.id}` : `order ${order.id} still pending`,
      got: isAgain ? 'a second one that was answered 204' : `${exchange.response?.status}`,
      shown: isAgain && other ? [other, exchange] : [exchange],
      suspects: suspects.filter(each =>
        // An order with an id at an edge may never have been found: then a refused request has not changed it.
        exchange.ask.row === 'edge-id'
          ? isSuccess(each)
          : own.has(each) || each.ended > lastCancelled(exchange, timeline),
      ),
    },
  }
}

/** When another pending order was cancelled last: until then, nothing had cancelled all of them. */
const lastCancelled = ({ begun }: Exchange, { changes }: Timeline): number =>
  changes.findLast(
    each => each.ended < begun && each.ask.named === 'pending order' && !each.ask.refused && isSuccess(each),
  )?.begun ?? 0

/** The members of an order that nothing has named. Of a pending one, the date may move, and it may be written in several ways. */
function shownOf(entry: JsonObject, state: Fixture['state'], isFulfilled: boolean): string {
  const date = Date.parse(String(member(entry, 'shipDate')))
  const steady = ['petId', 'quantity', ...(isFulfilled ? [] : ['complete'])].map(
    name => `${name} ${numberIn(entry, name) ?? show(member(entry, name))}`,
  )
  return [...steady, ...(state === 'shipped' && !Number.isNaN(date) ? [`shipDate ${date}`] : [])].join(', ')
}

/** An order shows the same members in each list until it is cancelled. */
function memberChecks(order: Fixture, timeline: Timeline): readonly Check[] {
  const id = canonical(order.id)
  const isActing = (each: Exchange) =>
    !each.ask.refused && order.state === 'pending' && canonical(each.ask.id) === id
  const acting = timeline.asked(order).filter(each => isActing(each) || isUnknown(each))
  const until = Math.min(...acting.map(({ begun }) => begun))
  const showing = since(timeline.orderLists, order.since).flatMap(({ exchange, list }) => {
    const entry = list.byId.get(id)
    return entry && exchange.ended < until ? [{ exchange, entry }] : []
  })
  const changes: Check[] = []
  for (const [at, { exchange, entry }] of showing.entries()) {
    const before = showing[at - 1]
    if (!before || before.entry === entry) continue
    // A shipped order is fulfilled at any time (§2).
    const isFulfilled = order.state === 'shipped' && member(entry, 'complete') === true
    const shown = (each: JsonObject) => shownOf(each, order.state, isFulfilled)
    const [was, is] = [shown(before.entry), shown(entry)]
    const problem = {
      expected: `order ${id} as before: ${was}`,
      got: is,
      shown: [before.exchange, exchange],
      suspects: timeline.suspects(before.exchange.begun, exchange.ended, order),
    }
    if (was !== is) changes.push({ exchange, object: order.id, aspect: 'effect', about: 'members', problem })
  }
  const last = showing.slice(1).at(-1)
  if (changes.length > 0 || !last) return changes.slice(0, MOST_VIOLATIONS)
  return [{ exchange: last.exchange, aspect: 'effect', about: 'members' }]
}

/** An order that is not what the user named, with the answer that shows it. */
export interface Stale {
  readonly order: Fixture
  readonly exchange: Exchange | undefined
}

/**
 * The named orders that may have changed since the user named them: a pending one whose first cancellation is refused, and a shipped one
 * that no list shows and that no cancellation finds. Nothing is wrong with the store then, and nothing is shown.
 */
export function staleOrders({ exchanges, fixtures }: Log, reader: ListReader): readonly Stale[] {
  const named = fixtures.filter(({ resource, origin }) => resource === 'order' && origin === 'named')
  return named.flatMap(order => {
    const id = canonical(order.id)
    const cancellations = exchanges.filter(({ ask }) => ask.operation === 'cancelOrder')
    // A request whose form is declined shows nothing of the order.
    const asked = cancellations.filter(
      ({ ask, response }) =>
        canonical(ask.id) === id &&
        !ask.refused &&
        !ask.undescribed &&
        !ask.declined?.includes(response?.status ?? 0),
    )
    // One with a wrong key or a similar id that was accepted has changed it in this run.
    const isTaken = cancellations.some(
      each =>
        !each.ask.undescribed &&
        isSuccess(each) &&
        [each.ask.id, each.ask.of ?? ''].some(own => canonical(own) === id),
    )
    const answers = asked.filter(({ response }) => response !== undefined)
    const [exchange] = answers
    const { status = 0 } = exchange?.response ?? {}
    const isStale =
      order.state === 'pending'
        ? (status === 404 || status === 409) && !isTaken && answers.length === asked.length
        : answers.every(({ response }) => response?.status === 404) &&
          !exchanges.some(each => each.ask.operation === 'listOrders' && reader.read(each)?.byId.has(id))
    return isStale ? [{ order, exchange }] : []
  })
}
