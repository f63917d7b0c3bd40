import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { firstInexplicable, type Move } from './linearizable.ts'
import { stockIn } from './lists.ts'
import { type Check, type Exchange, type Fixture, isSuccess } from './log.ts'
import {
  isUnknown,
  lastOfEach,
  MOST_VIOLATIONS,
  mayAct,
  mayShow,
  missingFrom,
  once,
  type Seen,
  since,
  type Timeline,
} from './timeline.ts'

/** The stock is anything: what a violation left is not known. */
const ANY = '?'

/** Each pet of the run: its updates, and its stock in the lists. */
export function stockChecks(timeline: Timeline): readonly Check[] {
  const pets = timeline.fixtures.filter(({ resource }) => resource === 'pet')
  return once(pets.flatMap(pet => petChecks(pet, timeline)))
}

function petChecks(pet: Fixture, timeline: Timeline): readonly Check[] {
  const id = canonical(pet.id)
  const lists = since(timeline.stockLists, pet.since)
  const asked = timeline.asked(pet)
  const missing = lists.find(seen => !mayShow(seen, pet.id))
  if (missing) return [missingFrom(missing, pet, timeline)]
  // Most pets are only listed.
  const isConstant = lists.every(({ list }) => stockIn(list, id) === stockIn(lists[0]?.list, id))
  if (asked.length === 0 && isConstant) return [...passed(asked, lists)]
  const moves = [...asked.flatMap(each => updateMoves(each, id)), ...listMoves(id, lists, timeline)]
  const violations: Check[] = []
  let left: readonly Move<Exchange>[] = moves
  while (violations.length < MOST_VIOLATIONS) {
    const first = firstInexplicable(left, [ANY])
    if (!first) break
    const at = first.move.of
    const violation = inexplicable(pet, at, first.before, lists, timeline)
    violations.push(violation)
    // Whatever it shows is the stock from then on, if anything has changed it.
    const isSuspect = (violation.problem?.suspects?.length ?? 0) > 0
    left = left.filter(({ of, ended }) => (isSuspect ? ended >= at.begun : of !== at))
  }
  return violations.length > 0 ? violations : [...passed(asked, lists)]
}

function* listMoves(id: string, lists: readonly Seen[], timeline: Timeline): Generator<Move<Exchange>> {
  let before = 0
  for (const { exchange, list } of lists) {
    const { begun, ended } = exchange
    const shown = stockIn(list, id)
    // An entry without a stock violates a rule of its own.
    if (shown === undefined) continue
    const after = before
    const from = (state: string) => {
      if (state === ANY) return [String(shown)]
      const difference = shown - BigInt(state)
      if (timeline.ordersExplain(difference, id, Infinity, ended) ?? true) return [state]
      return (timeline.ordersExplain(difference, id, after, ended) ?? true) ? [String(shown)] : []
    }
    yield { of: exchange, begun, ended, isRead: true, from }
    before = begun
  }
}

/** The first list that no history of the pet explains, with the stocks that would be. */
function inexplicable(
  pet: Fixture,
  at: Exchange,
  before: readonly string[],
  lists: readonly Seen[],
  timeline: Timeline,
): Check {
  const asked = timeline.asked(pet)
  const shownIn = (seen: Seen | undefined) => String(stockIn(seen?.list, pet.id))
  const previous = lists.findLast(seen => seen.exchange.ended < at.begun)
  const got = shownIn(lists.find(({ exchange }) => exchange === at))
  const expected = before.filter(state => state !== ANY)
  const suspects = timeline.suspects(Math.max(pet.since, previous?.exchange.begun ?? 0), at.ended, pet)
  const own = suspects.filter(each => asked.includes(each))
  const sent = own.filter(({ ask }) => ask.body?.quantity === got)
  const accepted = asked.filter(isSuccess)
  const last = accepted.findLast(each => each.ended < at.begun)
  const next = accepted.find(each => each.begun > at.ended)
  const isShownLater = since(lists, at.ended).some(
    seen => seen.exchange.ended < (next?.begun ?? Infinity) && expected.includes(shownIn(seen)),
  )
  const isSent = timeline.changes.some(({ ask, begun }) => begun < at.ended && ask.body?.quantity === got)
  const isSet = own.some(isSuccess)
  const showing = lists.filter(seen => seen.exchange.ended < at.begun && shownIn(seen) === got)
  // Then this list is wrong, or the one before. But an old stock may also come from an update that is made late.
  const isLate =
    (!isSet && since(showing, last?.ended ?? 0).length > 0) ||
    (isShownLater && (showing.length === 0 ? !isSent : isSet && at.ask.row !== undefined))
  return {
    exchange: at,
    object: pet.id,
    aspect: 'effect',
    about: 'stock',
    problem: {
      expected: `a stock of ${expected.join(' or ')} of pet ${pet.id}`,
      got,
      shown: [...(previous ? [previous.exchange] : []), at],
      // Of several, those are likely that name the pet and sent the stock that is shown.
      suspects: isLate ? [] : sent.length > 0 ? sent : suspects,
    },
  }
}

function updateMoves(exchange: Exchange, id: string): readonly Move<Exchange>[] {
  const { ask, begun, ended } = exchange
  const quantity = toInteger(ask.body?.quantity ?? '')
  const move = (from: Move<Exchange>['from'], isOpen = false): readonly Move<Exchange>[] => [
    { of: exchange, begun, ended, from, isOpen },
  ]
  // What a request did whose answer is a violation is not known.
  if (isUnknown(exchange)) return move(() => [ANY])
  const isPlain = canonical(ask.id) === id && !ask.refused && !ask.undescribed && mayAct(exchange)
  const isInert = ask.body?.kind === 'invalid' || ask.body?.kind === 'empty'
  if (!isPlain || isInert || quantity === undefined) return []
  if (ask.body?.kind === 'lenient') return move(state => [state, String(quantity)])
  return move(() => [String(quantity)], !isSuccess(exchange))
}

/** What the lists after a request show of the pet that it names. */
function* passed(asked: readonly Exchange[], lists: readonly Seen[]): Generator<Check> {
  const [last] = lists.slice(-1)
  if (!last) return
  for (const { exchange } of lastOfEach(lists)) {
    yield { exchange, aspect: 'effect', about: 'pet listed' }
    yield { exchange, aspect: 'effect', about: 'stock' }
  }
  for (const exchange of asked.filter(({ ended }) => ended < last.exchange.begun)) {
    const about = isSuccess(exchange) && !exchange.ask.refused ? 'itself' : 'nothing'
    yield { exchange, aspect: 'effect', about }
  }
}
