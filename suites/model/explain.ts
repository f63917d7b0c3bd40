import {
  answered,
  canonical,
  type Exchange,
  expectReadable,
  expectRefused,
  find,
  type Json,
  type JsonObject,
  member,
  NotApplicable,
  show,
  showsIds,
  stockIn,
  toInteger,
  Violation,
} from '../../support/authoring/index.ts'
import { orderSchema } from '../../support/interface/schemas.ts'
import { isDeclined } from './forms.ts'
import type { Event, History, ModelState } from './histories.ts'
import { cancelAgain, cancelPending, inventory, orderList, type Step, stepOf, updateStock } from './steps.ts'

/** Whether the event is of this step. */
const is = ({ step }: Event, { rule }: Step): boolean => step === rule

/** An event that no order of the steps explains. */
export interface Finding {
  readonly event: Event
  readonly expected: string
  readonly actual: string
  /**
   * `answer`: the response contradicts the step. `effect`: a list shows something else than the steps have made of it, and one of
   * `suspects` is the cause.
   */
  readonly kind: 'answer' | 'effect'
  /** The latest first. */
  readonly suspects: readonly Event[]
}

/**
 * Compares a history with the model of §3 and §4.4. Each order and each pet is compared for itself: a history is linearizable
 * (Herlihy and Wing 1990) if its part about each object is. The lists are not promised to show one moment of all objects.
 */
export function findingsIn(history: History): readonly Finding[] {
  const known = found.get(history)
  if (known) return known
  const wrong = history.events.flatMap(event => answerOf(history, event))
  // A response that is wrong in itself says nothing about the state, and its request may have had its effect.
  const sound = {
    ...history,
    events: history.events.map(event =>
      wrong.some(each => each.event === event) ? { ...event, exchange: unanswered(event.exchange) } : event,
    ),
  }
  const taken = sound.events.filter(({ levels, exchange }) => !isDeclined(levels, exchange))
  const all = [
    ...wrong,
    ...history.orders.flatMap(([id, state]) => aboutOrder(sound, taken, id, state)),
    ...history.pets.flatMap(pet => aboutPet(sound, taken, pet)),
  ]
  found.set(history, all)
  return all
}

const unanswered = ({ response: _, ...rest }: Exchange): Exchange => rest

const found = new WeakMap<History, readonly Finding[]>()

function answerOf(history: History, event: Event): Finding[] {
  const { events } = history
  const { target, quantity, levels, exchange } = event
  if (!exchange.response) return []
  // Of several cancellations of an order, one succeeds.
  const isRaced =
    is(event, cancelPending) &&
    events.some(each => each !== event && each.step === event.step && each.target === target)
  const expect = (quantity: string) => {
    if (isRaced && exchange.response?.status !== 204) expectRefused(exchange)
    else stepOf(event).expect(exchange, target, quantity)
  }
  // Without a response to the first cancellation, this one may be the first that the store received.
  const mayBeFirst =
    is(event, cancelAgain) &&
    events.some(each => is(each, cancelPending) && each.target === target && !each.exchange.response)
  if (mayBeFirst || isDeclined(levels, exchange)) return []
  const wrong = violationOf(() => expect(quantity))
  if (!wrong || laterQuantities(history, event).some(each => !violationOf(() => expect(each)))) return []
  return [wrongAnswer(event, wrong.expected, wrong.actual)]
}

const wrongAnswer = (event: Event, expected: string, actual: string): Finding => ({
  event,
  expected,
  actual,
  kind: 'answer',
  suspects: [],
})

function violationOf(expect: () => void): Violation | undefined {
  try {
    expect()
  } catch (error) {
    if (error instanceof Violation) return error
  }
  return undefined
}

/**
 * §4.4 shows the updated entry, which a store may read when a simultaneous update has replaced its quantity again, or when the units of a
 * cancelled order have returned.
 */
function laterQuantities(history: History, event: Event): readonly string[] {
  if (!is(event, updateStock)) return []
  const returned = [...(returnsTo(history, canonical(event.target), event.ended) ?? [0n])]
  return history.events
    .filter(each => each.step === event.step && each.target === event.target && isBeside(each, event))
    .flatMap(({ quantity }) => returned.map(units => String(BigInt(quantity) + units)))
}

