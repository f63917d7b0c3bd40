import { canonical, sameNumber, toInteger } from '../http/decimal.ts'
import type { RecordedResponse } from '../http/exchange.ts'
import { JsonNumber } from '../http/json.ts'
import { listEntries } from '../http/read-json.ts'
import { NotArranged } from '../judge/outcome.ts'
import type { StoreClient } from './client.ts'
import type { UndoJournal } from './undo.ts'

/**
 * The stock of each pet by the canonical text of its id; of a large inventory, only of the run's own pets. Undefined if the inventory
 * cannot be read.
 */
export async function readStock(store: StoreClient, step: string): Promise<Map<string, string> | undefined> {
  return stockIn((await store.listInventory({ step })).response)
}

/** Some pets of a large inventory are enough: a run changes few. */
const ENOUGH = 100

/** Ids of pets in the inventory that a run could change. */
export async function listedPets(store: StoreClient, step: string): Promise<string[]> {
  const { response } = await store.listInventory({ step })
  const large = response?.list
  if (!large) return [...(stockIn(response)?.keys() ?? [])]
  const pets: string[] = []
  for (const id of large.ids.values()) {
    pets.push(id)
    if (pets.length === ENOUGH) break
  }
  return pets
}

function stockIn(response: RecordedResponse | undefined): Map<string, string> | undefined {
  const entries = listEntries(response)
  if (!entries) return undefined
  const stock = new Map<string, string>()
  for (const { entry } of entries) {
    const { petId, quantity } = entry
    const whole = quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined
    if (petId instanceof JsonNumber && whole !== undefined) stock.set(canonical(petId.source), String(whole))
  }
  return stock
}

/** A pet that is not as it was, and a sentence that says so. */
export interface NotRestored {
  readonly petId: string
  readonly problem: string
}

/**
 * Puts the stock of these pets back, and checks it in the list. What can't be put back stays in the journal.
 * @param refused hears of each pet whose old stock the store does not take
 * @returns a sentence for each pet that is not as it was
 */
export async function restoreStock(
  store: StoreClient,
  journal: UndoJournal,
  pets: readonly string[],
  refused: (petId: string) => void = () => undefined,
): Promise<NotRestored[]> {
  const due = journal.open.filter(({ petId }) => pets.some(pet => sameNumber(pet, petId)))
  if (due.length === 0) return []
  const unaccepted = new Set<string>()
  for (const { petId, quantity } of due) {
    const answer = await store
      .updateInventory(petId, { quantity }, { step: 'the stock is put back' })
      .catch(() => undefined)
    if (answer?.response && answer.response.status !== 200) unaccepted.add(petId)
  }
  const stock = await readStock(store, 'is the stock as it was?').catch(() => undefined)
  return due.flatMap(({ petId, quantity }) => {
    const now = stock?.get(canonical(petId))
    if (now === quantity) return forgotten(journal, petId, quantity)
    if (unaccepted.has(petId)) refused(petId)
    return [
      {
        petId,
        problem: `the stock of pet ${petId} was ${quantity} and is ${now ?? 'unknown'} now; it could not be put back`,
      },
    ]
  })
}

/** What is put back is no longer to be put back. It is said where that cannot be written down. */
export function forgotten(journal: UndoJournal, petId: string, quantity: string): NotRestored[] {
  try {
    journal.forget(petId)
    return []
  } catch (error) {
    const { message } = error as Error
    return [
      {
        petId,
        problem: `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${message}`,
      },
    ]
  }
}

/** An ordinary stock is one that a store takes (§4.4); whether it takes any other back is tried before that is changed. */
export async function expectAcceptable(store: StoreClient, pet: string, quantity: string): Promise<void> {
  if (/^[0-9]{1,3}$/.test(quantity)) return
  const { response } = await store.updateInventory(
    pet,
    { quantity },
    { step: 'can its stock be put back? It is set to what it is' },
  )
  if (response?.status === 200) return
  throw new NotArranged(
    `pet ${pet} has a stock of ${quantity}, which an update is answered ${response?.status ?? 'nothing'} for, so it could not be put back`,
    'name another pet with --pets',
  )
}

export function notInStock(pet: string): never {
  throw new NotArranged(
    `pet ${pet} is not in the inventory with a whole quantity, so its stock could not be put back`,
    'name another pet with --pets',
  )
}
