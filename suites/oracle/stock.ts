import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { firstInexplicable, type Move } from './linearizable.ts'
import { stockIn } from './lists.ts'
import type { Check, Exchange, Fixture } from './log.ts'
import {
  isSuccess,
  lastOfEach,
  mayAct,
  mayShow,
  missingFrom,
  once,
  type Seen,
  since,
  type Timeline,
  type Units,
} from './timeline.ts'

/** The differences that orders may make to a stock: some of them, or every one (undefined). */
type Offsets = ReadonlySet<bigint> | undefined

/** More sums than these are not told apart: any difference is then possible. */
const MOST_SUMS = 4_000

/** What orders for a pet may have taken from its stock, and their cancellations returned, until a time, at once or late (§3). */
function offsetsOf(units: readonly Units[], after: number, until: number): Offsets {
  const steps: bigint[] = []
  for (const { count, takenSince, returnedSince } of units) {
    const isTaken = takenSince > after && takenSince < until
    const isReturned = returnedSince !== undefined && returnedSince < until
    if ((isTaken || isReturned) && count === undefined) return undefined
    if (isTaken) steps.push(-(count ?? 0n))
    if (isReturned) steps.push(count ?? 0n)
  }
  let sums = new Set([0n])
  for (const step of steps) {
    sums = new Set([...sums, ...[...sums].map(sum => sum + step)])
    if (sums.size > MOST_SUMS) return undefined
  }
  return sums
}

/**
 * What orders may have changed of a stock until a time. What they take, they have taken by the first list that follows: the provider has
 * arranged them when it answers. What they return may come later.
 * @param after the time of the list before
 */
export function offsetsIn({ units }: Pick<Timeline, 'units'>) {
  const hidden = units.filter(({ pet }) => pet === undefined)
  const ofPets = new Set(units.map(({ pet }) => pet))
  const known = new Map<string, Offsets>()
  return (id: string, after: number, until: number): Offsets => {
    const pet = ofPets.has(canonical(id)) ? canonical(id) : ''
    const own = pet === '' ? hidden : units.filter(each => each.pet === undefined || each.pet === pet)
    if (own.length === 0) return NONE
    // Between two orders that are arranged or cancelled, the answer is the same, and for all pets without orders of their own.
    const taken = own.filter(each => each.takenSince > after && each.takenSince < until).length
    const earlier = own.filter(each => each.takenSince <= after).length
    const returned = own.filter(each => each.returnedSince !== undefined && each.returnedSince < until).length
    const key = `${pet} ${earlier} ${taken} ${returned}`
    if (!known.has(key)) known.set(key, offsetsOf(own, after, until))
    return known.get(key)
  }
}
const NONE: Offsets = new Set([0n])

const isWithin = (offsets: Offsets, difference: bigint): boolean => offsets?.has(difference) ?? true

export type OffsetsAt = ReturnType<typeof offsetsIn>

/** The quantities that the answer to an update may show instead of its own: those of updates beside it, and what orders changed. */
export function quantitiesBeside(
  update: Exchange,
  timeline: Pick<Timeline, 'naming'>,
  offsetsAt: OffsetsAt,
): readonly bigint[] {
  const { id, body } = update.ask
  const others = timeline
    .naming('updateInventory', id)
    .filter(
      each =>
        each !== update &&
        !each.ask.refused &&
        each.begun < update.ended &&
        (each.ended > update.begun || each.response === undefined),
    )
  const all = [body, ...others.map(({ ask }) => ask.body)].flatMap(
    each => toInteger(each?.quantity ?? '') ?? [],
  )
  const offsets = offsetsAt(id, 0, update.ended) ?? []
  return [...all, ...all.flatMap(each => [...offsets].map(offset => each + offset))]
}

/** The stock is anything: what a violation left is not known. */
const ANY = '?'

/** Each pet of the run: its updates, and its stock in the lists. */
export function stockChecks(timeline: Timeline, offsetsAt: OffsetsAt): readonly Check[] {
  const pets = timeline.fixtures.filter(({ resource }) => resource === 'pet')
  return once(pets.flatMap(pet => petChecks(pet, timeline, offsetsAt)))
}

