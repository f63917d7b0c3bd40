import { within } from '../http/within.ts'
import { Misconfigured } from './misconfigured.ts'
import type { Arranged, Provider, StateName, StateParams } from './provider.ts'

/** Arranges with the provider of the run, and tears everything down when the run ends. */
export interface Arranger {
  /** How messages name the provider. */
  readonly name: string
  /** @throws {Misconfigured} if the provider gives no usable answer */
  arrange<State extends StateName>(state: State, params: StateParams[State]): Promise<Arranged>
  /** Resolves when every setup that was started has ended. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface Setup {
  readonly state: StateName
  readonly params: StateParams[StateName]
}

/** After this many consecutive setups without a usable answer, the run sends no further setup. */
const MAX_FAILURES = 3

/**
 * @param limitMs limit of all teardowns together
 * @param warn is called with the message of each teardown that failed
 */
export function arranger(provider: Provider, limitMs: number, warn: (message: string) => void): Arranger {
  const made: Setup[] = []
  const arranging = new Set<Promise<unknown>>()
  const failures: Misconfigured[] = []
  return {
    name: provider.name,
    async arrange(state, params) {
      const [failure] = failures
      if (failure && failures.length >= MAX_FAILURES) throw failure
      const answering = provider.setup(state, params)
      arranging.add(answering)
      try {
        const answer = await answering
        failures.length = 0
        if ('ids' in answer) made.push({ state, params })
        return answer
      } catch (error) {
        if (error instanceof Misconfigured) failures.push(error)
        throw error
      } finally {
        arranging.delete(answering)
      }
    },
    settled: async () => void (await Promise.allSettled(arranging)),
    async close() {
      await Promise.allSettled(arranging)
      // A provider identifies a setup only by its state and parameters, so equal setups are torn down one after the other.
      const turns = new Map<string, Promise<void>>()
      for (const setup of made.splice(0)) {
        const key = JSON.stringify(setup)
        const before = turns.get(key) ?? Promise.resolve()
        turns.set(
          key,
          before
            .then(() => provider.teardown(setup.state, setup.params))
            .catch(({ message }: Error) => warn(message)),
        )
      }
      await within(limitMs, Promise.all(turns.values())).catch(() =>
        warn(
          `${provider.name} did not end its teardowns within ${limitMs} ms; what it arranged may still be in the store`,
        ),
      )
    },
  }
}
