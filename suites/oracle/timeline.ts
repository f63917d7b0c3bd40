import { canonical, toInteger } from '../../support/interface/numbers.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { type List, type ListReader, numberIn } from './lists.ts'
import { type Check, type Exchange, type Fixture, isViolation, type Log } from './log.ts'

/** A list that could be read, with its exchange. */
export interface Seen {
  readonly exchange: Exchange
  readonly list: List
}

/** The units of an order of the run: arranging it may take them from a stock, and cancelling it may return them (§3 leaves both open). */
export interface Units {
  /** The pet in canonical form. Undefined if no list shows it: then it may be any. */
  readonly pet: string | undefined
  /** Undefined if no list shows them: then they may be any number. */
  readonly count: bigint | undefined
  readonly takenSince: number
  /** When its cancellation began, if there was one. */
  readonly returnedSince: number | undefined
}

/** The log, arranged for questions about one order, one pet or one list. */
export type Timeline = ReturnType<typeof timelineOf>

/** @param wrong exchanges whose answers are violations: what they did is not known */
export function timelineOf({ exchanges, fixtures }: Log, reader: ListReader, wrong: ReadonlySet<Exchange>) {
  const listsOf = (operation: OperationId): readonly Seen[] =>
    exchanges
      .filter(({ ask }) => ask.operation === operation && !ask.refused)
      .flatMap(exchange => {
        const list = reader.read(exchange)
        return list ? [{ exchange, list }] : []
      })
      .sort((one, other) => one.exchange.begun - other.exchange.begun)
  const orderLists = listsOf('listOrders')
  const stockLists = listsOf('listInventory')
  /** Everything that could change something, in order. */
  const changes = exchanges.filter(
    ({ ask }) => ask.operation === 'cancelOrder' || ask.operation === 'updateInventory',
  )
  const byId = new Map<string, Exchange[]>()
  for (const each of changes)
    for (const id of new Set([each.ask.id, each.ask.of ?? each.ask.id])) {
      const key = `${each.ask.operation} ${canonical(id)}`
      byId.set(key, [...(byId.get(key) ?? []), each])
    }
  const naming = (operation: OperationId, id: string): readonly Exchange[] =>
    byId.get(`${operation} ${canonical(id)}`) ?? []

  const units: readonly Units[] = fixtures
    .filter(({ resource }) => resource === 'order')
    .map(({ id, since }) => {
      const entry = orderLists.find(({ list }) => list.byId.has(canonical(id)))?.list.byId.get(canonical(id))
      const cancelled = naming('cancelOrder', id).find(each => mayAct(each, wrong))
      return {
        pet: numberIn(entry, 'petId'),
        count: toInteger(numberIn(entry, 'quantity') ?? ''),
        takenSince: since,
        returnedSince: cancelled?.begun,
      }
    })

  return {
    fixtures,
    wrong,
    orderLists,
    stockLists,
    changes,
    /** The requests of an operation that name this object, or something that a faulty store could take for it. */
    naming,
    units,
    /** The requests that ask for a change of this order or pet, or would if the store took what they name for it. */
    asked: (fixture: Fixture): readonly Exchange[] =>
      naming(changing(fixture), fixture.id).filter(({ begun }) => begun > fixture.since),
    /** What may have changed an order or pet between two times: first the requests that name it, then the others. */
    suspects(from: number, to: number, fixture: Fixture): readonly Exchange[] {
      const between = changes.filter(({ begun, ended, problem }) => (ended > from || problem) && begun < to)
      const own = new Set(naming(changing(fixture), fixture.id))
      return [...between.filter(each => own.has(each)), ...between.filter(each => !own.has(each))]
    },
  }
}

const changing = ({ resource }: Fixture): OperationId =>
  resource === 'order' ? 'cancelOrder' : 'updateInventory'

/** Whether a list may contain an order or pet. It may, also if it shows entries without an id. */
export const mayShow = ({ list }: Seen, id: string): boolean => list.byId.has(canonical(id)) || list.hidesIds

