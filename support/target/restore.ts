import { stockIn } from '../../suites/oracle/lists.ts'
import { type Client, clientOf } from './client.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { putBack } from './put-back.ts'
import type { SendingOptions } from './sender.ts'
import { type UndoEntry, type UndoJournal, undoJournal } from './undo.ts'

/**
 * Restores the stock of all pets in the journal. It needs the key, and nothing else of the run.
 * @returns what was restored and what was not, or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
): Promise<Awaited<ReturnType<typeof restoreLeft>> | Unreachable> {
  const journal = undoJournal(options.undoPath, options.baseUrl)
  const client = clientOf({ ...options, journal, quantities: () => 0n })
  try {
    await client.look()
    const unreachable = preflight(client.sent, options.baseUrl, client.proxy)
    return unreachable ?? (await restoreLeft(client, journal, journal.open))
  } finally {
    await client.closeAll()
  }
}

/**
 * Restores what an earlier run has left changed.
 * @returns a sentence for each pet whose stock was not restored, and the change of each other one
 */
export async function restoreLeft(client: Client, journal: UndoJournal, due: readonly UndoEntry[]) {
  const before = client.lastList('listInventory')
  for (const { petId } of due) client.consent.pet.grant(petId)
  const problems = await putBack(client, journal, due)
  const restored = due.flatMap(({ petId, quantity }) => {
    if (problems.has(petId)) return []
    // The old value may be one that another client set since the earlier run.
    const now = String(stockIn(before, petId) ?? quantity)
    return [{ petId, change: now === quantity ? `to ${quantity}` : `from ${now} to ${quantity}` }]
  })
  return { problems: [...problems.values()], restored }
}
