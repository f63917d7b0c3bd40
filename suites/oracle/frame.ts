import { canonical } from '../../support/interface/numbers.ts'
import { stockIn } from './lists.ts'
import type { Check, Exchange } from './log.ts'
import { isPage, isSuccess, lapseOf, type Seen, type Timeline } from './timeline.ts'

/** What the run does not own, but saw: nothing is created that a request did not find, and nobody else follows the run's own changes. */
export function frameChecks(timeline: Timeline): readonly Check[] {
  return [
    ...createdChecks(timeline),
    ...keptChecks(timeline),
    ...followingChecks(timeline),
    ...accompanyingChecks(timeline),
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

/** Steps of the run that something must follow before it is no longer taken for the traffic of somebody else, and where nothing else changes. */
const [FOLLOWED, FOLLOWED_ALONE] = [5, 2]

/** A pet of somebody else that has each quantity in turn that was sent to one pet of the run. */
function followingChecks({ changes, fixtures, stockLists }: Timeline): readonly Check[] {
  const owned = new Set(fixtures.filter(({ resource }) => resource === 'pet').map(({ id }) => canonical(id)))
  const updates = changes.filter(
    each =>
      each.context === 'plain' &&
      each.ask.named === 'pet' &&
      [undefined, 'restore'].includes(each.ask.row) &&
      each.ask.body?.kind === 'ordinary' &&
      isSuccess(each),
  )
  return [...grouped(updates).values()].flatMap((own): readonly Check[] => {
    const steps = own.flatMap(update => {
      const before = stockLists.findLast(({ exchange }) => exchange.ended < update.begun)
      const after = stockLists.find(({ exchange }) => exchange.begun > update.ended)
      if (!before || !after) return []
      const isOnly = !changes.some(
        each =>
          each !== update &&
          each.ask.operation === 'updateInventory' &&
          each.ended > before.exchange.begun &&
          each.begun < after.exchange.ended,
      )
      return isOnly ? [{ update, before, after, quantity: String(update.ask.body?.quantity) }] : []
    })
    const [first] = steps
    if (!first) return []
    const other = [...first.after.list.byId.keys()].find(
      pet =>
        !owned.has(pet) &&
        steps.every(({ after, quantity }) => String(stockIn(after.list, pet)) === quantity),
    )
    const isAlone = steps.every(({ before, after, quantity }) => {
      const isMoved = other !== undefined && String(stockIn(before.list, other)) !== quantity
      return isMoved && foreignChanges(before, after, owned) === 1
    })
    const values = new Set(steps.map(({ quantity }) => quantity)).size
    const isCertain = isAlone ? values >= FOLLOWED_ALONE : values >= 3 && steps.length >= FOLLOWED
    if (!isCertain) return []
    const problem =
      other === undefined
        ? undefined
        : {
            expected: `the stock of pet ${other} unchanged`,
            got: `each quantity that was sent to pet ${first.update.ask.id}`,
            shown: steps.slice(0, 3).flatMap(({ update, after }) => [update, after.exchange]),
          }
    return [{ exchange: first.update, aspect: 'effect', about: 'others', problem }]
  })
}

const grouped = (updates: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> => {
  const groups = new Map<string, Exchange[]>()
  for (const each of updates)
    groups.set(canonical(each.ask.id), [...(groups.get(canonical(each.ask.id)) ?? []), each])
  return groups
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

/** A pet of somebody else whose stock changes each time that the run updates pets, and at no other time. */
function accompanyingChecks({ changes, fixtures, stockLists }: Timeline): readonly Check[] {
  const owned = new Set(fixtures.filter(({ resource }) => resource === 'pet').map(({ id }) => canonical(id)))
  const times = stockLists.slice(1).flatMap((after, at) => {
    const before = stockLists[at] as Seen
    const [{ begun, ended }, { begun: next, ended: last }] = [before.exchange, after.exchange]
    const updates = changes.filter(
      each => each.ask.operation === 'updateInventory' && each.ended > begun && each.begun < last,
    )
    const isClear = ended < next && updates.every(each => each.begun > ended && each.ended < next)
    return isClear ? [{ before, after, update: updates.find(isSuccess), isQuiet: updates.length === 0 }] : []
  })
  const active = times.filter(({ update }) => update)
  const quiet = times.filter(({ isQuiet }) => isQuiet)
  const [first] = active
  if (!first?.update || active.length < TIMES || quiet.length < TIMES) return []
  const isMoved = (pet: string) => (time: (typeof times)[number]) =>
    stockIn(time.before.list, pet) !== stockIn(time.after.list, pet)
  const other = [...first.after.list.byId.keys()].find(
    pet => !owned.has(pet) && active.every(isMoved(pet)) && !quiet.some(isMoved(pet)),
  )
  if (other === undefined) return []
  const problem = {
    expected: `the stock of pet ${other} unchanged`,
    got: 'another one after each update of the run, and the same while it updated no pet',
    shown: active.slice(0, 3).flatMap(({ update, after }) => (update ? [update, after.exchange] : [])),
  }
  return [{ exchange: first.update, aspect: 'effect', about: 'others', problem }]
}

/** How many entries that the run does not own were changed or removed. */
function foreignChanges({ list: before }: Seen, { list: after }: Seen, owned: ReadonlySet<string>): number {
  if (before === after) return 0
  let count = 0
  for (const [id, entry] of before.byId) if (!owned.has(id) && after.byId.get(id) !== entry) count += 1
  return count
}
