import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Task, TaskResult } from './prove.ts'

/** A judgement makes much garbage that is young, and collecting it takes a fifth less time with more room. In MB. */
const YOUNG_GARBAGE = '--max-semi-space-size=32'

/** Tasks of one process. Each mutant loads another copy of the store, which stays in the memory of its process. */
const MOST_TASKS = 150

/** What a worker process sends for each task that it receives. */
export type WorkerAnswer<Result> = { readonly result: Result } | { readonly error: string }

/**
 * Performs tasks in processes, one per core at a time, and yields each answer at once. A process that ended or did not answer in time
 * is replaced. Uses processes, because a thread of Node 20 does not inherit the TypeScript loader.
 * @param worker module that answers each message
 */
export async function inProcesses<Task extends object, Result>(
  worker: URL,
  tasks: Iterable<Task>,
  limitMs: number,
  onAnswer: (answer: WorkerAnswer<Result>, task: Task) => void,
): Promise<void> {
  const queue = tasks[Symbol.iterator]() as IterableIterator<Task>
  const perform = async () => {
    let child: ChildProcess | undefined
    let performed = 0
    try {
      for (const task of queue) {
        // The output is discarded, because a faulty store may print errors.
        child ??= fork(fileURLToPath(worker), {
          execArgv: [...process.execArgv, YOUNG_GARBAGE],
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        })
        const answer = await ask<Result>(child, task, limitMs)
        performed += 1
        if ('error' in answer || performed % MOST_TASKS === 0) {
          child.kill('SIGKILL')
          child = undefined
        }
        onAnswer(answer, task)
      }
    } finally {
      child?.kill()
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, perform))
}

function ask<Result>(child: ChildProcess, task: object, limitMs: number): Promise<WorkerAnswer<Result>> {
  return new Promise(resolve => {
    const settle = (answer: WorkerAnswer<Result>) => {
      clearTimeout(late)
      for (const name of ['message', 'error', 'exit']) child.removeAllListeners(name)
      resolve(answer)
    }
    const late = setTimeout(() => settle({ error: `no result within ${limitMs} ms` }), limitMs)
    child.once('message', message => settle(message as WorkerAnswer<Result>))
    child.once('error', error => settle({ error: error.message }))
    child.once('exit', code => settle({ error: `the process that judged it ended (${code ?? 'killed'})` }))
    child.send(task)
  })
}

/** A judgement that takes longer is an error in the suite, because each request has its own time limit. */
const LONGEST_MS = 120_000

/** Judges the stores of these tasks, and reports each result at once. */
export async function performAll(
  tasks: readonly Task[],
  onResult: (result: TaskResult) => void,
): Promise<void> {
  const worker = new URL(`./worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  await inProcesses<Task, TaskResult>(worker, tasks, LONGEST_MS, (answer, { kind, id }) => {
    if ('error' in answer) throw new Error(`${kind} ${id}: ${answer.error}`)
    onResult(answer.result)
  })
}
