import type { Provider, StateName, StateParams } from './provider.ts'

type Params = StateParams[StateName]

/** What was arranged by whom, so that each of it is torn down once. */
export interface Arrangements {
  remember(scenario: string, state: StateName, params: Params): void
  /** Tears down what only this scenario had arranged; what others arranged alike waits for the end of the run. */
  endOf(scenario: string): void
  /** Tears down the rest, and waits for all of it. */
  close(): Promise<void>
}

/**
 * An endpoint tells setups apart by state and parameters alone: while two scenarios hold the same, a teardown could hit
 * either. Large ones are worth ending early: several hundred orders make every later list long.
 */
export function arrangements(provider: Provider | undefined, warn: (message: string) => void): Arrangements {
  let held: { scenario: string; state: StateName; params: Params; key: string }[] = []
  const ending: Promise<void>[] = []

  const tearDown = (state: StateName, params: Params): Promise<void> =>
    (provider?.teardown(state, params) ?? Promise.resolve()).catch((error: Error) => warn(error.message))

  return {
    remember(scenario, state, params) {
      held.push({ scenario, state, params, key: JSON.stringify([state, params]) })
    },
    endOf(scenario) {
      const shared = new Set(held.filter(each => each.scenario !== scenario).map(({ key }) => key))
      const own = held.filter(each => each.scenario === scenario && !shared.has(each.key))
      held = held.filter(each => !own.includes(each))
      ending.push(...own.map(({ state, params }) => tearDown(state, params)))
    },
    async close() {
      await Promise.all(ending)
      // One after the other: an endpoint need not cope with several at once.
      for (const { state, params } of held.splice(0)) await tearDown(state, params)
    },
  }
}
