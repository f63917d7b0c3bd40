/** At most so many at once; the rest wait in line. */
export interface Limiter {
  readonly limit: number
  /**
   * @param places how many of the places the task needs, all at once; never more than there are
   * @param urgent whether it goes before those that wait, because others wait for its scenario
   */
  run<Result>(task: () => Promise<Result>, places?: number, urgent?: boolean): Promise<Result>
}

export function limiter(limit: number): Limiter {
  const waiting: { readonly places: number; readonly start: () => void }[] = []
  let free = limit
  // In line, whatever they need: else a task that needs many would wait until nobody else wants any.
  const admit = (): void => {
    for (let [next] = waiting; next && next.places <= free; [next] = waiting) {
      waiting.shift()
      free -= next.places
      next.start()
    }
  }
  return {
    limit,
    async run(task, places = 1, urgent = false) {
      const needed = Math.min(places, limit)
      await new Promise<void>(start => {
        if (urgent) waiting.unshift({ places: needed, start })
        else waiting.push({ places: needed, start })
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

/** For what runs within a place that is taken already. */
export const unlimited: Limiter = { limit: Number.POSITIVE_INFINITY, run: task => task() }
