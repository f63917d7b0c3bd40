/**
 * Runs tasks in order, each in a turn of the event loop of its own. All promises that wait for one task have been continued before
 * the next begins, so that their order depends on nothing but the order of the tasks.
 */
export function oneAtATime(): (task: () => void) => void {
  const waiting: (() => void)[] = []
  const next = () => {
    waiting[0]?.()
    waiting.shift()
    if (waiting.length > 0) setImmediate(next)
  }
  return task => {
    waiting.push(task)
    if (waiting.length === 1) setImmediate(next)
  }
}
