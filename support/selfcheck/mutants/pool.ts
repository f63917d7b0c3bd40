import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Task } from './judge-mutant.ts'
import type { Finding } from './mutant.ts'

const worker = fileURLToPath(new URL('worker.ts', import.meta.url))

/** Each mutant loads another copy of the store, which stays in the memory of the process. */
const MAX_PER_PROCESS = 150

/** A process that judges one mutant after another. A mutant may loop endlessly or end its process. */
export class Judge {
  readonly #limitMs: number
  #child: ChildProcess | undefined
  #judged = 0

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  async judge(task: Task): Promise<Finding> {
    if (this.#judged >= MAX_PER_PROCESS) this.close()
    // The output is discarded, because a mutant may print errors.
    this.#child ??= fork(worker, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#judged += 1
    const child = this.#child
    let timer: NodeJS.Timeout | undefined
    const finding = await new Promise<Finding>(resolve => {
      timer = setTimeout(() => resolve({ status: 'timedOut' }), this.#limitMs)
      child.once('message', message => resolve(message as Finding))
      child.once('exit', code => resolve({ status: 'broken', by: `the process ended with ${code}` }))
      child.send(task)
    })
    clearTimeout(timer)
    child.removeAllListeners()
    if (finding.status === 'timedOut' || child.exitCode !== null) this.close()
    return finding
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    this.#judged = 0
  }
}

/** Each judge takes the next item as soon as it is free. */
export async function distribute<Item>(
  items: readonly Item[],
  judges: readonly Judge[],
  perform: (item: Item, judge: Judge) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  await Promise.all(
    judges.map(async judge => {
      for (const item of queue) await perform(item, judge)
    }),
  )
}
