import { canonical } from '../../support/interface/numbers.ts'
import { JsonNumber, type JsonObject, member, show } from './json.ts'
import { firstInexplicable, type Move } from './linearizable.ts'
import type { Check, Exchange, Fixture } from './log.ts'
import {
  isSuccess,
  lastOfEach,
  mayShow,
  missingFrom,
  once,
  type Seen,
  since,
  type Timeline,
} from './timeline.ts'

/** Each order of the run: its cancellations, its place in the lists, and its members. */
export function orderChecks(timeline: Timeline): readonly Check[] {
  const orders = timeline.fixtures.filter(({ resource }) => resource === 'order')
  return once(orders.flatMap(order => [...stateChecks(order, timeline), ...memberChecks(order, timeline)]))
}

/** `settled`: it was named, and cancelled or shipped since. `shown`: the same, and the lists show it. */
type State = 'pending' | 'cancelled' | 'shipped' | 'settled' | 'shown'

function stateChecks(order: Fixture, timeline: Timeline): readonly Check[] {
  const { wrong } = timeline
  const id = canonical(order.id)
  const lists = since(timeline.orderLists, order.since)
  const asked = timeline.asked(order)
  const cancellations = asked.filter(
    ({ ask }) => canonical(ask.id) === id && !ask.refused && !ask.undescribed,
  )
  // Most orders are only listed.
  if (asked.length === 0 && lists.every(seen => mayShow(seen, order.id)))
    return [...passed(order, asked, [], lists)]
  const moves: Move<Exchange>[] = []
  const add = (of: Exchange, from: (state: State) => readonly State[], facts: Partial<Move<Exchange>> = {}) =>
    moves.push({ of, begun: of.begun, ended: of.ended, from: from as Move<Exchange>['from'], ...facts })
  const cancel = (state: State): readonly State[] => (state === 'pending' ? ['cancelled'] : [])
  for (const each of cancellations) {
    const { status = 0 } = each.response ?? {}
    if (each.ask.declined?.includes(status)) continue
    // A shipped order that is answered 204 is a violation of its answer, and what it is then is not known.
    if (order.state === 'shipped') continue
    if (status === 204) add(each, cancel)
    else if (status >= 400 && status < 500 && status !== 401 && !isGeneralRefusal(each))
      add(each, state => (state === 'pending' ? [] : [state]), { isRead: true })
    else add(each, cancel, { isOpen: true })
  }
  for (const seen of lists)
    if (!mayShow(seen, order.id))
      add(seen.exchange, state => (state === 'cancelled' || state === 'settled' ? [state] : []), {
        isRead: true,
      })
  // A request that must be refused and was accepted may have cancelled it: the violation of its answer explains what follows.
  const until = Math.min(
    ...asked.filter(each => wrong.has(each) && (isSuccess(each) || isError(each))).map(({ begun }) => begun),
  )
  const known = moves.filter(({ ended }) => ended < until)
  const first = firstInexplicable(known, initialOf(order, lists[0]))
  const accepted = cancellations.filter(isSuccess)
  if (!first) return [...passed(order, asked, accepted, lists)]
  return [inexplicable(order, first.move.of, accepted, lists, timeline)]
}

const isError = ({ response }: Exchange): boolean => (response?.status ?? 0) >= 500

/** A refusal with a status that says nothing about the order, such as 400 to a form of the request. */
const isGeneralRefusal = ({ response }: Exchange): boolean =>
  response?.status !== 404 && response?.status !== 409

/** A named order may have been cancelled or shipped since the user named it. */
const initialOf = ({ id, state, origin }: Fixture, first: Seen | undefined): readonly State[] => {
  if (state === 'shipped') return ['shipped']
  const settled = first && mayShow(first, id) ? 'shown' : 'settled'
  return origin === 'named' ? ['pending', settled] : ['pending']
}

/** What cancellations and lists show of the order. */
function* passed(
  { id, state }: Fixture,
  asked: readonly Exchange[],
  accepted: readonly Exchange[],
  lists: readonly Seen[],
): Generator<Check> {
  for (const exchange of accepted) yield { exchange, aspect: 'effect', about: 'itself' }
  const [one] = accepted
  const [last] = lists.slice(-1)
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
  const isAgain = isSuccess(exchange)
  const other = accepted.find(each => each !== exchange)
  // If it is cancelled later, it was pending, and not listed.
  const missing = lists.find(seen =>
    exchange.ask.operation === 'listOrders'
      ? seen.exchange === exchange
      : isAgain && !other && seen.exchange.ended < exchange.begun && !mayShow(seen, order.id),
  )
  if (missing) return missingFrom(missing, order, timeline)
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

const STEADY = ['petId', 'quantity', 'complete'] as const

/** The members of an order that nothing has named. Of a pending one, the date may move. */
function shownOf(object: JsonObject, state: Fixture['state']): string {
  const steady = STEADY.map(name => `${name} ${textOf(member(object, name))}`)
  const date = member(object, 'shipDate')
  return [...steady, ...(state === 'shipped' ? [`shipDate ${instantOf(date)}`] : [])].join(', ')
}

const textOf = (value: ReturnType<typeof member>): string =>
  value instanceof JsonNumber ? canonical(value.value) : show(value)
/** The same instant may be written in several ways. */
const instantOf = (value: ReturnType<typeof member>): string => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 'open' : String(time)
}

/** An order shows the same members in each list until it is cancelled. */
function memberChecks(order: Fixture, timeline: Timeline): readonly Check[] {
  const id = canonical(order.id)
  const asked = timeline.asked(order)
  const isActing = (each: Exchange) =>
    !each.ask.refused && order.state === 'pending' && canonical(each.ask.id) === id
  const until = Math.min(
    ...asked.filter(each => isActing(each) || timeline.wrong.has(each)).map(({ begun }) => begun),
  )
  let last: { readonly entry: JsonObject; readonly seen: Seen } | undefined
  const violations: Check[] = []
  for (const seen of timeline.orderLists) {
    const { exchange, list } = seen
    const entry = list.byId.get(id)
    if (!entry || exchange.begun < order.since || exchange.ended > until) continue
    const [was, is] =
      last && last.entry !== entry ? [last.entry, entry].map(each => shownOf(each, order.state)) : ['', '']
    if (last && was !== is && violations.length < MOST)
      violations.push({
        exchange,
        object: order.id,
        aspect: 'effect',
        about: 'members',
        problem: {
          expected: `order ${order.id} as before: ${was}`,
          got: `${is}`,
          shown: [last.seen.exchange, exchange],
          suspects: timeline.suspects(last.seen.exchange.begun, exchange.ended, order),
        },
      })
    last = { entry, seen }
  }
  if (violations.length > 0 || !last || last.seen.exchange === timeline.orderLists[0]?.exchange)
    return violations
  return [{ exchange: last.seen.exchange, aspect: 'effect', about: 'members' }]
}

/** Of one order, more violations show nothing more. */
const MOST = 5
