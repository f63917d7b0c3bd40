import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Task, TaskResult } from './prove.ts'

/** A judgement makes much garbage that is young, and collecting it takes a fifth less time with more room. In MB. */
const YOUNG_GARBAGE = '--max-semi-space-size=32'

/** A judgement that takes longer is an error in the suite, because each request has its own time limit. In milliseconds. */
const LIMIT = 120_000

/** What a worker process sends for each task that it receives. */
export type WorkerAnswer = { readonly result: TaskResult } | { readonly error: string }

/**
 * Judges the stores of these tasks in processes, and reports each result at once. One more than there are cores, because some stores
 * wait. Uses processes, because a thread of Node 20 does not inherit the TypeScript loader.
 */
export async function performAll(
  tasks: readonly Task[],
  onResult: (result: TaskResult) => void,
): Promise<void> {
  const worker = new URL(`./worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  const queue = tasks.values()
  const perform = async () => {
    // The output is discarded, because a faulty store may print errors.
    const child = fork(fileURLToPath(worker), {
      execArgv: [...process.execArgv, YOUNG_GARBAGE],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    try {
      for (const task of queue) {
        const answer = await ask(child, task)
        if ('error' in answer) throw new Error(`${task.kind} ${task.id}: ${answer.error}`)
        onResult(answer.result)
      }
    } finally {
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, perform))
}

const ask = (child: ChildProcess, task: Task): Promise<WorkerAnswer> =>
  new Promise(resolve => {
    const settle = (answer: WorkerAnswer) => {
      clearTimeout(late)
      for (const name of ['message', 'error', 'exit']) child.removeAllListeners(name)
      resolve(answer)
    }
    const late = setTimeout(() => settle({ error: `no result within ${LIMIT} ms` }), LIMIT)
    child.once('message', message => settle(message as WorkerAnswer))
    child.once('error', error => settle({ error: error.message }))
    child.once('exit', code => settle({ error: `the process that judged it ended (${code ?? 'killed'})` }))
    child.send(task)
  })
