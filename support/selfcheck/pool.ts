import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { perform, type Task, type TaskResult } from './prove.ts'

/** A judgement makes much garbage that is young, and collecting it takes a fifth less time with more room. In MB. */
const YOUNG_GARBAGE = '--max-semi-space-size=32'

const path = fileURLToPath(import.meta.url)

/**
 * Judges the stores of these tasks in processes of this file, one more than there are cores, because some stores wait. A thread of
 * Node 20 does not inherit the TypeScript loader.
 * @param onResult gets the count of results so far
 * @returns the results, in the order of the tasks
 */
export async function performAll(
  tasks: readonly Task[],
  onResult: (done: number) => void,
): Promise<TaskResult[]> {
  const [only] = tasks
  // A process takes longer to start than one store takes to judge.
  if (only && tasks.length === 1) return [await perform(only)]
  const results: TaskResult[] = []
  const queue = tasks.entries()
  let done = 0
  const work = async () => {
    const child = fork(path, { execArgv: [...process.execArgv, YOUNG_GARBAGE] })
    const ended = once(child, 'exit')
    try {
      for (const [at, task] of queue) {
        child.send(task)
        const [result] = await Promise.race([once(child, 'message'), ended])
        if (!Object(result).id) throw new Error(`The process that judged ${task.id} ended (${result}).`)
        results[at] = result
        onResult(++done)
      }
    } finally {
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  return results
}

if (process.argv[1] === path)
  process.on('message', async (task: Task) => {
    process.send?.(await perform(task))
  })