function petChecks(pet: Fixture, timeline: Timeline, offsetsAt: OffsetsAt): readonly Check[] {
  const { wrong } = timeline
  const id = canonical(pet.id)
  const lists = since(timeline.stockLists, pet.since)
  const asked = timeline.asked(pet)
  const missing = lists.find(seen => !mayShow(seen, pet.id))
  if (missing) return [missingFrom(missing, pet, timeline)]
  // Most pets are only listed.
  if (asked.length === 0 && isConstant(lists, pet.id)) return [...passed(asked, lists)]
  const moves = [...asked.flatMap(each => updateMoves(each, id, wrong)), ...listMoves(pet, lists, offsetsAt)]
  const violations: Check[] = []
  let left: readonly Move<Exchange>[] = moves
  while (violations.length < MOST) {
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

/** Of one pet, more violations show nothing more. */
const MOST = 5

function* listMoves(pet: Fixture, lists: readonly Seen[], offsetsAt: OffsetsAt): Generator<Move<Exchange>> {
  let before = 0
  for (const { exchange, list } of lists) {
    const { begun, ended } = exchange
    const shown = stockIn(list, pet.id)
    // An entry without a stock violates a rule of its own.
    if (shown === undefined) continue
    const [returned, changed] = [offsetsAt(pet.id, Infinity, ended), offsetsAt(pet.id, before, ended)]
    const from = (state: string) => {
      if (state === ANY) return [String(shown)]
      if (isWithin(returned, shown - BigInt(state))) return [state]
      return isWithin(changed, shown - BigInt(state)) ? [String(shown)] : []
    }
    yield { of: exchange, begun, ended, isRead: true, from }
    before = begun
  }
}

/** The first list that no history of the pet explains. */
function inexplicable(
  pet: Fixture,
  at: Exchange,
  before: readonly string[],
  lists: readonly Seen[],
  timeline: Timeline,
): Check {
  const asked = timeline.asked(pet)
  const isOwn = (each: Exchange) => asked.includes(each)
  const shownIn = (seen: Seen | undefined) => String(stockIn(seen?.list, pet.id))
  const previous = lists.findLast(seen => seen.exchange.ended < at.begun)
  const got = shownIn(lists.find(({ exchange }) => exchange === at))
  const expected = before.filter(state => state !== ANY)
  const suspects = timeline.suspects(Math.max(pet.since, previous?.exchange.begun ?? 0), at.ended, pet)
  const accepted = asked.filter(isSuccess)
  const next = accepted.find(each => each.begun > at.ended)
  const isShownLater = lists.some(
    seen =>
      seen.exchange.begun > at.ended &&
      seen.exchange.ended < (next?.begun ?? Infinity) &&
      expected.includes(shownIn(seen)),
  )
  const isSet = suspects.some(each => isOwn(each) && isSuccess(each))
  const isSent = suspects.some(each => !isOwn(each) && each.ask.body?.quantity === got)
  const showing = lists.filter(seen => seen.exchange.ended < at.begun && shownIn(seen) === got)
  const last = accepted.findLast(each => each.ended < at.begun)
  // Then this list is wrong, or the one before. But an old stock may also come from an update that is made late.
  const isLate =
    (!isSet && showing.some(seen => seen.exchange.begun > (last?.ended ?? 0))) ||
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
      suspects: isLate ? [] : likelyOf(suspects, got, isOwn),
    },
  }
}

/** Those that name the pet and sent the stock that is shown, if there are such: else all. */
function likelyOf(
  all: readonly Exchange[],
  stock: string,
  isOwn: (exchange: Exchange) => boolean,
): readonly Exchange[] {
  const sent = all.filter(each => isOwn(each) && each.ask.body?.quantity === stock)
  return sent.length > 0 ? sent : all
}

const isConstant = (lists: readonly Seen[], pet: string): boolean =>
  lists.every(({ list }) => stockIn(list, pet) === stockIn(lists[0]?.list, pet))

const isUnknown = (exchange: Exchange, wrong: ReadonlySet<Exchange>): boolean =>
  wrong.has(exchange) && (isSuccess(exchange) || (exchange.response?.status ?? 0) >= 500)

function updateMoves(
  exchange: Exchange,
  id: string,
  wrong: ReadonlySet<Exchange>,
): readonly Move<Exchange>[] {
  const { ask, begun, ended } = exchange
  const quantity = toInteger(ask.body?.quantity ?? '')
  const move = (from: Move<Exchange>['from'], isOpen = false): readonly Move<Exchange>[] => [
    { of: exchange, begun, ended, from, isOpen },
  ]
  // What a request did whose answer is a violation is not known.
  if (isUnknown(exchange, wrong)) return move(() => [ANY])
  const isPlain = canonical(ask.id) === id && !ask.refused && !ask.undescribed
  if (!isPlain || !mayAct(exchange, wrong)) return []
  const kind = ask.body?.kind
  if (quantity === undefined || kind === 'invalid' || kind === 'empty') return []
  if (kind === 'lenient') return move(state => [state, String(quantity)])
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
  for (const exchange of asked)
    if (exchange.ended < last.exchange.begun)
      yield {
        exchange,
        aspect: 'effect',
        about: isSuccess(exchange) && !exchange.ask.refused ? 'itself' : 'nothing',
      }
}
