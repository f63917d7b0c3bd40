export interface Turn {
  /** Number of places that the task needs at once (default 1). A number above the limit counts as the limit. */
  readonly places?: number
  /** Whose task it is. Tasks of a scenario that has few at work start before those of a scenario that has many. */
  readonly scenario?: string
  /** Whether it starts before the waiting tasks, because other scenarios wait for its scenario. */
  readonly urgent?: boolean
  /** Whether it holds its place for several requests. */
  readonly long?: boolean
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
 * A scenario that sends one request after the other is not kept waiting by one that sends many at once: else it would still be at
 * work, alone, when all others have ended. Tasks that need many places come after those that need one, because all places must be
 * free for them.
 */
export function limiter(limit: number): Limiter {
  const waiting: Waiting[] = []
  const atWork = new Map<string, number>()
  let free = limit
  let heldForLong = 0

  const change = ({ places, scenario, long }: Required<Turn>, by: 1 | -1): void => {
    free -= by * places
    if (long) heldForLong += by * places
    atWork.set(scenario, (atWork.get(scenario) ?? 0) + by)
  }
  const rank = ({ urgent, places, scenario }: Waiting): number =>
    urgent ? -1 : places > 1 ? Number.POSITIVE_INFINITY : (atWork.get(scenario) ?? 0)
  /** Of the tasks with the same rank, the first in line. */
  const first = (line: readonly Waiting[]): Waiting | undefined => {
    let [next] = line
    for (const each of line) if (next && rank(each) < rank(next)) next = each
    return next
  }
  /** Nothing starts before it: otherwise tasks that need few places could keep one that needs many waiting for ever. */
  const nextInLine = (): Waiting | undefined => {
    const next = first(waiting)
    // While long tasks hold the places that it needs, short ones do not delay it.
    if (next && next.places > limit - heldForLong)
      return first(waiting.filter(({ places, long }) => places === 1 && !long))
    return next
  }
  const admit = (): void => {
    while (free > 0) {
      const next = nextInLine()
      if (!next || next.places > free) return
      waiting.splice(waiting.indexOf(next), 1)
      change(next, 1)
      next.start()
    }
  }
  return {
    limit,
    async run(task, { places = 1, scenario = '', urgent = false, long = false } = {}) {
      const turn = { places: Math.min(places, limit), scenario, urgent, long }
      await new Promise<void>(start => {
        waiting.push({ ...turn, start })
        admit()
      })
      try {
        return await task()
      } finally {
        change(turn, -1)
        admit()
      }
    },
  }
}

/** For tasks whose caller already holds a place. */
export const unlimited: Limiter = { limit: Number.POSITIVE_INFINITY, run: task => task() }
