import type { EventEmitter } from 'node:events'

const EVENTS: readonly unknown[] = ['SIGINT', 'SIGTERM', 'unhandledRejection']

/**
 * Takes Vitest's listeners for signals and stray errors away as soon as they are there: they end the process at once, and a run has
 * to put back first what it changed.
 * @returns ends that: what is added once Vitest has started is somebody else's
 */
export function signalsKept(from: EventEmitter = process): () => void {
  const added = (event: string | symbol, listener: (...args: unknown[]) => void) => {
    // Told of before it is there.
    if (EVENTS.includes(event)) process.nextTick(() => from.off(event, listener))
  }
  from.on('newListener', added)
  return () => from.off('newListener', added)
}
