import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface CommandTask {
  readonly main: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

export interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface WarmProcess {
  readonly child: ChildProcess
  /** What it printed outside of every command, for example before it crashed. */
  printed: string
}

const idle: WarmProcess[] = []

/**
 * Runs a command in a process that has run others before. Starting a process, loading the suite and compiling it takes several
 * times as long as judging a store.
 */
export async function inWarmProcess(task: CommandTask, timeoutMs: number): Promise<Output> {
  const warm = idle.pop() ?? started()
  const output = await answer(warm, task, timeoutMs)
  idle.push(warm)
  return output
}

/** Does not keep the process of the tests alive, and ends with it. */
function started(): WarmProcess {
  const child = fork(fileURLToPath(new URL('./warm-process.mjs', import.meta.url)), {
    // As in vitest.config.ts.
    execArgv: ['--max-semi-space-size=32'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const warm = { child, printed: '' }
  child.stderr?.on('data', chunk => (warm.printed += chunk))
  for (const handle of [child, child.channel, child.stderr as Socket | null]) handle?.unref()
  return warm
}

function answer(warm: WarmProcess, task: CommandTask, timeoutMs: number): Promise<Output> {
  const { child } = warm
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const settle = (then: () => void) => {
      clearTimeout(late)
      for (const event of ['message', 'error', 'close']) child.removeAllListeners(event)
      then()
    }
    const fail = (cause: unknown) =>
      settle(() =>
        reject(new Error(`The process of ${task.args.join(' ')} ended: ${warm.printed}`, { cause })),
      )
    child.once('message', output => settle(() => resolve(output as Output)))
    child.once('error', fail)
    child.once('close', fail)
    child.send(task)
  })
}
