import { openSender, type SendingOptions } from '../access/open.ts'
import type { Unreachable } from '../access/preflight.ts'
import { canonical, toInteger } from '../http/decimal.ts'
import type { RecordedResponse } from '../http/exchange.ts'
import { JsonNumber } from '../http/json.ts'
import { listIn } from '../http/read-json.ts'
import { NotArranged } from '../judge/outcome.ts'
import { type StoreClient, storeClient } from './client.ts'
import { consent } from './consent.ts'
import { unreachableStore } from './first-requests.ts'
import { type UndoJournal, undoJournal } from './undo.ts'

/** The stock of each pet by the canonical text of its id. Undefined if the inventory cannot be read. */
export async function readStock(store: StoreClient, step: string): Promise<Map<string, string> | undefined> {
  return stockIn((await store.listInventory({ step })).response)
}

/** Ids of pets in the inventory that a run could change. */
export const listedPets = async (store: StoreClient, step: string): Promise<string[]> => [
  ...((await readStock(store, step))?.keys() ?? []),
]

export function stockIn(response: RecordedResponse | undefined): Map<string, string> | undefined {
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
  /** `recorded`: the stock is restored, but the journal still lists it. `accepted`: another update might change the stock further. */
  readonly state: 'recorded' | 'refused' | 'accepted'
}

/**
 * Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal.
 * @param stored is called after each update with the number of updates so far
 * @returns a sentence for each pet whose stock was not restored
 */
export async function restoreStock(
  store: StoreClient,
  journal: UndoJournal,
  pets: readonly string[],
  stored: (count: number) => void = () => undefined,
): Promise<NotRestored[]> {
  const wanted = new Set(pets.map(canonical))
  const due = journal.open.filter(({ petId }) => wanted.has(canonical(petId)))
  if (due.length === 0) return []
  const statuses = new Map<string, number | undefined>()
  const waiting = due.values()
  const work = async () => {
    for (const { petId, quantity } of waiting) {
      const answer = await store
        .updateInventory(petId, { quantity }, { step: 'the stock is restored' })
        .catch(() => undefined)
      statuses.set(petId, answer?.response?.status)
      stored(statuses.size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const stock = await readStock(store, 'is the stock as it was?').catch(() => undefined)
  const isRestored = ({ petId, quantity }: (typeof due)[number]) => stock?.get(canonical(petId)) === quantity
  const problem = forgotten(journal, due.filter(isRestored))
  return [
    ...problem,
    ...due
      .filter(each => !isRestored(each))
      .map(({ petId, quantity }): NotRestored => {
        const now = stock?.get(canonical(petId)) ?? 'unknown'
        const status = statuses.get(petId)
        return {
          petId,
          state: status === 200 ? 'accepted' : 'refused',
          problem: `the stock of pet ${petId} was ${quantity} and is ${now} now; it could not be restored: the update was answered ${status ?? 'nothing'}`,
        }
      }),
  ]
}

/** Updates that are waiting for the store, or for a place of the limiter. */
const AT_ONCE = 64

/** Removes restored pets from the journal. @returns a sentence for each if the journal cannot be written */
export function forgotten(
  journal: UndoJournal,
  pets: readonly { readonly petId: string; readonly quantity: string }[],
): NotRestored[] {
  try {
    journal.forget(pets.map(({ petId }) => petId))
    return []
  } catch (error) {
    const { message } = error as Error
    return pets.map(({ petId, quantity }) => ({
      petId,
      state: 'recorded',
      problem: `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${message}`,
    }))
  }
}

export function notInStock(pet: string): never {
  throw new NotArranged(
    `pet ${pet} is not in the inventory with a whole quantity, so its stock could not be restored`,
    'name another pet with --pets',
  )
}

/**
 * Restores the stock of these pets from the journal, and verifies it in the list.
 * @returns a sentence for each pet whose stock was not restored and stays in the journal, or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
  pets: readonly string[],
  stored: (count: number) => void = () => undefined,
): Promise<readonly string[] | Unreachable> {
  const permission = consent(false)
  for (const pet of pets) permission.pet.grant(pet)
  const sending = openSender(options)
  const store = storeClient({ ...sending, scenario: 'restore', consent: permission })
  try {
    const unreachable = await unreachableStore(store, sending)
    if (unreachable) return unreachable
    const left = await restoreStock(store, undoJournal(options.undoPath, options.baseUrl), pets, stored)
    return left.map(({ problem }) => problem)
  } finally {
    await sending.close()
  }
}
