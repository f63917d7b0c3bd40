import { stockIn } from '../../suites/oracle/lists.ts'
import { clientOf } from './client.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { changeText, putBack } from './put-back.ts'
import type { SendingOptions } from './sender.ts'
import { undoJournal } from './undo.ts'

/**
 * Restores the stock of all pets in the journal. It needs the key, and nothing else of the run.
 * @returns a sentence for each pet whose stock was not restored, and what was restored; or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
): Promise<{ readonly problems: readonly string[]; readonly restored: readonly string[] } | Unreachable> {
  const journal = undoJournal(options.undoPath, options.baseUrl)
  const client = clientOf({ ...options, journal, quantities: () => 0n })
  const due = journal.open
  for (const { petId } of due) client.consent.pet.grant(petId)
  try {
    await client.look()
    const unreachable = preflight(client.sent, options.baseUrl, client.proxy)
    if (unreachable) return unreachable
    const before = client.lastList('listInventory')
    const problems = await putBack(client, journal, due)
    const restored = due.filter(({ petId }) => !problems.has(petId))
    return {
      problems: [...problems.values()],
      restored: restored.map(
        ({ petId, quantity }) => `pet ${petId} ${changeText(stockIn(before, petId), quantity)}`,
      ),
    }
  } finally {
    await client.closeAll()
  }
}
