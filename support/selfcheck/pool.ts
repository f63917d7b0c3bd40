import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Task, TaskResult } from './task.ts'

type Answer = { readonly result: TaskResult } | { readonly error: string }

/** A store that hangs is a fault of ours: each request in it has a limit, and so has a judgement. */
const LONGEST_MS = 120_000

/** Judges the stores of these tasks, one on each core at a time. Results come as they are made. */
export async function performAll(
  tasks: readonly Task[],
  onResult: (result: TaskResult) => void,
): Promise<void> {
  const queue = tasks.values()
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const count = Math.min(Math.max(2, availableParallelism()), tasks.length)
  await Promise.all(
    Array.from({ length: count }, async () => {
      const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url))
      try {
        for (const task of queue) onResult(await ask(worker, task))
      } finally {
        await worker.terminate()
      }
    }),
  )
}

function ask(worker: Worker, task: Task): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => settle(new Error(`${task.kind} ${task.id}: no result within ${LONGEST_MS} ms`)),
      LONGEST_MS,
    )
    const settle = (outcome: TaskResult | Error) => {
      clearTimeout(late)
      worker.off('message', hear)
      worker.off('error', settle)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    const hear = (answer: Answer) => settle('result' in answer ? answer.result : new Error(answer.error))
    worker.on('message', hear)
    worker.on('error', settle)
    worker.postMessage(task)
  })
}
