/** At most so many at once; the rest wait in line. */
export interface Limiter {
  readonly limit: number
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

export function limiter(limit: number): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    limit,
    async run(task) {
      if (running >= limit) await new Promise<void>(resolve => waiting.push(resolve))
      else running += 1
      try {
        return await task()
      } finally {
        // The place is handed over, not given up: a newcomer cannot slip in between.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** For what runs within a place that is taken already. */
export const unlimited: Limiter = { limit: Number.POSITIVE_INFINITY, run: task => task() }
