import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Task, TaskResult } from './prove.ts'

type Answer = { readonly result: TaskResult } | { readonly error: string }

/** A judgement that takes longer is an error in the suite, because each request has its own time limit. */
const LONGEST_MS = 120_000

/** A judgement makes much garbage that is young, and collecting it takes a fifth less time with more room. In MB. */
const YOUNG_GARBAGE = '--max-semi-space-size=32'

/**
 * Judges the stores of these tasks, one per core at a time, and reports each result at once. Uses processes, because a thread of
 * Node 20 does not inherit the TypeScript loader.
 */
export async function performAll(
  tasks: readonly Task[],
  onResult: (result: TaskResult) => void,
): Promise<void> {
  const queue = tasks.values()
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const count = Math.min(Math.max(2, availableParallelism()), tasks.length)
  await Promise.all(
    Array.from({ length: count }, async () => {
      const worker = fork(fileURLToPath(new URL(`./worker.${extension}`, import.meta.url)), {
        execArgv: [...process.execArgv, YOUNG_GARBAGE],
      })
      try {
        for (const task of queue) onResult(await ask(worker, task))
      } finally {
        worker.kill()
      }
    }),
  )
}

function ask(worker: ChildProcess, task: Task): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => settle(new Error(`${task.kind} ${task.id}: no result within ${LONGEST_MS} ms`)),
      LONGEST_MS,
    )
    const settle = (outcome: TaskResult | Error) => {
      clearTimeout(late)
      worker.off('message', hear)
      worker.off('error', settle)
      worker.off('exit', end)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    const hear = (answer: Answer) => settle('result' in answer ? answer.result : new Error(answer.error))
    worker.on('message', hear)
    const end = (code: number | null) =>
      settle(new Error(`${task.kind} ${task.id}: the process that judged it ended (${code ?? 'killed'})`))
    worker.on('error', settle)
    worker.on('exit', end)
    worker.send(task)
  })
}

/** Every n-th item: `2/4` has the items at 1, 5, 9… The parts together have every item once. Undefined if the text is no part. */
export function partOf<Item>(items: readonly Item[], shard: string): readonly Item[] | undefined {
  const [, part, parts] = /^([1-9][0-9]{0,2})\/([1-9][0-9]{0,2})$/.exec(shard)?.map(Number) ?? []
  if (part === undefined || parts === undefined || part > parts) return undefined
  return items.filter((_item, at) => at % parts === part - 1)
}
