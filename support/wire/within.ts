/** A task took longer than it may. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Waits for a task even if the task does not know of the limit. undici checks the signal of a request only once it has a connection,
 * and that of a body only when a chunk arrives.
 * @throws {NoAnswer} if the task takes more than `ms` milliseconds @throws the reason of `stopped` if it is aborted
 */
export async function within<Result>(
  ms: number,
  task: Result | Promise<Result>,
  stopped?: AbortSignal,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer within ${ms} ms`)), ms)
    // The task may be complete already.
    stop = () => setImmediate(() => reject(stopped?.reason))
    if (stopped?.aborted) stop()
    else stopped?.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([task, late])
  } finally {
    clearTimeout(timer)
    stopped?.removeEventListener('abort', stop)
  }
}
