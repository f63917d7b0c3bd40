import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { stockIn } from './lists.ts'
import type { Check, Exchange } from './log.ts'
import { isPage, isSuccess, lapseOf, type Seen, type Timeline } from './timeline.ts'

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
  const owned = new Set(fixtures.map(({ resource, id }) => `${resource} ${canonical(id)}`))
  const checks: Check[] = []
  const seen = new Set<string>()
  for (const exchange of changes) {
    const { named, id, operation } = exchange.ask
    if (!['unknown order', 'similar order id', 'unknown pet', 'similar pet id'].includes(named)) continue
    const isOrder = operation === 'cancelOrder'
    const key = `${isOrder ? 'order' : 'pet'} ${canonical(id)}`
    const lists = isOrder ? orderLists : stockLists
    const isListed = ({ list }: Seen) => list.byId.has(canonical(id))
    if (
      owned.has(key) ||
      seen.has(key) ||
      lists.some(each => each.exchange.ended < exchange.begun && isListed(each))
    )
      continue
    const later = lists.filter(each => each.exchange.begun > exchange.ended)
    const found = later.find(isListed)
    if (found) seen.add(key)
    if (later.length > 0)
      checks.push({
        exchange,
        aspect: 'effect',
        about: 'created',
        object: id,
        problem: found && {
          expected: `no ${key} in the list`,
          got: 'a list with it',
          shown: [exchange, found.exchange],
        },
      })
  }
  return checks
}

/** An order that the lists before and after show is in the list between them. */
function keptChecks(timeline: Timeline): readonly Check[] {
  const { orderLists } = timeline
  return orderLists.flatMap((seen): Check[] => {
    const lapse = lapseOf(seen, orderLists)
    if (!lapse) return []
    const { exchange } = seen
    const { lost, before, after } = lapse
    const about = lost !== undefined && isPage(seen, orderLists, timeline) ? 'page' : 'kept'
    const problem =
      lost === undefined
        ? undefined
        : {
            expected: `order ${lost} in each list`,
            got: 'a list without it between two that show it',
            shown: [before.exchange, exchange, after.exchange],
          }
    return [{ exchange, aspect: 'effect', about, problem }]
  })
}

/** The requests whose effect on others the lists show: one before, and one after. */
function observedChecks({ changes, orderLists, stockLists }: Timeline): readonly Check[] {
  const [firstOrders, firstStock] = [orderLists[0]?.exchange, stockLists[0]?.exchange]
  const [lastOrders, lastStock] = [orderLists.at(-1)?.exchange, stockLists.at(-1)?.exchange]
  const isBetween = (each: Exchange, first: Exchange | undefined, last: Exchange | undefined) =>
    first !== undefined && last !== undefined && first.ended < each.begun && each.ended < last.begun
  return changes.flatMap((exchange): Check[] => [
    ...(isBetween(exchange, firstOrders, lastOrders)
      ? [{ exchange, aspect: 'effect', about: 'others' } as const]
      : []),
    // Which units a cancellation may return is not known without a list of orders.
    ...(isBetween(exchange, firstStock, lastStock) &&
    (firstOrders || exchange.ask.operation !== 'cancelOrder')
      ? [{ exchange, aspect: 'effect', about: 'stock' } as const]
      : []),
  ])
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
    return isClear ? [{ before, after, updates }] : []
  })
  const isMade = (each: Exchange) => isSuccess(each) && each.ask.body?.kind === 'ordinary'
  const active = times.filter(({ updates }) => updates.some(isMade))
  const quiet = times.filter(({ updates }) => updates.length === 0)
  const isMoved = (pet: string) => (time: (typeof times)[number]) =>
    stockIn(time.before.list, pet) !== stockIn(time.after.list, pet)
  const isSent = (pet: string) => (time: (typeof times)[number]) =>
    time.updates.some(({ ask }) => toInteger(ask.body?.quantity ?? '') === stockIn(time.after.list, pet))
  const other = [...(active[0]?.after.list.byId.keys() ?? [])].find(
    pet =>
      !owned.has(pet) &&
      !quiet.some(isMoved(pet)) &&
      active.filter(isMoved(pet)).length > active.length / 2 &&
      active.every(time => isMoved(pet)(time) || isSent(pet)(time)),
  )
  if (other === undefined) return []
  // Somebody else does not set two such quantities, and change nothing else.
  const isAlone = active.every(time => {
    const changed = [...time.before.list.byId].filter(
      ([id, entry]) => !owned.has(id) && time.after.list.byId.get(id) !== entry,
    )
    return changed.length === 1 && isMoved(other)(time) && isSent(other)(time)
  })
  const values = new Set(active.map(({ after }) => stockIn(after.list, other)))
  const isCertain = isAlone ? values.size > 1 : active.length >= TIMES && quiet.length >= TIMES
  const shown = active.slice(0, 3)
  const exchange = shown[0]?.updates.find(isMade)
  if (!isCertain || !exchange) return []
  const problem = {
    expected: `the stock of pet ${other} unchanged`,
    got: `${shown.map(({ after }) => stockIn(after.list, other)).join(', ')} after updates of other pets, and no change while the run updated no pet`,
    shown: shown.flatMap(({ updates, after }) => [...updates.filter(isMade).slice(0, 1), after.exchange]),
  }
  return [{ exchange, aspect: 'effect', about: 'others', problem }]
}