const isBeside = (one: Event, other: Event): boolean => one.begun < other.ended && other.begun < one.ended

/** A request or list that concerns one object. */
export interface Move<State> {
  readonly event: Event
  /** The states that it can leave. None if it cannot happen in this state. */
  readonly from: (state: State) => readonly State[]
  /** It leaves each state in which it can happen. */
  readonly isRead?: boolean
  /** There was no response, so it may have happened or not. */
  readonly isOpen?: boolean
}

function aboutOrder(history: History, events: readonly Event[], id: string, state: ModelState): Finding[] {
  const isCancelled = (each: string) => each === 'cancelled'
  const moves = events.flatMap((event): Move<string>[] => {
    const { target, exchange } = event
    if (is(event, cancelPending) && target === id) {
      const cancelled: Move<string> = { event, from: each => (each === 'pending' ? ['cancelled'] : []) }
      if (!exchange.response) return [optional(cancelled)]
      if (exchange.response.status === 204) return [cancelled]
      return [{ event, isRead: true, from: each => (isCancelled(each) ? [each] : []) }]
    }
    // An entry without an id might be this order.
    if (!is(event, orderList) || !exchange.response || !showsIds(exchange, 'id')) return []
    // Whether a cancelled order stays listed is not shown.
    return [
      { event, isRead: true, from: each => (find(exchange, 'id', id) || isCancelled(each) ? [each] : []) },
    ]
  })
  const first = firstInexplicable(moves, state)
  if (first && is(first, cancelPending))
    return [
      wrongAnswer(
        first,
        'one success of all cancellations of an order',
        String(answered(first.exchange).status),
      ),
    ]
  if (first) return [effect(history, first, id, `order ${id} (${state}) in the list`, 'a list without it')]
  const cancelled = moves.flatMap(({ event }) => (is(event, cancelPending) ? [event.begun] : []))
  return unchanged(history, id, state, Math.min(...cancelled))
}

/**
 * The members that no step changes. Of a shipped order, these are all; the expected date of a pending one may move. Further members may
 * differ each time, such as a signed link, unless they are a word or a boolean, which may show the state.
 */
const isSteady = (name: string, state: ModelState, was: Json | undefined, is: Json | undefined): boolean =>
  state === 'shipped'
    ? name in orderSchema.fields || (saysState(was) && saysState(is))
    : name in orderSchema.fields && name !== 'shipDate'

/** @param until when a request to cancel the order began, which may change what the list shows of it */
function unchanged(history: History, id: string, state: ModelState, until: number): Finding[] {
  const was = entryIn(history.before.orders, 'id', id)
  if (!was || state === 'cancelled') return []
  for (const event of history.events) {
    const now = is(event, orderList) && event.ended < until && entryIn(event.exchange, 'id', id)
    if (!now) continue
    const changed = Object.keys({ ...was, ...now }).find(
      name => !isSame(name, was[name], now[name]) && isSteady(name, state, was[name], now[name]),
    )
    if (changed === undefined) continue
    const [expected, actual] = [was[changed], now[changed]].map(printed) as [string, string]
    return [effect(history, event, id, `order ${id} with ${changed} ${expected}`, actual)]
  }
  return []
}

/** Dates are compared by the moment. A form that Date cannot parse may be the same as one that it can. */
function isSame(name: string, was: Json | undefined, is: Json | undefined): boolean {
  if (printed(was) === printed(is)) return true
  if (name !== 'shipDate' || typeof was !== 'string' || typeof is !== 'string') return false
  const [before, after] = [Date.parse(was), Date.parse(is)]
  return before === after || Number.isNaN(before) !== Number.isNaN(after)
}

const saysState = (value: Json | undefined): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^[A-Za-z][A-Za-z _-]{0,30}$/.test(value))

const printed = (value: Json | undefined): string => (value === undefined ? 'absent' : show(value))

