import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { perform, type Task, type TaskResult } from './prove.ts'

/** A judgement makes much garbage that is young, and collecting it takes a fifth less time with more room. In MB. */
const YOUNG_GARBAGE = '--max-semi-space-size=32'

/** A judgement that takes longer is an error in the suite, because each request has its own time limit. In milliseconds. */
const LIMIT = 120_000

/** What a process sends for each task that it receives. */
type Answer = { readonly result: TaskResult } | { readonly error: string }

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
    // The output is discarded, because a faulty store may print errors.
    const child = fork(path, {
      execArgv: [...process.execArgv, YOUNG_GARBAGE],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ended = once(child, 'exit').then(
      ([code]): Answer => ({ error: `the process that judged it ended (${code ?? 'killed'})` }),
    )
    try {
      for (const [at, task] of queue) {
        child.send(task)
        const answered = once(child, 'message').then(([answer]) => answer as Answer)
        const answer = await Promise.race([answered, ended])
        if ('error' in answer) throw new Error(`${task.id}: ${answer.error}`)
        results[at] = answer.result
        onResult(++done)
      }
    } finally {
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  return results
}

if (process.argv[1] === path) {
  process.on('message', (task: Task) => {
    const late = setTimeout(() => process.send?.({ error: `no result within ${LIMIT} ms` }), LIMIT)
    perform(task)
      .then(
        result => process.send?.({ result }),
        (error: Error) => process.send?.({ error: error.stack ?? error.message }),
      )
      .finally(() => clearTimeout(late))
  })
  // Ends with the process that would have received the results.
  process.on('disconnect', () => process.exit())
}
