import { type NeedyScenario, needsOf, type Turn, turnOf, turns } from './needs.ts'

/** Decides what starts next: which scenario, and which of the requests that wait. */
export interface Scheduler {
  /** How many requests may be in flight at once. Each has a place. */
  readonly places: number
  /** Runs a scenario in its turn. */
  enter<Result>(scenario: NeedyScenario, perform: () => Promise<Result>): Promise<Result>
  /** Runs a task as soon as it has its places. If it needs more than there are, it gets all. */
  run<Result>(
    task: () => Promise<Result>,
    needs?: { readonly places?: number; readonly scenario?: string },
  ): Promise<Result>
}

/**
 * The turns of a run: an order may take its quantity from a stock, and a cancellation may return it (§3 leaves it open), so no scenario
 * compares stock in a turn in which others arrange or cancel orders. Requests of scenarios that have a turn start before those of the
 * others, because the next turn waits for them.
 */
export function scheduler(places: number): Scheduler {
  const scenarios: { readonly turn: Turn; readonly start: () => void }[] = []
  let current: Turn | undefined
  let inTurn = 0
  /** Scenarios that no turn waits for. Those at the end may start others, to learn what they saw. */
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
      current = turns.find(turn => scenarios.some(each => each.turn === turn))
      if (current === undefined || (current === 'end' && others > 0)) return
    }
    for (const each of scenarios.filter(({ turn }) => turn === current)) {
      if (inTurn > 0 && current?.endsWith('contexts')) return
      scenarios.splice(scenarios.indexOf(each), 1)
      if (each.turn === 'end') others += 1
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
    async enter(scenario, perform) {
      const turn = turnOf(needsOf(scenario))
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
        if (turn === undefined || turn === 'end') others -= 1
        else inTurn -= 1
        startSoon()
      }
    },
    async run(task, { places: wanted = 1, scenario = '' } = {}) {
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
