import { canonical, toInteger } from '../http/decimal.ts'
import type { Exchange } from '../http/exchange.ts'
import { isJsonObject, JsonNumber, JsonSyntaxError } from '../http/json.ts'
import { readJson } from '../http/read-json.ts'
import { NotArranged } from '../judge/outcome.ts'
import type { StoreClient, UpdateBody } from './client.ts'
import { forgotten, readStock, restoreStock } from './stock.ts'
import type { UndoJournal } from './undo.ts'

/**
 * The stock of the pets that were named: what it was before the run, and what the run made of it. A value that the run neither sent
 * nor was answered is another client's. It is left as it is, and the run no longer changes that pet.
 */
export interface NamedStock {
  /** Remembers the first value of every pet. */
  note(stock: ReadonlyMap<string, string> | undefined): void
  /** The stock to restore. @throws {NotArranged} if another client changes it, or the store refused to restore it earlier */
  before(petId: string): string | undefined
  sent(body: UpdateBody): void
  answered(exchange: Exchange): void
  /** Restores the stock of these pets after a scenario. A stock that cannot be restored stays in the journal. */
  restore(store: StoreClient, pets: readonly string[]): Promise<void>
  /** Compares all pets with their first values, and restores those that the run changed, on purpose or not. */
  restoreAll(store: StoreClient): Promise<void>
  /** A sentence for each pet whose stock was not restored, and for each that no update of the run named but the store changed. */
  readonly warnings: readonly string[]
}

export function namedStock(journal: UndoJournal, isNamed: (petId: string) => boolean): NamedStock {
  const firsts = new Map<string, string>()
  const last = new Map<string, string>()
  const own = new Set<string>()
  const contested = new Set<string>()
  const unaccepted = new Set<string>()
  const warnings = new Map<string, string>()
  let changes = 0

  const isForeign = (now: string | undefined, first: string): now is string =>
    now !== undefined && now !== first && !own.has(now)

  const leave = (petId: string, first: string, now: string): void => {
    contested.add(petId)
    warnings.set(
      petId,
      `the stock of pet ${petId} was ${first} and is ${now} now, which this run did not send; another client may have changed it, so it was left as it is`,
    )
  }
  const send = async (store: StoreClient, pets: readonly string[]): Promise<void> => {
    for (const pet of pets) warnings.delete(canonical(pet))
    const problems = await restoreStock(store, journal, pets, pet => void unaccepted.add(canonical(pet)))
    for (const { petId, problem } of problems) warnings.set(canonical(petId), problem)
  }

  return {
    note(stock) {
      if (stock === undefined) return
      for (const { petId, quantity } of journal.open) firsts.set(canonical(petId), quantity)
      for (const [pet, quantity] of stock) {
        if (!isNamed(pet)) continue
        if (!firsts.has(pet)) firsts.set(pet, quantity)
        last.set(pet, quantity)
      }
    },
    before(petId) {
      const pet = canonical(petId)
      const first = firsts.get(pet)
      const now = last.get(pet)
      if (first === undefined || now === undefined) return undefined
      const isOpen = journal.open.some(each => canonical(each.petId) === pet)
      if (!isOpen && isForeign(now, first)) leave(pet, first, now)
      if (contested.has(pet))
        throw new NotArranged(
          `another client changes the stock of pet ${petId}`,
          'name a pet with --pets that no other client changes',
        )
      if (unaccepted.has(pet))
        throw new NotArranged(
          `the stock of pet ${petId} could not be restored after an earlier scenario`,
          'name another pet with --pets',
        )
      return first
    },
    sent(body) {
      changes += 1
      const text = typeof body === 'string' ? body : `{"quantity":${body.quantity}}`
      for (const [, number = ''] of text.matchAll(/"quantity"\s*:\s*(-?[0-9.eE+-]{1,60})/g)) {
        const whole = toInteger(number)
        if (whole !== undefined) own.add(String(whole))
      }
    },
    answered({ response }) {
      const json = response && readJson(response)
      if (!json || json instanceof JsonSyntaxError || !isJsonObject(json.value)) return
      const { quantity } = json.value
      const whole = quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined
      if (whole !== undefined) own.add(String(whole))
    },
    async restore(store, pets) {
      const wanted = new Set(pets.map(canonical))
      const due = journal.open.filter(({ petId }) => wanted.has(canonical(petId)))
      if (due.length === 0) return
      const stock = await readStock(store, 'the stock before it is restored').catch(() => undefined)
      const changed: string[] = []
      for (const { petId, quantity } of due) {
        const now = stock?.get(canonical(petId))
        if (isForeign(now, quantity)) leave(canonical(petId), quantity, now)
        else if (now !== quantity) changed.push(petId)
        else
          for (const { problem } of forgotten(journal, petId, quantity))
            warnings.set(canonical(petId), problem)
      }
      await send(store, changed)
    },
    async restoreAll(store) {
      if (changes === 0 || firsts.size === 0) return
      const stock = await readStock(store, 'is the stock of every named pet as it was?').catch(
        () => undefined,
      )
      const changed: string[] = []
      for (const [pet, first] of firsts) {
        const now = stock?.get(pet)
        const isOpen = journal.open.some(({ petId }) => canonical(petId) === pet)
        if (now === first) {
          warnings.delete(pet)
          if (isOpen) forgotten(journal, pet, first)
        } else if (isForeign(now, first)) {
          leave(pet, first, now)
        } else if (isOpen || now !== undefined) {
          if (!isOpen) journal.remember(pet, first)
          changed.push(pet)
        }
      }
      const unasked = changed.filter(pet => !warnings.has(pet) && stock?.has(pet))
      await send(store, changed)
      for (const pet of unasked) {
        if (!warnings.has(pet))
          warnings.set(
            pet,
            `the stock of pet ${pet} was ${stock?.get(pet)} after the last scenario, and was restored to ${firsts.get(pet)}`,
          )
      }
    },
    get warnings() {
      return [...warnings.values()]
    },
  }
}
