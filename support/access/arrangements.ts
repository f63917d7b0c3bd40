import type { Provider, StateName, StateParams } from './provider.ts'

type Params = StateParams[StateName]

/** What was arranged by whom, so that each of it is torn down once, and nobody's while somebody needs it. */
export interface Arrangements {
  /** The provider as this scenario uses it; undefined where there is none. */
  by(scenario: string): Provider | undefined
  /** Tears down what only this scenario had arranged; what others arranged alike waits for the end of the run. */
  endOf(scenario: string): void
  /** Tears down the rest, and waits for all of it. */
  close(): Promise<void>
}

interface Arrangement {
  readonly scenario: string
  readonly state: StateName
  readonly params: Params
  readonly key: string
  /** Settled when the setup has been answered. */
  answered: Promise<unknown>
}

/**
 * An endpoint tells setups apart by state and parameters alone, so a teardown hits any of those that are alike: the oldest, the
 * newest, all of them. It is sent only while there is no other, neither made nor on its way. Large ones are worth ending early:
 * several hundred orders make every later list long.
 */
export function arrangements(provider: Provider | undefined, warn: (message: string) => void): Arrangements {
  const held = new Set<Arrangement>()
  const ending = new Map<string, Promise<void>>()

  const tearDown = async (some: readonly Arrangement[]): Promise<void> => {
    await Promise.allSettled(some.map(({ answered }) => answered))
    for (const each of some) {
      // What was declined was never there.
      if (!held.delete(each)) continue
      await provider?.teardown(each.state, each.params).catch((error: Error) => warn(error.message))
    }
  }

  const setup = async <State extends StateName>(
    by: Provider,
    scenario: string,
    state: State,
    params: StateParams[State],
  ) => {
    const key = JSON.stringify([state, params])
    while (ending.has(key)) await ending.get(key)
    const answered = by.setup(state, params)
    const arrangement: Arrangement = { scenario, state, params, key, answered }
    held.add(arrangement)
    const answer = await answered.catch(error => {
      held.delete(arrangement)
      throw error
    })
    if (!('ids' in answer)) held.delete(arrangement)
    return answer
  }

  return {
    by: scenario =>
      provider && { ...provider, setup: (state, params) => setup(provider, scenario, state, params) },
    endOf(scenario) {
      const all = [...held]
      const shared = new Set(all.filter(each => each.scenario !== scenario).map(({ key }) => key))
      const own = all.filter(each => each.scenario === scenario && !shared.has(each.key))
      for (const [key, some] of groups(own)) {
        const ended = tearDown(some).finally(() => ending.delete(key))
        ending.set(key, ended)
      }
    },
    async close() {
      await Promise.all(ending.values())
      await Promise.all([...groups([...held]).values()].map(tearDown))
    },
  }
}

function groups(some: readonly Arrangement[]): Map<string, Arrangement[]> {
  const found = new Map<string, Arrangement[]>()
  for (const each of some) found.set(each.key, [...(found.get(each.key) ?? []), each])
  return found
}
