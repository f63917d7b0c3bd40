/** A run waits for turns of the event loop itself, a few in a row: what scenarios ask for in one turn may be sent once for all of them. */
const TURNS = 10

/**
 * Runs tasks in order, with turns of the event loop in between. Everything that waits for one task has been continued before the next
 * begins, so that what a run does depends on nothing but the order of the tasks.
 */
export function oneAtATime(): (task: () => void) => void {
  const waiting: (() => void)[] = []
  let turns = TURNS
  const next = () => {
    turns -= 1
    if (turns === 0) {
      turns = TURNS
      waiting[0]?.()
      waiting.shift()
    }
    if (waiting.length > 0) setImmediate(next)
  }
  return task => {
    waiting.push(task)
    if (waiting.length === 1) setImmediate(next)
  }
}
