import { listInventory, listOrders, quantityOf, update } from '../../suites/asks.ts'
import { ListReader, stockIn } from '../../suites/oracle/lists.ts'
import { type Client, clientOf } from './client.ts'
import { consent } from './consent.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { changeText, putBack, type Restoring } from './put-back.ts'
import { type SendingOptions, senderOf } from './sender.ts'
import { undoJournal } from './undo.ts'

/** Time limit for restoring stock, including all waits that the store asks for. */
const RESTORE_MS = 60_000

export const restoringBy = (client: Pick<Client, 'send'>, reader: ListReader): Restoring => {
  const signal = AbortSignal.timeout(RESTORE_MS)
  return {
    update: (petId, quantity, title) =>
      client.send(
        // Whether a negative quantity is accepted is not shown. It is sent only to a store that adds.
        update('pet', petId, quantity, {
          row: 'restore',
          title,
          declined: quantity.startsWith('-') ? [400] : [],
        }),
        { body: quantityOf(quantity) },
        undefined,
        signal,
      ),
    async list() {
      const exchange = await client.send(listInventory(), {}, undefined, signal)
      return exchange && reader.read(exchange)
    },
  }
}

/**
 * Restores the stock of all pets in the journal. It needs the key, and nothing else of the run.
 * @returns a sentence for each pet whose stock was not restored, and what was restored; or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
): Promise<{ readonly problems: readonly string[]; readonly restored: readonly string[] } | Unreachable> {
  const journal = undoJournal(options.undoPath, options.baseUrl)
  const [permission, reader, sender] = [consent(), new ListReader(), senderOf(options)]
  const due = journal.open
  for (const { petId } of due) permission.pet.grant(petId)
  const client = clientOf({
    ...{
      sender,
      consent: permission,
      reader,
      concurrency: options.concurrency,
      signal: new AbortController().signal,
    },
    log: { exchanges: [], fixtures: [], unsent: [] },
    stop: () => undefined,
    stock: () => ({ refusal: () => undefined, sent: () => undefined }),
  })
  try {
    const [, inventory] = await Promise.all([client.send(listOrders()), client.send(listInventory())])
    const unreachable = preflight(client.sent, options.baseUrl, sender.proxy)
    if (unreachable) return unreachable
    const before = inventory && reader.read(inventory)
    const problems = await putBack(restoringBy(client, reader), journal, due)
    const restored = due.filter(({ petId }) => !problems.has(petId))
    return {
      problems: [...problems.values()],
      restored: restored.map(
        ({ petId, quantity }) => `pet ${petId} ${changeText(stockIn(before, petId), quantity)}`,
      ),
    }
  } finally {
    await sender.closeAll()
  }
}
