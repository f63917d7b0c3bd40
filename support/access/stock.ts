import { canonical, sameNumber, toInteger } from '../http/decimal.ts'
import type { RecordedResponse } from '../http/exchange.ts'
import { JsonNumber } from '../http/json.ts'
import { listIn } from '../http/read-json.ts'
import { NotArranged } from '../judge/outcome.ts'
import type { StoreClient } from './client.ts'
import type { UndoJournal } from './undo.ts'

/** The stock of each pet by the canonical text of its id. Undefined if the inventory cannot be read. */
export async function readStock(store: StoreClient, step: string): Promise<Map<string, string> | undefined> {
  return stockIn((await store.listInventory({ step })).response)
}

/** Ids of pets in the inventory that a run could change. */
export const listedPets = async (store: StoreClient, step: string): Promise<string[]> => [
  ...((await readStock(store, step))?.keys() ?? []),
]

function stockIn(response: RecordedResponse | undefined): Map<string, string> | undefined {
  const list = listIn(response)
  if (!list) return undefined
  const stock = new Map<string, string>()
  for (const { entry } of list.entries()) {
    const { petId, quantity } = entry
    const whole = quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined
    if (petId instanceof JsonNumber && whole !== undefined) stock.set(canonical(petId.source), String(whole))
  }
  return stock
}

/** A pet whose stock was not restored, and a sentence about it. */
export interface NotRestored {
  readonly petId: string
  readonly problem: string
}

/**
 * Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal.
 * @param refused is called with each pet whose old stock the store refuses
 * @returns a sentence for each pet whose stock was not restored
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
      .updateInventory(petId, { quantity }, { step: 'the stock is restored' })
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
        problem: `the stock of pet ${petId} was ${quantity} and is ${now ?? 'unknown'} now; it could not be restored`,
      },
    ]
  })
}

/** Removes a restored pet from the journal. @returns a sentence if the journal cannot be written */
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

/** A store accepts every ordinary stock (§4.4). Any other stock is sent once before its first change, to learn if it can be restored. */
export async function expectAcceptable(store: StoreClient, pet: string, quantity: string): Promise<void> {
  if (/^[0-9]{1,3}$/.test(quantity)) return
  const { response } = await store.updateInventory(
    pet,
    { quantity },
    { step: 'can its stock be restored? It is set to its current value' },
  )
  if (response?.status === 200) return
  throw new NotArranged(
    `pet ${pet} has a stock of ${quantity}, and an update to it is answered ${response?.status ?? 'nothing'}, so it could not be restored`,
    'name another pet with --pets',
  )
}

export function notInStock(pet: string): never {
  throw new NotArranged(
    `pet ${pet} is not in the inventory with a whole quantity, so its stock could not be restored`,
    'name another pet with --pets',
  )
}
