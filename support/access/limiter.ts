export interface Turn {
  /** Number of places that the task needs at once (default 1). A number above the limit counts as the limit. */
  readonly places?: number
  /** Whose task it is. */
  readonly scenario?: string
  /** Whether it starts before the tasks that are not, because other scenarios wait for its scenario. */
  readonly urgent?: boolean
}

/** Limits how many tasks run at once. The others wait in line. */
export interface Limiter {
  readonly limit: number
  run<Result>(task: () => Promise<Result>, turn?: Turn): Promise<Result>
}

interface Waiting extends Required<Turn> {
  readonly start: () => void
}

/**
 * Of the waiting tasks, one of the scenario that has started the fewest starts next. Otherwise a scenario that sends one request after
 * the other would still be at work, alone, when those that send many at once have ended.
 */
export function limiter(limit: number): Limiter {
  const waiting: Waiting[] = []
  const started = new Map<string, number>()
  let free = limit

  const rank = ({ urgent, scenario }: Waiting): number =>
    (urgent ? 0 : Number.MAX_SAFE_INTEGER / 2) + (started.get(scenario) ?? 0)

  const admit = (): void => {
    while (free > 0 && waiting.length > 0) {
      const next = waiting.reduce((first, each) => (rank(each) < rank(first) ? each : first))
      // Nothing else starts before it: otherwise tasks of one place could keep one of many places waiting for ever.
      if (next.places > free) return
      waiting.splice(waiting.indexOf(next), 1)
      free -= next.places
      started.set(next.scenario, (started.get(next.scenario) ?? 0) + 1)
      next.start()
    }
  }
  return {
    limit,
    async run(task, { places = 1, scenario = '', urgent = false } = {}) {
      const needed = Math.min(places, limit)
      await new Promise<void>(start => {
        waiting.push({ places: needed, scenario, urgent, start })
        admit()
      })
      try {
        return await task()
      } finally {
        free += needed
        admit()
      }
    },
  }
}

/** For tasks whose caller already holds a place. */
export const unlimited: Limiter = { limit: Number.POSITIVE_INFINITY, run: task => task() }
