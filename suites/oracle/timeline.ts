import { canonical, toInteger } from '../../support/interface/numbers.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { isWrong } from './answer.ts'
import { type List, type ListReader, numberIn } from './lists.ts'
import { type Check, type Exchange, type Fixture, isSuccess, type Log } from './log.ts'

/** A list that could be read, with its exchange. */
export interface Seen {
  readonly exchange: Exchange
  readonly list: List
}

/** Of one order or pet, more violations show nothing more. */
export const MOST_VIOLATIONS = 5

/** The log, arranged for questions about one order, one pet or one list. */
export type Timeline = ReturnType<typeof timelineOf>

export function timelineOf({ exchanges, fixtures }: Log, reader: ListReader) {
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
  /** The requests of an operation that name this object, or something that a faulty store could take for it. */
  const naming = (operation: OperationId, id: string): readonly Exchange[] =>
    byId.get(`${operation} ${canonical(id)}`) ?? []
  const orders = fixtures.filter(({ resource }) => resource === 'order')
  /** The units of each order. If no list shows its pet or their number, it may be any. */
  const units = orders.map(({ id, since }) => {
    const entry = orderLists.find(({ list }) => list.byId.has(canonical(id)))?.list.byId.get(canonical(id))
    const cancellations = naming('cancelOrder', id).filter(mayAct)
    return {
      pet: numberIn(entry, 'petId'),
      count: toInteger(numberIn(entry, 'quantity') ?? ''),
      takenSince: since,
      // Infinity if there was no cancellation. In the log, one that began later may come first.
      returnedSince: Math.min(...cancellations.map(({ begun }) => begun)),
    }
  })

  return {
    fixtures,
    orderLists,
    stockLists,
    changes,
    naming,
    /** The requests that ask for a change of this order or pet, or would if the store took what they name for it. */
    asked: (fixture: Fixture): readonly Exchange[] =>
      naming(changing(fixture), fixture.id).filter(({ begun }) => begun > fixture.since),
    /** What may have changed an order or pet between two times: first the requests that name it, then the others. */
    suspects(from: number, to: number, fixture: Fixture): readonly Exchange[] {
      const between = changes.filter(({ begun, ended, problem }) => (ended > from || problem) && begun < to)
      const own = new Set(naming(changing(fixture), fixture.id))
      return [...between.filter(each => own.has(each)), ...between.filter(each => !own.has(each))]
    },
    /**
     * Whether orders explain a difference of a stock: arranging one may take some of its units, and cancelling it may return some, at once
     * or late (§3 leaves it open). What they take, they have taken by the first list that follows: the provider has arranged them then.
     * @param after the time of the list before @returns undefined if the units of an order are not known
     */
    ordersExplain(difference: bigint, pet: string, after: number, until: number): boolean | undefined {
      let [taken, returned] = [0n, 0n]
      for (const { pet: own, count, takenSince, returnedSince } of difference === 0n ? [] : units) {
        const isTaken = takenSince > after && takenSince < until
        if ((own !== undefined && own !== canonical(pet)) || !(isTaken || returnedSince < until)) continue
        if (count === undefined || count < 0n) return undefined
        if (isTaken) taken += count
        if (returnedSince < until) returned += count
      }
      return difference >= -taken && difference <= returned
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
  const all = resource === 'order' ? timeline.orderLists : timeline.stockLists
  const showing = since(all, known).filter(each => each.list.byId.has(canonical(id)))
  const before = showing.findLast(each => each.exchange.ended < exchange.begun)
  const isPart = isPage(seen, all, timeline)
  // Then the list is wrong, and not what was asked for before it.
  const isBack = !isPart && showing.some(each => each.exchange.begun > exchange.ended)
  const name = resource === 'order' ? `${state} order` : 'pet'
  const about = isPart ? 'page' : isBack && resource === 'order' ? 'kept' : `${state ?? 'pet'} listed`
  const got = `a ${isPart ? 'page' : 'list'} of ${list.items.length} ${resource}s without it`
  return {
    exchange,
    object: id,
    aspect: 'effect',
    about,
    problem: {
      expected: `${name} ${id} in the ${resource === 'order' ? 'list' : 'inventory'}`,
      got: isBack ? `${got}, which a later list shows` : got,
      shown: [...(before ? [before.exchange] : []), exchange],
      suspects:
        before && !isPart && !isBack ? timeline.suspects(before.exchange.begun, exchange.ended, fixture) : [],
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

/** Whether it is not known what a request did: its answer is a violation, and no refusal. */
export const isUnknown = (exchange: Exchange): boolean =>
  isWrong(exchange) && (isSuccess(exchange) || (exchange.response?.status ?? 0) >= 500)

/** Whether a request may have had the effect that it asks for. */
export const mayAct = (exchange: Exchange): boolean => {
  const { ask, response } = exchange
  if (ask.refused || ask.undescribed) return isWrong(exchange) && isSuccess(exchange)
  return response === undefined || isSuccess(exchange) || response.status >= 500
}

/** The lists that were requested after this time. */
export const since = (lists: readonly Seen[], time: number): readonly Seen[] =>
  lists.filter(({ exchange }) => exchange.begun > time)

/** The last list of each kind: of each context, and of each row of a table. */
export const lastOfEach = (lists: readonly Seen[]): readonly Seen[] => [
  ...new Map(lists.map(seen => [`${seen.exchange.context} ${seen.exchange.ask.row}`, seen])).values(),
]

/** One check of each kind for an exchange, and all violations: many orders may show the same. */
export function once(checks: readonly Check[]): readonly Check[] {
  const seen = new Set<string>()
  return checks.filter(check => {
    const key = `${check.exchange.at} ${check.about}`
    const isNew = !seen.has(key)
    if (!check.problem) seen.add(key)
    return check.problem !== undefined || isNew
  })
}
