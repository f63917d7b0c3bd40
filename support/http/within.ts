/** A task took longer than it may. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** @returns the result of the task. @throws {NoAnswer} if the task takes more than `ms` milliseconds */
export async function within<Result>(ms: number, task: Result | Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([task, late])
  } finally {
    clearTimeout(timer)
  }
}
