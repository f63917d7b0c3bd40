import { JsonNumber, member } from '../../suites/oracle/json.ts'
import { type List, stockIn } from '../../suites/oracle/lists.ts'
import type { Exchange, Log } from '../../suites/oracle/log.ts'
import { timelineOf } from '../../suites/oracle/timeline.ts'
import { canonical, sameNumber, toInteger } from '../interface/numbers.ts'
import type { Client } from './client.ts'
import { type NotSent, possibleIds } from './consent.ts'
import { putBack, restoring, type UndoJournal } from './undo.ts'

/** What is known about the stock of one named pet. */
interface Pet {
  /** As it was named: a store may know 12.50 only as it writes it. */
  readonly path: string
  /** What it is restored to: the stock before the run, with what orders of the run have changed since. */
  first: bigint
  /** What the last list showed, and when that was requested. */
  last: bigint
  lastAt: number
  /** Whether an update may have changed it since its stock was verified. */
  isTouched: boolean
}

/**
 * The stock of the pets that were named: what it was before the run, and what the run made of it. Before anything else is sent to such a
 * pet, updates show whether the store sets its stock exactly, and no other one.
 */
export function stockOf(client: Client, journal: UndoJournal, random: (below: bigint) => bigint) {
  const { log, reader } = client
  const pets = new Map<string, Pet>()
  /** By pet: why its stock is not as it was before. */
  const unrestored = new Map<string, string>()
  const warnings: string[] = []
  let lastUpdate = 0

  /** Whether orders of the run explain a difference: they may take units, and their cancellations return them (§3 leaves it open). */
  const ordersExplain = (path: string, after: number) => {
    const timeline = timelineOf(log, reader)
    return (difference: bigint): boolean => timeline.ordersExplain(difference, path, after, Infinity) ?? true
  }
  /** Whether the run can have made this stock: it sent or read it, or its orders changed that. */
  const isOwn = ({ path, first }: Pet, now: bigint): boolean => {
    const isExplained = ordersExplain(path, Infinity)
    return isExplained(now - first) || quantitiesOf(log).some(each => isExplained(now - each))
  }

  const restore = async (due: readonly Pet[]): Promise<void> => {
    const entries = due.map(({ path, first }) => journal.of(path) ?? { petId: path, quantity: String(first) })
    for (const { petId, problem } of await putBack(client, journal, entries))
      if (problem === undefined) unrestored.delete(petId)
      else unrestored.set(petId, problem)
    for (const pet of due) pet.isTouched = false
  }

  /** @returns why no named pet is to be changed further. Undefined if each of these updates was made exactly */
  const tryOut = async (pet: Pet): Promise<string | undefined> => {
    const { path, first } = pet
    const { update, list } = restoring(client)
    let before = await list()
    for (const quantity of trialOf(first, random)) {
      const was = stockIn(before, path) ?? first
      const status = await update(path, String(quantity), 'a first update of a named pet')
      const after = await list()
      const now = stockIn(after, path)
      const isNew = (id: string) => stockIn(after, id) === quantity && stockIn(before, id) !== quantity
      const also = petsIn(after).filter(id => !sameNumber(id, path) && isNew(id))
      for (const id of also) {
        const why = `the stock of pet ${id} was ${stockIn(before, id)}, and is ${quantity} after an update of pet ${path}`
        unrestored.set(id, why)
      }
      before = after
      if (status === 200 && now === quantity && also.length === 0) continue
      // Adding 0, or to 0, cannot be told from other mistakes. A store that adds may add a negative quantity.
      if (was !== 0n && quantity !== 0n && now === was + quantity) {
        await update(path, String(first - now), 'the update that restores what was added')
        journal.remember({ petId: path, quantity: String(first), lost: true })
      }
      // If another pet has got the quantity instead, it would get this one as well.
      if (also.length > 0 && now === first) pet.isTouched = false
      else if (pet.isTouched || now !== first) await restore([pet])
      const shown = `pet ${path} had a stock of ${was}; after an update to ${quantity}, answered ${status ?? 'nothing'}, the inventory shows ${now ?? 'no quantity'}`
      return unrestored.get(also[0] ?? '') ?? shown
    }
    pet.isTouched = false
    return undefined
  }

  client.watch((exchange, isChanging) => {
    const { ask, response, problem, begun, ended } = exchange
    const list = ask.operation === 'listInventory' && !ask.refused ? reader.read(exchange) : undefined
    for (const pet of list ? pets.values() : []) {
      const { path, last, lastAt } = pet
      const now = stockIn(list, path)
      if (now === undefined) continue
      // Without an update in between, orders of the run changed it, or somebody else.
      const isMoved = isChanging || lastUpdate > lastAt
      if (now !== last && !isMoved && ordersExplain(path, lastAt)(now - last)) {
        pet.first += now - last
        journal.remember({ petId: path, quantity: String(pet.first) })
      }
      Object.assign(pet, { last: now, lastAt: begun })
    }
    if (!isUpdate(exchange)) return
    lastUpdate = ended
    const pet = pets.get(canonical(ask.id))
    if (!pet) return
    pet.isTouched ||= !response || response.status < 400 || response.status >= 500
    if (problem?.kind !== 'timeout') return
    const late = `an update of pet ${pet.path} got no answer in time, so the store may still make it`
    warnings.push(`${late} after this run. Check later that its stock is ${pet.first}`)
    const need = 'let updateInventory answer in time; a higher --timeout waits longer'
    client.lock([lockOf(pet)], { reason: late, need })
  })

  return {
    /** Saves the stock of a pet before it is changed. @returns why it must not be changed */
    take(path: string, list: List | undefined): NotSent | undefined {
      const now = stockIn(list, path)
      const unread = `the inventory could not be read, so pet ${path} is not used`
      if (!list) return { reason: unread, need: 'fix GET /inventory first' }
      const reason = `the inventory shows no whole quantity of pet ${path}, which was named, so it is not used`
      if (now === undefined) return { reason, need: `name another pet than ${path} with --pets` }
      const error = journal.remember({ petId: path, quantity: String(now) })
      const unsaved = `the stock of pet ${path} cannot be saved before it is changed (${error})`
      if (error !== undefined) return { reason: unsaved, need: 'make the reports folder writable' }
      pets.set(canonical(path), { path, first: now, last: now, lastAt: 0, isTouched: false })
      return undefined
    },
    /** The first updates of each pet. After one that was not made exactly, no named pet is changed any more. */
    async tryOut(): Promise<void> {
      for (const pet of pets.values()) {
        const reason = client.signal.aborted ? undefined : await tryOut(pet)
        if (reason === undefined) continue
        const need = 'let updateInventory set exactly the quantity that it is sent, and no other stock'
        client.lock([...pets.values()].map(lockOf), { reason, need })
        return
      }
    },
    /** Compares all pets with their first values, and restores those that the run changed, on purpose or not. */
    async close(): Promise<void> {
      if (pets.size === 0) return
      const list = await restoring(client).list()
      const due: Pet[] = []
      for (const pet of pets.values()) {
        const { path, first } = pet
        const now = stockIn(list, path) ?? first
        const foreign = `the stock of pet ${path} was ${first} and is ${now} now, which this run did not send; it was left as it is`
        if (isOwn(pet, now) || journal.of(path)?.lost) due.push(pet)
        else unrestored.set(path, foreign)
      }
      // The update that restores one may change another one.
      if (due.some(({ path, first, isTouched }) => isTouched || stockIn(list, path) !== first))
        await restore(due)
      else for (const { path } of due) journal.forget(path)
    },
    /** Pets whose stock is not as it was. */
    unrestored: () => [...unrestored.keys()],
    warnings: () => [...warnings, ...unrestored.values()],
  }
}

