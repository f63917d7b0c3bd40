import type { Acts } from './acts.ts'
import type { ClientParts, StoreClient } from './client.ts'
import type { NamedStock } from './named-stock.ts'
import type { Sender } from './sender.ts'
import { type StatesParts, states } from './states.ts'

/** Time limit for restoring the stock after a scenario, including all waits that the store asks for. */
export const RESTORE_MS = 60_000

/** One scenario's access to the store. */
export interface Stage extends Acts {
  /** Restores what the scenario changed, and returns what it borrowed. Never throws. */
  end(): Promise<void>
}

/** What all scenarios of a run share. */
export interface StageParts extends StatesParts {
  readonly baseUrl: string
  readonly sender: Sender
  readonly namedStock: NamedStock
  listsSoFar: Acts['lists']
  clientFor(scenario: string, parts?: Partial<ClientParts>): StoreClient
  warn(message: string): void
}

export function stage(parts: StageParts, scenario: string): Stage {
  const { supply, namedStock, clientFor } = parts
  const { beforeChange, afterChange } = namedStock
  const store = clientFor(scenario, { beforeChange, afterChange })
  const plain = states(parts, scenario)
  let hasNamed = false

  return {
    store,
    simultaneous: () => parts.sender.scheduler.places,
    lists: parts.listsSoFar,
    states: {
      ...plain,
      async pets(count, quantity) {
        const pets = await plain.pets(count, quantity)
        // Arranged pets belong to the run and are removed at teardown, so only the stock of named ones is restored.
        const named = pets.filter(pet => supply?.quantityOf(pet) === undefined)
        if (named.length === 0) return pets
        hasNamed = true
        await namedStock.take(store, named)
        return pets
      },
    },
    async end() {
      // If the scenario threw, its other requests may still be in flight and would change the restored stock.
      await parts.sender.settled(scenario)
      try {
        // Only one scenario at a time has named pets.
        if (hasNamed) await restore()
      } catch (error) {
        parts.warn(
          `the stock that the scenario "${scenario}" changed could not be restored: ${(error as Error).message}`,
        )
      } finally {
        parts.leases.release(scenario)
      }
    },
  }

  async function restore(): Promise<void> {
    // Even a run that was stopped restores what it changed.
    const last = clientFor(scenario, { last: AbortSignal.timeout(RESTORE_MS) })
    await namedStock.restore(last)
  }
}
