import type { Written } from '../../suites/acts.ts'
import { listInventory, quantityOf, update } from '../../suites/asks.ts'
import { type List, type ListReader, stockIn } from '../../suites/oracle/lists.ts'
import type { Ask, Exchange } from '../../suites/oracle/log.ts'
import type { UndoEntry, UndoJournal } from './undo.ts'

/** Time limit for restoring stock, including all waits that the store asks for. */
const RESTORE_MS = 60_000

/** What restores stock with, also in a run that was stopped. */
export interface Restorer {
  readonly reader: ListReader
  send(ask: Ask, written: Written, own: undefined, last: AbortSignal): Promise<Exchange | undefined>
}

/** The requests that restore stock. The list is undefined if it cannot be read. */
export function restoring({ send, reader }: Restorer) {
  const signal = AbortSignal.timeout(RESTORE_MS)
  return {
    async update(petId: string, quantity: string, title: string): Promise<number | undefined> {
      // Whether a negative quantity is accepted is not shown. It is sent only to a store that adds.
      const declined = quantity.startsWith('-') ? [400] : []
      const ask = update('pet', petId, quantity, { row: 'restore', title, declined })
      const answer = await send(ask, { body: quantityOf(quantity) }, undefined, signal)
      return answer?.response?.status
    },
    async list(): Promise<List | undefined> {
      const exchange = await send(listInventory(), {}, undefined, signal)
      return exchange && reader.read(exchange)
    },
  }
}

/**
 * Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal.
 * @returns a sentence for each pet whose stock was not restored, or that is still in the journal
 */
export async function putBack(
  restorer: Restorer,
  journal: UndoJournal,
  due: readonly UndoEntry[],
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  if (due.length === 0) return problems
  const { update, list } = restoring(restorer)
  const statuses = new Map<UndoEntry, number | undefined>()
  // One after the other: a store that loses one of two simultaneous updates still gets its stock back.
  for (const entry of due)
    if (!entry.lost)
      statuses.set(
        entry,
        await update(entry.petId, entry.quantity, `the update that restores the stock of pet ${entry.petId}`),
      )
  const inventory = await list()
  for (const entry of due) {
    const { petId, quantity, lost } = entry
    const [now, status] = [stockIn(inventory, petId), statuses.get(entry)]
    if (String(now) === quantity) {
      const error = journal.forget(petId)
      const listed = `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${error}`
      if (error) problems.set(petId, listed)
      continue
    }
    const isLost = lost || (status === 200 && now !== undefined)
    if (isLost) journal.giveUp(petId)
    const why = lost
      ? 'an earlier update that should have restored it did not'
      : `the update was answered ${status ?? 'nothing'}`
    const isNow = inventory
      ? `is ${now ?? 'not shown by the inventory'} now; it could not be restored: ${why}`
      : `is unknown now, because the inventory could not be read; ${why}`
    const byHand = `. No further update of it is sent, because each could change it more. Set it to ${quantity} in the store itself, then run npx --no-install store-conformance restore, which compares it`
    problems.set(petId, `the stock of pet ${petId} was ${quantity} and ${isNow}${isLost ? byHand : ''}`)
  }
  return problems
}
