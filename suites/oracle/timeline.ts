import { canonical, toInteger } from '../../support/interface/numbers.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { JsonNumber, member } from './json.ts'
import { type Item, type List, type ListReader, numberIn } from './lists.ts'
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

  const entryOf = (order: string): Item | undefined => {
    const id = canonical(order)
    return orderLists.find(({ list }) => list.byId.has(id))?.list.byId.get(id)
  }
  const units: readonly Units[] = fixtures
    .filter(({ resource }) => resource === 'order')
    .map(({ id, since }) => {
      const entry = entryOf(id)
      const quantity = entry && member(entry.object, 'quantity')
      const cancelled = naming('cancelOrder', id).find(each => mayAct(each, wrong))
      return {
        pet: numberIn(entry, 'petId'),
        count: quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined,
        takenSince: since,
        returnedSince: cancelled?.begun,
      }
    })

  return {
    exchanges,
    fixtures,
    wrong,
    orderLists,
    stockLists,
    changes,
    /** The requests of an operation that name this object, or something that a faulty store could take for it. */
    naming,
    units,
    /**
     * What may have changed an object between two times: first the requests that name it, then the others.
     * @param isOwn whether a request names the object
     */
    suspects(from: number, to: number, isOwn: (exchange: Exchange) => boolean): readonly Exchange[] {
      const between = changes.filter(({ begun, ended, problem }) => (ended > from || problem) && begun < to)
      return [...between.filter(isOwn), ...between.filter(each => !isOwn(each))]
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

export const isOrder = (fixture: Fixture): boolean => fixture.resource === 'order'

/** The lists that were requested after this time. @param lists in order */
export function since(lists: readonly Seen[], time: number): readonly Seen[] {
  const first = lists.findIndex(({ exchange }) => exchange.begun > time)
  return first <= 0 ? (first === 0 ? lists : []) : lists.slice(first)
}

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