const lockOf = ({ path }: Pet): string => `pet ${canonical(path)}`

const isUpdate = ({ ask }: Exchange): boolean => ask.operation === 'updateInventory'

/** The ids of the pets in a list, as it writes them. */
export const petsIn = (list: List | undefined): readonly string[] =>
  [...(list?.byId.values() ?? [])]
    .map(entry => member(entry, 'petId'))
    .flatMap(id => (id instanceof JsonNumber ? [id.value] : []))

/** The numbers in the updates of a run and their answers, in each way to read them. */
function quantitiesOf({ exchanges }: Log): readonly bigint[] {
  const texts = exchanges
    .filter(isUpdate)
    .flatMap(({ request, response }) => [request.body ?? '', response?.body ?? ''])
    .flatMap(text => text.match(/-?[0-9][0-9.eE+]{0,60}/g) ?? [])
  return [...new Set([...new Set(texts)].flatMap(possibleIds))].flatMap(each => toInteger(each) ?? [])
}

/**
 * The quantities of the first updates of a pet, the last one being its own. Every store accepts one from 0 to 999 (§4.4), and any other
 * stock is sent first, to learn whether the store accepts it. After 0, adding cannot be told from replacing.
 */
function trialOf(first: bigint, random: (below: bigint) => bigint): readonly bigint[] {
  const others = [101n, 501n].map(from => from + 2n * random(200n) + (first % 2n === 0n ? 0n : 1n))
  const isOrdinary = first >= 0n && first < 1000n
  return [...(isOrdinary ? [] : [first]), ...others.slice(first === 0n ? 0 : 1), first]
}
