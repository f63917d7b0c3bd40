/** A scenario or property, as the engine hands it over. */
export interface NeedyScenario {
  readonly title: string
  readonly needs: unknown
}

/** The scenarios of one turn overlap, and a turn starts when the one before has ended. */
export interface Turns {
  readonly order: readonly string[]
  /** Those whose scenarios act one after the other. */
  readonly oneByOne: readonly string[]
  /** The turn that also waits for the scenarios without a turn. Its scenarios may start others, to learn what they saw. */
  readonly last: string
  /** @returns undefined for a scenario that acts at any time */
  of(scenario: NeedyScenario): string | undefined
}

const noTurns: Turns = { order: [], oneByOne: [], last: '', of: () => undefined }

/**
 * Decides what starts next: which scenario, and which of the requests that wait. Requests of scenarios that have a turn start before
 * those of the others, because the next turn waits for them.
 * @param places how many requests may be in flight at once
 */
export function scheduler(places: number, turns = noTurns) {
  const scenarios: { readonly turn: string; readonly start: () => void }[] = []
  let current: string | undefined
  let inTurn = 0
  /** Scenarios that no turn waits for. */
  let others = 0
  const awaited = new Set<string>()

  let isStarting = false

  /** In the next turn of the event loop, because scenarios that are started later in this one may have an earlier turn. */
  const startSoon = (): void => {
    if (!isStarting) setImmediate(startScenarios)
    isStarting = true
  }

  const startScenarios = (): void => {
    isStarting = false
    if (inTurn === 0) {
      current = turns.order.find(turn => scenarios.some(each => each.turn === turn))
      if (current === undefined || (current === turns.last && others > 0)) return
    }
    for (const each of scenarios.filter(({ turn }) => turn === current)) {
      if (inTurn > 0 && turns.oneByOne.includes(current ?? '')) return
      scenarios.splice(scenarios.indexOf(each), 1)
      if (each.turn === turns.last) others += 1
      else inTurn += 1
      each.start()
    }
  }

  const tasks: { readonly places: number; readonly scenario: string; readonly start: () => void }[] = []
  let free = places

  const startTasks = (): void => {
    for (;;) {
      const next = tasks.find(({ scenario }) => awaited.has(scenario)) ?? tasks[0]
      // Nothing else starts before it: otherwise tasks of one place could keep one of many places waiting for ever.
      if (!next || next.places > free) return
      tasks.splice(tasks.indexOf(next), 1)
      free -= next.places
      next.start()
    }
  }

  return {
    places,
    /** Runs a scenario in its turn. */
    async enter<Result>(scenario: NeedyScenario, perform: () => Promise<Result>): Promise<Result> {
      const turn = turns.of(scenario)
      if (turn === undefined) others += 1
      else {
        awaited.add(scenario.title)
        await new Promise<void>(start => {
          scenarios.push({ turn, start })
          startSoon()
        })
      }
      try {
        return await perform()
      } finally {
        if (turn === undefined || turn === turns.last) others -= 1
        else inTurn -= 1
        startSoon()
      }
    },
    /** Runs a task as soon as it has its places. If it needs more than there are, it gets all. */
    async run<Result>(
      task: () => Promise<Result>,
      { places: wanted = 1, scenario = '' }: { readonly places?: number; readonly scenario?: string } = {},
    ): Promise<Result> {
      const needed = Math.min(wanted, places)
      await new Promise<void>(start => {
        tasks.push({ places: needed, scenario, start })
        startTasks()
      })
      try {
        return await task()
      } finally {
        free += needed
        startTasks()
      }
    },
  }
}
