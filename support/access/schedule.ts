import { type Needs, type Turn, turnOf, turns } from './needs.ts'

/** Decides when a scenario acts. */
export interface Schedule {
  run<Result>(needs: Needs, task: () => Promise<Result>): Promise<Result>
}

/**
 * The turns of a run. An order may take its quantity from a stock, and a cancellation may return it (§3 leaves it open), so no
 * scenario compares stock in a turn in which others arrange or cancel orders.
 * @param begin is called when a turn begins
 */
export function schedule(begin: (turn: Turn) => void = () => undefined): Schedule {
  const waiting: { readonly turn: Turn; readonly start: () => void }[] = []
  let current: Turn | undefined
  let inTurn = 0
  /** Scenarios that no turn waits for. Those at the end may start others, to learn what they saw. */
  let others = 0

  const admit = (): void => {
    if (inTurn === 0) {
      current = turns.find(turn => waiting.some(each => each.turn === turn))
      if (current === undefined || (current === 'end' && others > 0)) return
      begin(current)
    }
    for (const each of waiting.filter(({ turn }) => turn === current)) {
      if (inTurn > 0 && current?.endsWith('contexts')) return
      waiting.splice(waiting.indexOf(each), 1)
      if (each.turn === 'end') others += 1
      else inTurn += 1
      each.start()
    }
  }

  return {
    async run(needs, task) {
      const turn = turnOf(needs)
      if (turn === undefined) others += 1
      else
        await new Promise<void>(start => {
          waiting.push({ turn, start })
          // Scenarios that are started later in this turn of the event loop may have an earlier turn.
          setImmediate(admit)
        })
      try {
        return await task()
      } finally {
        if (turn === undefined || turn === 'end') others -= 1
        else inTurn -= 1
        admit()
      }
    },
  }
}
