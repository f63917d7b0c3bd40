import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Misconfigured } from '../interface/verdict.ts'
import { printable } from '../report/document.ts'
import type { Configuration } from '../settings/configuration.ts'
import { redactorFor } from '../target/request.ts'
import { connections, httpTransport } from '../wire/connection.ts'
import type { Environment } from '../wire/dial.ts'

/** Milliseconds for the first answer, unless --wait is given. */
const FIRST_ANSWER_MS = 30_000
const BETWEEN_ATTEMPTS_MS = 100
const ATTEMPT_MS = 2_000
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000

/**
 * Starts the store, if the configuration has a command for it, and waits until its base URL answers.
 * @returns `stop`, which ends the command, and returns a warning if it did not run until then. Undefined without a command
 * @throws {Misconfigured} if something answers before the command: the run would judge that instead
 */
export async function startStore(configuration: Configuration, env: Environment, signal?: AbortSignal) {
  const { start, waitMs = start === undefined ? 0 : FIRST_ANSWER_MS, baseUrl = '' } = configuration
  const isUp = () => answers(configuration, env, signal)
  if (start !== undefined && (await isUp()))
    throw new Misconfigured(
      `Something answers at ${baseUrl} already, so the run would not judge the store that --start starts. Stop it, or leave out --start (STORE_START). Nothing was judged.`,
    )
  const command = start === undefined ? undefined : startCommand(start)
  const deadline = performance.now() + waitMs
  let isReady = false
  while (!isReady && !command?.ended() && !signal?.aborted && performance.now() < deadline) {
    isReady = await isUp()
    if (!isReady) await sleep(BETWEEN_ATTEMPTS_MS)
  }
  return (
    command && {
      async stop(): Promise<readonly string[]> {
        const ended = command.ended()
        await command.stop()
        if (ended === undefined && (isReady || signal?.aborted)) return []
        const redact = redactorFor(configuration)
        const problem = ended
          ? `ended (${ended}) ${isReady ? 'during the run' : `before ${baseUrl} answered`}`
          : `did not make ${baseUrl} answer within ${waitMs / 1000} s; a longer --wait gives it more time`
        const what = `${redact(`--start ${JSON.stringify(start)}`)} ${problem}.`
        const lines = command.lastLines().map(line => `  | ${printable(redact(line))}\n`)
        process.stderr.write(`${what} It printed last:\n${lines.join('') || '  nothing\n'}`)
        return [what]
      },
    }
  )
}

/** Problems that may go away by waiting, unlike those of a certificate. */
const NOT_READY: readonly string[] = ['refused', 'dropped', 'timeout', 'dns', 'busy', 'aborted']

async function answers({ baseUrl = '', identity }: Configuration, env: Environment, signal?: AbortSignal) {
  const { origin, host, pathname } = new URL(baseUrl)
  const { send } = connections(httpTransport(origin, { timeoutMs: ATTEMPT_MS, env, identity }))
  const headers = [['Host', host]] as const
  const request = { method: 'GET', target: pathname, headers }
  const { response, problem } = await send(request, signal, 'fresh')
  // A gateway answers for a store that is not ready.
  return response ? ![502, 503, 504].includes(response.status) : !NOT_READY.includes(problem?.kind ?? '')
}

/** Characters of the log that are kept. */
const LOG_LENGTH = 2_000

function startCommand(command: string) {
  // A process group of its own can be ended with all its children, and Ctrl-C does not end it before the stock is restored.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      log = (log + chunk).slice(-LOG_LENGTH)
    })
  let ended: string | undefined
  const exit = once(child, 'close').then(([code, signal]) => {
    ended = signal ?? `exit code ${code}`
  })
  const end = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? Number.NaN), signal)
    } catch {
      // The group has ended.
    }
  }
  const kill = () => end('SIGKILL')
  process.on('exit', kill)
  return {
    ended: () => ended,
    /** The first line may be cut within a secret. */
    lastLines: () =>
      stripVTControlCharacters(log)
        .split('\n')
        .slice(log.length === LOG_LENGTH ? 1 : 0)
        .filter(line => line.trim() !== ''),
    async stop() {
      end('SIGTERM')
      await Promise.race([exit, sleep(GRACE_MS, undefined, { ref: false })])
      // Also if the command itself has ended: its children may still run.
      kill()
      process.off('exit', kill)
    },
  }
}
