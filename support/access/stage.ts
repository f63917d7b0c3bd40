import { canonical } from '../http/decimal.ts'
import { NotArranged } from '../judge/outcome.ts'
import type { Acts } from './acts.ts'
import type { ClientParts, StoreClient } from './client.ts'
import type { NamedStock } from './named-stock.ts'
import { type StatesParts, states } from './states.ts'
import { expectAcceptable, notInStock, readStock } from './stock.ts'
import type { UndoJournal } from './undo.ts'

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
  readonly concurrency: number
  readonly journal: UndoJournal
  readonly namedStock: NamedStock
  listsSoFar: Acts['lists']
  clientFor(scenario: string, parts?: Partial<ClientParts>): StoreClient
  warn(message: string): void
}

export function stage(parts: StageParts, scenario: string): Stage {
  const { supply, journal, namedStock, clientFor } = parts
  const changed: string[] = []
  /** The stock of each named pet when the scenario got it. */
  const before = new Map<string, string>()
  const inFlight = new Set<Promise<unknown>>()

  const store = clientFor(scenario, {
    inFlight,
    beforeChange(petId, body) {
      const quantity = before.get(canonical(petId))
      if (quantity === undefined) return
      namedStock.sent(body)
      remember(petId, quantity)
      changed.push(petId)
    },
    afterChange: exchange => namedStock.answered(exchange),
  })
  const plain = states(parts, scenario)
  /** @throws {NotArranged} if the old stock cannot be saved, because it must not be changed then */
  function remember(petId: string, quantity: string): void {
    try {
      journal.remember(petId, quantity)
    } catch (error) {
      throw new NotArranged(
        `the stock of pet ${petId} cannot be saved before it is changed (${(error as Error).message})`,
        'make the reports folder writable',
      )
    }
  }

  return {
    store,
    simultaneous: () => parts.concurrency,
    lists: parts.listsSoFar,
    states: {
      ...plain,
      async pets(count, quantity) {
        const pets = await plain.pets(count, quantity)
        // Arranged pets belong to the run and are removed at teardown, so only the stock of named ones is restored.
        const named = pets.filter(pet => supply?.quantityOf(pet) === undefined && !before.has(canonical(pet)))
        if (named.length === 0) return pets
        const stock = await readStock(store, 'the stock before it is changed')
        namedStock.note(stock)
        for (const pet of named) {
          if (!stock?.has(canonical(pet))) notInStock(pet)
          before.set(canonical(pet), namedStock.before(pet) ?? notInStock(pet))
        }
        for (const pet of named) await expectAcceptable(store, pet, before.get(canonical(pet)) ?? '')
        return pets
      },
    },
    async end() {
      // If the scenario threw, its other requests may still be in flight and would change the restored stock.
      await Promise.allSettled(inFlight)
      try {
        await restore()
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
    const last = clientFor(scenario, {
      unshared: true,
      signal: AbortSignal.timeout(RESTORE_MS),
      beforeSending: () => undefined,
    })
    await namedStock.restore(last, changed)
  }
}
