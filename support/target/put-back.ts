import { type List, stockIn } from '../../suites/oracle/lists.ts'
import type { Exchange } from '../../suites/oracle/log.ts'
import type { Entry, UndoJournal } from './undo.ts'

/** How stock is restored, also by a run that was stopped. */
export interface Restoring {
  update(petId: string, quantity: string, title: string): Promise<Exchange | undefined>
  /** The inventory. Undefined if it cannot be read. */
  list(): Promise<List | undefined>
}

/**
 * Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal.
 * @returns a sentence for each pet whose stock was not restored, or that is still in the journal
 */
export async function putBack(
  { update, list }: Restoring,
  journal: UndoJournal,
  due: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  if (due.length === 0) return problems
  const answers = new Map<Entry, number | undefined>()
  // One after the other: a store that loses one of two simultaneous updates still gets its stock back.
  for (const entry of due) {
    if (entry.lost) continue
    const { petId, quantity } = entry
    const answer = await update(petId, quantity, `the update that restores the stock of pet ${petId}`)
    answers.set(entry, answer?.response?.status)
  }
  const stock = await list()
  for (const entry of due) {
    const { petId, quantity, lost } = entry
    const now = stockIn(stock, petId)
    const status = answers.get(entry)
    const error = String(now) === quantity ? journal.forget(petId) : undefined
    if (error)
      problems.set(
        petId,
        `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${error}`,
      )
    if (String(now) === quantity) continue
    const isLost = lost || (status === 200 && now !== undefined)
    if (isLost) journal.giveUp(petId)
    const why = lost
      ? 'an earlier update that should have restored it did not'
      : `the update was answered ${status ?? 'nothing'}`
    const isNow = stock
      ? `is ${now ?? 'not shown by the inventory'} now; it could not be restored: ${why}`
      : `is unknown now, because the inventory could not be read; ${why}`
    const byHand = `. No further update of it is sent, because each could change it more. Set it to ${quantity} in the store itself, then run npx --no-install store-conformance restore, which compares it`
    problems.set(petId, `the stock of pet ${petId} was ${quantity} and ${isNow}${isLost ? byHand : ''}`)
  }
  return problems
}

/** Names the old value, because it may be one that another client set since the earlier run. */
export const changeText = (before: bigint | undefined, after: string): string =>
  before === undefined || String(before) === after ? `to ${after}` : `from ${before} to ${after}`
