import { within } from '../http/within.ts'
import type { Consent } from './consent.ts'
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

/** The provider handed out what the run must not use, so that violations might not be the store's, or data would be lost. */
export class WrongIds extends Misconfigured {}

/**
 * @param limitMs limit of all teardowns together
 * @param warn is called with the message of each teardown that failed
 * @param isForeign whether this existed before the run
 */
export function arranger(
  provider: Provider,
  limitMs: number,
  warn: (message: string) => void,
  isForeign: Consent['isForeign'] = () => false,
): Arranger {
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
        // A teardown would remove them.
        if ('ids' in answer) expectArranged(provider.name, state, answer.ids, isForeign)
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

/** Ids that a message names. */
const NAMED = 20

function expectArranged(
  name: string,
  state: StateName,
  ids: readonly string[],
  isForeign: Consent['isForeign'],
): void {
  const resource = state === 'pets' ? 'pet' : 'order'
  const foreign = ids.filter(id => isForeign(resource, id))
  if (foreign.length === 0) return
  const more = foreign.length > NAMED ? ` and ${foreign.length - NAMED} more` : ''
  const flag = { pets: '--pets', 'shipped orders': '--shipped-orders' }[state as string] ?? '--pending-orders'
  throw new WrongIds(
    `${name} answered "${state}" with ${resource}s that were in the store before: ${foreign.slice(0, NAMED).join(', ')}${more}. None of them was changed. ` +
      `Let it arrange ${resource}s of its own, or name these with ${flag} if the run may change them.`,
  )
}