function aboutPet(history: History, events: readonly Event[], pet: string): Finding[] {
  const { before } = history
  const lists = events.filter(each => is(each, inventory)).map(each => each.exchange)
  const first = [before.inventory, ...lists].map(list => stockIn(list, pet)).find(each => each !== undefined)
  if (first === undefined) return []
  // The cancelled order does not say for which pet or how many units it was.
  if (returnsTo(history, pet) === undefined) return []
  const moves = events.flatMap((event): Move<bigint>[] => {
    const { target, quantity, exchange } = event
    if (is(event, updateStock) && target === pet) {
      const updated: Move<bigint> = { event, from: () => [BigInt(quantity)] }
      return [exchange.response ? updated : optional(updated)]
    }
    if (!is(event, inventory) || !exchange.response) return []
    const shown = stockIn(exchange, pet)
    // §3 leaves open whether a cancellation returns the units of the order, now or later.
    const returned = returnsTo(history, pet, event.ended)
    return [
      {
        event,
        isRead: true,
        from: each => (shown !== undefined && returned?.has(shown - each) ? [each] : []),
      },
    ]
  })
  const wrong = firstInexplicable(moves, first)
  if (wrong) {
    const shown = stockIn(wrong.exchange, pet)
    const last = moves.findLast(({ event }) => is(event, updateStock) && event.begun < wrong.begun)?.event
    const actual = shown === undefined ? 'a list without its quantity' : String(shown)
    return [effect(history, wrong, pet, `pet ${pet} with quantity ${last?.quantity ?? first}`, actual)]
  }
  // An earlier update may have given the pet a label of its own (§4.4 leaves further members open).
  const isLabelled = follows(entryIn(before.inventory, 'petId', pet), first)
  if (!isLabelled && !moves.some(({ event }) => is(event, updateStock))) return []
  for (const event of events) {
    if (!is(event, inventory) || !event.exchange.response) continue
    const entry = find(event.exchange, 'petId', pet)
    const shown = stockIn(event.exchange, pet)
    if (entry && shown !== undefined && !follows(entry, shown))
      return [
        effect(history, event, pet, `pet ${pet} ${labelOf(shown)}`, show(member(entry, 'status') ?? null)),
      ]
  }
  return []
}

const labelOf = (quantity: bigint): string => (quantity === 0n ? 'sold' : 'available')

const follows = (entry: JsonObject | undefined, quantity: bigint): boolean =>
  entry !== undefined && member(entry, 'status') === labelOf(quantity)

/** Undefined if the list was not answered 200: that is a finding of its own. */
const entryIn = (list: Exchange, name: 'id' | 'petId', id: string): JsonObject | undefined =>
  list.response?.status === 200 ? find(list, name, id) : undefined

/** @throws {NotApplicable | CantTell} unless the lists show what an update or a cancellation would change of a pet of the run */
export function expectComparable(histories: readonly History[]): void {
  const isShown = (history: History, pet: string): boolean =>
    stockIn(history.before.inventory, pet) !== undefined && returnsTo(history, pet) !== undefined
  if (histories.some(history => history.pets.some(pet => isShown(history, pet)))) return
  for (const { before } of histories) [before.inventory, before.orders].forEach(expectReadable)
  throw new NotApplicable(
    'the lists do not show the stock of a pet of the run, or how many units the cancelled orders had',
  )
}

/** @throws {NotApplicable | CantTell} unless the lists show what a request would change of an order of the run */
export function expectOrdersShown(histories: readonly History[]): void {
  const isShown = ({ before, orders }: History) => orders.some(([id]) => entryIn(before.orders, 'id', id))
  if (histories.some(isShown)) return
  for (const { before } of histories) expectReadable(before.orders)
  throw new NotApplicable('the list shows no order of the run with its id')
}

/** A store may have given orders such quantities that hardly any stock could be excluded, and all sums of them would take too long. */
const MOST_SUMS = 10_000

