import { openSender, type SendingOptions } from '../access/open.ts'
import type { Unreachable } from '../access/preflight.ts'
import type { Exchange } from '../http/exchange.ts'
import { type StoreClient, storeClient } from './client.ts'
import { consent } from './consent.ts'
import { restoreStock, stockIn, undoJournal } from './undo.ts'

/**
 * Restores the stock of these pets from the journal, and verifies it in the list.
 * @returns a sentence for each pet whose stock was not restored and stays in the journal, and the stock before by the canonical text of
 * each id, or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
  pets: readonly string[],
  stored: (count: number) => void = () => undefined,
): Promise<{ problems: readonly string[]; before: ReadonlyMap<string, string> } | Unreachable> {
  const permission = consent(false)
  for (const pet of pets) permission.pet.grant(pet)
  const sending = openSender(options)
  const store = storeClient({ ...sending, scenario: 'restore', consent: permission })
  try {
    const found = await bothLists(store)
    const unreachable = sending.unreachable(found)
    if (unreachable) return unreachable
    const left = await restoreStock(store, undoJournal(options.undoPath, options.baseUrl), pets, stored)
    const before = stockIn(found.find(({ operation }) => operation === 'listInventory')?.response)
    return { problems: left.map(({ problem }) => problem), before: before ?? new Map() }
  } finally {
    await sending.close()
  }
}

/** Sends two GET requests before anything else. */
const bothLists = (store: StoreClient): Promise<Exchange[]> =>
  Promise.all([store.listOrders({ step: 'preflight' }), store.listInventory({ step: 'preflight' })])