/** A list without an order or pet of the run, although nothing has cancelled or removed it. */
export function missingFrom(seen: Seen, fixture: Fixture, timeline: Timeline): Check {
  const { exchange, list } = seen
  const { resource, state, id, since: known } = fixture
  const isOrder = resource === 'order'
  const all = isOrder ? timeline.orderLists : timeline.stockLists
  const showing = since(all, known).filter(each => each.list.byId.has(canonical(id)))
  const before = showing.findLast(each => each.exchange.ended < exchange.begun)
  const isPart = isPage(seen, all, timeline)
  const accepted = timeline.asked(fixture).filter(isSuccess)
  const isBack = showing.some(
    ({ exchange: { begun, ended } }) =>
      isOrder && begun > exchange.ended && ended < (accepted[0]?.begun ?? Infinity),
  )
  // A pet whose update succeeds later still exists.
  const isThere =
    isBack || accepted.some(({ ask, begun }) => !isOrder && ask.named === 'pet' && begun > exchange.ended)
  const name = isOrder ? `${state} order` : 'pet'
  const plural = isOrder ? 'orders' : 'pets'
  return {
    exchange,
    object: id,
    aspect: 'effect',
    about: isPart ? 'page' : isBack ? 'kept' : isOrder ? `${state} listed` : 'pet listed',
    problem: {
      expected: `${name} ${id} in the ${isOrder ? 'list' : 'inventory'}`,
      got: `a ${isPart ? 'page' : 'list'} of ${list.items.length} ${plural} without it${isBack && !isPart ? ', which a later list shows' : ''}`,
      shown: [...(before ? [before.exchange] : []), exchange],
      suspects:
        before && !isPart && !isThere
          ? timeline.suspects(before.exchange.begun, exchange.ended, fixture)
          : [],
    },
  }
}

/** Whether a list is a page: it is as long as the longest ones, which differ from others, and between which the run has arranged more. */
export function isPage({ list }: Seen, lists: readonly Seen[], { fixtures }: Pick<Log, 'fixtures'>): boolean {
  const { length } = list.items
  if (lists.some(other => other.list.items.length > length)) return false
  const same = lists.filter(other => other.list.items.length === length)
  const [first, last] = [same[0]?.exchange.begun ?? 0, same.at(-1)?.exchange.begun ?? 0]
  const resource = lists[0]?.exchange.ask.operation === 'listOrders' ? 'order' : 'pet'
  const isArranged = ({ origin, since, ...each }: Fixture) =>
    each.resource === resource && origin === 'arranged' && since > first && since < last
  return lists.some(other => other.list !== list) && fixtures.some(isArranged)
}

/** The lists before and after one, and an order that both show and it does not: somebody else may remove an order, but not bring it back. */
export function lapseOf({ exchange, list }: Seen, lists: readonly Seen[]) {
  const before = lists.findLast(each => each.exchange.ended < exchange.begun)
  const after = lists.find(each => each.exchange.begun > exchange.ended)
  if (!before || !after || before.list.byId.size === 0) return undefined
  if (list.hidesIds || list === before.list || list === after.list) return undefined
  const lost = [...before.list.byId.keys()].find(id => !list.byId.has(id) && after.list.byId.has(id))
  return { lost, before, after }
}

/** Whether a request may have had the effect that it asks for. */
export const mayAct = (exchange: Exchange, wrong: ReadonlySet<Exchange>): boolean => {
  const { ask, response } = exchange
  if (ask.refused || ask.undescribed) return wrong.has(exchange) && isSuccess(exchange)
  return response === undefined || isSuccess(exchange) || response.status >= 500
}

export const isSuccess = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

/** The lists that were requested after this time. */
export const since = (lists: readonly Seen[], time: number): readonly Seen[] =>
  lists.filter(({ exchange }) => exchange.begun > time)

/** The last list of each kind: of each context, and of each row of a table. */
export const lastOfEach = (lists: readonly Seen[]): readonly Seen[] => [
  ...new Map(lists.map(seen => [`${seen.exchange.context} ${seen.exchange.ask.row}`, seen])).values(),
]

/** One check of each kind for an exchange, and all violations: many orders may show the same. */
export function once(checks: readonly Check[]): readonly Check[] {
  const seen = new Map<Exchange, Set<string>>()
  return checks.filter(check => {
    const abouts = seen.get(check.exchange) ?? new Set()
    seen.set(check.exchange, abouts)
    if (isViolation(check)) return true
    if (abouts.has(check.about)) return false
    abouts.add(check.about)
    return true
  })
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
    const asked = cancellations.filter(({ ask }) => !ask.refused && canonical(ask.id) === id)
    // One with a wrong key or a similar id that was accepted has changed it in this run.
    const isTaken = cancellations.some(
      each => isSuccess(each) && [each.ask.id, each.ask.of ?? ''].some(own => canonical(own) === id),
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
