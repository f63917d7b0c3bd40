/** Limits how many tasks run at once. The others wait in line. */
export interface Limiter {
  readonly limit: number
  /**
   * @param places number of places that the task needs at once; a number above the limit counts as the limit
   * @param urgent whether it starts before the waiting tasks, because other scenarios wait for its scenario
   */
  run<Result>(task: () => Promise<Result>, places?: number, urgent?: boolean): Promise<Result>
}

export function limiter(limit: number): Limiter {
  const waiting: { readonly places: number; readonly start: () => void }[] = []
  let free = limit
  // Strictly in order: otherwise tasks that need few places could keep a task that needs many waiting for ever.
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

/** For tasks whose caller already holds a place. */
export const unlimited: Limiter = { limit: Number.POSITIVE_INFINITY, run: task => task() }
