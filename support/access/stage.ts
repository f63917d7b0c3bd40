import { canonical } from '../http/decimal.ts'
import { NotArranged } from '../judge/outcome.ts'
import type { Acts } from './acts.ts'
import type { ClientParts, StoreClient } from './client.ts'
import { type StatesParts, states } from './states.ts'
import { expectAcceptable, notInStock, notRestored, readStock, restoreStock } from './stock.ts'
import type { UndoJournal } from './undo.ts'

/** Limit of the put-back after a scenario, with all waits that the store asks for. */
const PUT_BACK_MS = 60_000

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
  /** Pets whose old stock the store did not accept back. No later scenario changes them. */
  readonly unrestored: Set<string>
  listsSoFar: Acts['lists']
  exchangesSoFar: Acts['exchanges']
  clientFor(scenario: string, parts?: Partial<ClientParts>): StoreClient
  warn(message: string): void
}

export function stage(parts: StageParts, scenario: string): Stage {
  const { supply, journal, unrestored, clientFor } = parts
  const changed: string[] = []
  /** The stock of each named pet when the scenario got it. */
  const before = new Map<string, string>()
  const inFlight = new Set<Promise<unknown>>()

  const store = clientFor(scenario, {
    inFlight,
    beforeChange(petId) {
      const quantity = before.get(canonical(petId))
      if (quantity === undefined) return
      remember(petId, quantity)
      changed.push(petId)
    },
  })
  const plain = states(parts, scenario)
  /** @throws {NotArranged} where the old stock cannot be saved: then it is not changed */
  function remember(petId: string, quantity: string): void {
    try {
      journal.remember(petId, quantity)
    } catch (error) {
      throw new NotArranged(
        `the stock of pet ${petId} cannot be saved before it is changed (${(error as Error).message})`,
        'let the reports folder be written to',
      )
    }
  }

  return {
    store,
    simultaneous: () => parts.concurrency,
    lists: parts.listsSoFar,
    exchanges: parts.exchangesSoFar,
    states: {
      ...plain,
      async pets(count, quantity) {
        const pets = await plain.pets(count, quantity)
        // Arranged pets belong to the run alone, and go when they are torn down.
        const named = pets.filter(pet => supply?.quantityOf(pet) === undefined && !before.has(canonical(pet)))
        if (named.length === 0) return pets
        const stock = await readStock(store, 'the stock before it is changed')
        for (const pet of named) {
          if (unrestored.has(canonical(pet))) throw notRestored(pet)
          before.set(canonical(pet), stock?.get(canonical(pet)) ?? notInStock(pet))
        }
        for (const pet of named) await expectAcceptable(store, pet, before.get(canonical(pet)) ?? '')
        return pets
      },
    },
    async end() {
      // If the scenario threw, its other requests may still be in flight, and would undo the restoring.
      await Promise.allSettled(inFlight)
      try {
        await putBack()
      } catch (error) {
        parts.warn(
          `the stock that the scenario "${scenario}" changed could not be put back: ${(error as Error).message}`,
        )
      } finally {
        parts.leases.giveBack(scenario)
      }
    },
  }

  async function putBack(): Promise<void> {
    // Even a run that was stopped restores what it changed.
    const last = clientFor(scenario, {
      unshared: true,
      signal: AbortSignal.timeout(PUT_BACK_MS),
      beforeSending: () => undefined,
    })
    const problems = await restoreStock(last, journal, changed, pet => void unrestored.add(canonical(pet)))
    for (const problem of problems) parts.warn(problem)
  }
}
