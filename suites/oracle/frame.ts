import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { stockIn } from './lists.ts'
import { type Check, type Exchange, isSuccess } from './log.ts'
import { isPage, type Seen, since, type Timeline } from './timeline.ts'

/** What the run does not own, but saw: nothing is created that a request did not find, and nobody else follows the run's own changes. */
export function frameChecks(timeline: Timeline): readonly Check[] {
  return [
    ...createdChecks(timeline),
    ...keptChecks(timeline),
    ...followingChecks(timeline),
    ...observedChecks(timeline),
  ]
}

/** An order or pet that did not exist is listed after a request that named it. */
function createdChecks({ changes, fixtures, orderLists, stockLists }: Timeline): readonly Check[] {
  const known = new Set(fixtures.map(({ resource, id }) => `${resource} ${canonical(id)}`))
  return changes.flatMap((exchange): Check[] => {
    const { named, id, operation } = exchange.ask
    const isOrder = operation === 'cancelOrder'
    const key = `${isOrder ? 'order' : 'pet'} ${canonical(id)}`
    const lists = isOrder ? orderLists : stockLists
    const isListed = ({ list }: Seen) => list.byId.has(canonical(id))
    const later = since(lists, exchange.ended)
    if (!/^(unknown|similar) /.test(named) || known.has(key) || later.length === 0) return []
    if (lists.some(each => each.exchange.ended < exchange.begun && isListed(each))) return []
    const found = later.find(isListed)
    if (found) known.add(key)
    const problem = found && {
      expected: `no ${key} in the list`,
      got: 'a list with it',
      shown: [exchange, found.exchange],
    }
    return [{ exchange, aspect: 'effect', about: 'created', object: id, problem }]
  })
}

/** An order that the lists before and after show alike is in the list between them. Somebody else may remove it, and reuse its id. */
function keptChecks(timeline: Timeline): readonly Check[] {
  const { orderLists } = timeline
  return orderLists.flatMap((seen): Check[] => {
    const { exchange, list } = seen
    const before = orderLists.findLast(each => each.exchange.ended < exchange.begun)
    const after = since(orderLists, exchange.ended)[0]
    if (!before || !after || before.list.byId.size === 0) return []
    if (list.hidesIds || list === before.list || list === after.list) return []
    const { byId } = before.list
    const lost = [...byId.keys()].find(id => !list.byId.has(id) && after.list.byId.get(id) === byId.get(id))
    if (lost === undefined) return [{ exchange, aspect: 'effect', about: 'kept' }]
    const problem = {
      expected: `order ${lost} in each list`,
      got: 'a list without it between two that show it',
      shown: [before.exchange, exchange, after.exchange],
    }
    const about = isPage(seen, orderLists, timeline) ? 'page' : 'kept'
    return [{ exchange, aspect: 'effect', about, problem }]
  })
}

/** The requests whose effect on others the lists show: one before, and one after. */
function observedChecks({ changes, orderLists, stockLists }: Timeline): readonly Check[] {
  const between = (lists: readonly Seen[]) =>
    changes.filter(
      each =>
        (lists[0]?.exchange.ended ?? Infinity) < each.begun &&
        each.ended < (lists.at(-1)?.exchange.begun ?? 0),
    )
  const stock = between(stockLists)
  return [
    ...between(orderLists).map(exchange => ({ exchange, aspect: 'effect', about: 'others' }) as const),
    // Which units a cancellation may return is not known without a list of orders.
    ...stock
      .filter(({ ask }) => orderLists.length > 0 || ask.operation !== 'cancelOrder')
      .map(exchange => ({ exchange, aspect: 'effect', about: 'stock' }) as const),
  ]
}

/** Times that the run updated pets between two lists, and that it did not, from which on a coincidence is excluded. */
const TIMES = 20

/** A pet of somebody else that changes with the updates of the run, or has each quantity that they send, and does not change otherwise. */
function followingChecks({ changes, fixtures, stockLists }: Timeline): readonly Check[] {
  const owned = new Set(fixtures.flatMap(({ resource, id }) => (resource === 'pet' ? [canonical(id)] : [])))
  const times = stockLists.slice(1).flatMap((after, at) => {
    const before = stockLists[at] as Seen
    const [{ begun, ended }, { begun: next, ended: last }] = [before.exchange, after.exchange]
    const updates = changes.filter(
      each => each.ask.operation === 'updateInventory' && each.ended > begun && each.begun < last,
    )
    const isClear = ended < next && updates.every(each => each.begun > ended && each.ended < next)
    const moved = [...(before.list === after.list ? [] : before.list.byId)].flatMap(([id, entry]) =>
      owned.has(id) || after.list.byId.get(id) === entry ? [] : [id],
    )
    return isClear ? [{ after, updates, moved }] : []
  })
  type Time = (typeof times)[number]
  const isMade = (each: Exchange) => isSuccess(each) && each.ask.body?.kind === 'ordinary'
  const active = times.filter(({ updates }) => updates.some(isMade))
  const quiet = times.filter(({ updates }) => updates.length === 0)
  const isSent = (pet: string, { updates, after }: Time) =>
    updates.some(({ ask }) => toInteger(ask.body?.quantity ?? '') === stockIn(after.list, pet))
  const other = [...new Set(active.flatMap(({ moved }) => moved))].find(
    pet =>
      !quiet.some(({ moved }) => moved.includes(pet)) &&
      active.filter(({ moved }) => moved.includes(pet)).length > active.length / 2 &&
      active.every(time => time.moved.includes(pet) || isSent(pet, time)),
  )
  if (other === undefined) return []
  const stocks = active.map(({ after }) => stockIn(after.list, other))
  // Somebody else does not set two such quantities, and change nothing else.
  const isAlone = active.every(time => time.moved.join() === other && isSent(other, time))
  const isCertain = isAlone ? new Set(stocks).size > 1 : active.length >= TIMES && quiet.length >= TIMES
  const shown = active.slice(0, 3).map(({ updates, after }) => ({ update: updates.find(isMade), after }))
  const exchange = shown[0]?.update
  if (!isCertain || !exchange) return []
  const problem = {
    expected: `the stock of pet ${other} unchanged`,
    got: `${stocks.slice(0, 3).join(', ')} after updates of other pets, and no change while the run updated no pet`,
    shown: shown.flatMap(({ update, after }) => [update ?? exchange, after.exchange]),
  }
  return [{ exchange, aspect: 'effect', about: 'others', problem }]
}