/** All that cancellations may have added to the stock of the pet until then, or undefined if it is unknown. */
function returnsTo(
  { before, returns }: History,
  pet: string,
  until = Infinity,
): ReadonlySet<bigint> | undefined {
  const units: bigint[] = []
  for (const { petId, quantity, isListed, cancelledAt, from } of returns) {
    if (from > until) continue
    // If the order does not show its pet, it may be for any.
    if (petId !== undefined && petId !== canonical(pet)) continue
    // Of what no list shows, nothing would be known for the rest of the run.
    if (!isListed && cancelledAt < before.orders.startedAt) continue
    const own = quantity === undefined ? undefined : toInteger(quantity)
    if (own === undefined) return undefined
    units.push(own)
  }
  const known = sumsOf.get(returns) ?? new Map<string, ReadonlySet<bigint>>()
  sumsOf.set(returns, known)
  const sums = known.get(units.join()) ?? sumsIn(units)
  known.set(units.join(), sums)
  return sums.size > MOST_SUMS ? undefined : sums
}

/** By what all cancellations may have returned. Without a pet in each order, it is the same for every pet. */
const sumsOf = new WeakMap<History['returns'], Map<string, ReadonlySet<bigint>>>()

/** The sums of any of these, or the first of them if they are too many. */
function sumsIn(units: readonly bigint[]): ReadonlySet<bigint> {
  const sums = new Set([0n])
  for (const own of units) if (sums.size <= MOST_SUMS) for (const sum of [...sums]) sums.add(sum + own)
  return sums
}

/**
 * What changed is seen in a list, so the cause is among the requests since the list before. Those for the same object come first, and
 * checks last.
 */
function effect({ events }: History, event: Event, id: string, expected: string, actual: string): Finding {
  const isList = (each: Event) => is(each, orderList) || is(each, inventory)
  const before = events.findLast(each => each.step === event.step && each.ended < event.begun)
  const since = events.filter(
    each => !isList(each) && each.begun < event.ended && each.ended > (before?.begun ?? 0),
  )
  const rank = (each: Event) => (each.target === id ? 2 : 0) + (each.isCheck ? 0 : 1)
  const suspects = since.reverse().sort((a, b) => rank(b) - rank(a))
  return { event, expected, actual, kind: 'effect', suspects }
}

/**
 * The first event that no order explains, in which an event that ended before another began comes before it. This is the search of
 * Wing and Gong (1993), with the states that were tried.
 */
export function firstInexplicable<State extends string | bigint>(
  moves: readonly Move<State>[],
  initial: State,
): Event | undefined {
  if (explains(moves, initial)) return undefined
  const closed = moves.filter(({ isOpen }) => !isOpen)
  for (const { event } of closed) {
    // Events that had begun may have had their effect already.
    const begun = moves
      .filter(each => each.event.begun < event.ended)
      .map(each => (each.isOpen || each.event.ended > event.ended ? optional(each) : each))
    if (!explains(begun, initial)) return event
  }
  return closed.at(-1)?.event
}

/** It may have happened or not. */
const optional = <State>(move: Move<State>): Move<State> => ({
  ...move,
  isOpen: true,
  from: each => [each, ...move.from(each)],
})

function explains<State extends string | bigint>(moves: readonly Move<State>[], initial: State): boolean {
  const indexes = new Map(moves.map((move, at) => [move, at]))
  const tried = new Set<string>()
  const search = (left: readonly Move<State>[], state: State): boolean => {
    // A request without a response need not have had an effect.
    if (left.every(({ isOpen }) => isOpen)) return true
    // Without a response, it may have its effect at any time.
    const firstEnd = Math.min(...left.map(({ event, isOpen }) => (isOpen ? Infinity : event.ended)))
    const possible = left.filter(({ event }) => event.begun <= firstEnd)
    // Lists and refusals that can happen now leave the state, so later they would not help.
    const reads = possible.filter(({ isRead, from }) => isRead && from(state).length > 0)
    const unread = left.filter(each => !reads.includes(each))
    if (reads.length > 0) return search(unread, state)
    const key = `${left.map(each => indexes.get(each))} ${state}`
    if (tried.has(key)) return false
    tried.add(key)
    return possible.some(move => {
      const others = left.filter(each => each !== move)
      // Without an effect it may as well happen later.
      const states = move.from(state).filter(next => !(move.isOpen && next === state))
      return states.some(next => search(others, next))
    })
  }
  return search(moves, initial)
}
