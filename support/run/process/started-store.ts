import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Misconfigured } from '../../interface/verdict.ts'
import { printable } from '../../report/document.ts'
import type { Configuration } from '../../settings/configuration.ts'
import type { Unreachable } from '../../target/preflight.ts'
import { redactorFor } from '../../target/secrets.ts'
import { httpTransport } from '../../wire/connection.ts'
import type { Environment } from '../../wire/proxy.ts'
import { channelTo } from '../../wire/transport.ts'

/** Milliseconds for the first answer, unless --wait is given. */
const FIRST_ANSWER_MS = 30_000
const BETWEEN_ATTEMPTS_MS = 100
const ATTEMPT_MS = 2_000
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000

/**
 * Starts the store, if the configuration has a command for it, and waits until its base URL answers.
 * @returns why it cannot be judged, and `stop`, which ends the command and returns warnings if it had ended before
 * @throws {Misconfigured} if something answers before the command: the run would judge that instead
 */
export async function startStore(configuration: Configuration, env: Environment, signal?: AbortSignal) {
  const { start, waitMs, baseUrl, identity } = configuration
  const nothing = { unreachable: undefined, stop: async (): Promise<readonly string[]> => [] }
  if (baseUrl === undefined || (start === undefined && waitMs === undefined)) return nothing
  const { origin, host, pathname } = new URL(baseUrl)
  const answers = async (): Promise<boolean> => {
    const channel = channelTo(httpTransport(origin, { timeoutMs: ATTEMPT_MS, env, identity }))
    const headers = [['Host', host]] as const
    const request = { method: 'GET', target: pathname, headers, repeatable: false }
    const { response, problem } = await channel.send(request, signal).finally(channel.close)
    // A gateway answers for a store that is not ready. Other problems, as of a certificate, do not go away by waiting.
    return response ? ![502, 503, 504].includes(response.status) : !NOT_READY.includes(problem?.kind ?? '')
  }
  if (start !== undefined && (await answers()))
    throw new Misconfigured(
      `Something answers at ${baseUrl} already, so the run would not judge the store that --start starts. Stop it, or leave out --start (STORE_START). Nothing was judged.`,
    )
  const command = start === undefined ? undefined : startCommand(start)
  const limitMs = waitMs ?? FIRST_ANSWER_MS
  const deadline = performance.now() + limitMs
  let ready = false
  while (!ready && !command?.hasEnded() && !signal?.aborted && performance.now() < deadline) {
    ready = await answers()
    if (!ready) await sleep(BETWEEN_ATTEMPTS_MS)
  }
  if (!command) return nothing
  const redact = redactorFor(configuration)
  const explain = (problem: string): string => {
    const what = `${redact(`--start ${JSON.stringify(start)}`)} ${problem}`
    const lines = command.lastLines().map(line => `  | ${printable(redact(line))}\n`)
    const printed = lines.length === 0 ? 'It printed nothing.\n' : `It printed last:\n${lines.join('')}`
    process.stderr.write(`${what}. ${printed}`)
    return what
  }
  let unreachable: Unreachable | undefined
  const ended = command.hasEnded()
  if (ended && !signal?.aborted)
    unreachable = {
      cause: explain(`ended (${ended}) before ${baseUrl} answered`),
      advice: 'The command must run as long as the store does.',
    }
  else if (!ready && !signal?.aborted)
    unreachable = {
      cause: explain(`did not make ${baseUrl} answer within ${limitMs / 1000} s`),
      advice: 'Does the store listen at this address? A longer --wait gives it more time.',
    }
  return {
    unreachable,
    async stop(): Promise<readonly string[]> {
      const endedBefore = command.hasEnded()
      await command.stop()
      return endedBefore && !unreachable ? [`${explain(`ended (${endedBefore}) during the run`)}.`] : []
    },
  }
}

const NOT_READY: readonly string[] = ['refused', 'dropped', 'timeout', 'dns', 'busy', 'aborted']

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Characters of the log that are kept. */
const LOG_LENGTH = 8_000
const LINES = 15

function startCommand(command: string) {
  const child = spawn(command, {
    shell: true,
    // A process group of its own, so that it can be ended with all its children, and Ctrl-C does not end it before the stock is restored.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      log = (log + chunk).slice(-LOG_LENGTH)
    })
  let ended: string | undefined
  child.once('error', ({ message }) => {
    ended = message
  })
  const exit = once(child, 'close').then(([code, signal]) => {
    ended ??= code === null ? String(signal) : `exit code ${code}`
  })
  const kill = () => killGroup(child, 'SIGKILL')
  // A signal without another listener ends this process without the event `exit`.
  const onSignal = (name: NodeJS.Signals) =>
    process.listenerCount(name) === 1 && process.exit(128 + constants.signals[name])
  process.on('exit', kill)
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    hasEnded: () => ended,
    lastLines: () =>
      stripVTControlCharacters(log)
        .split('\n')
        // The first line may be cut within a secret.
        .map((line, at) => (at === 0 && log.length === LOG_LENGTH ? '…' : line.trimEnd()))
        .filter(line => line !== '')
        .slice(-LINES),
    async stop() {
      killGroup(child, 'SIGTERM')
      await Promise.race([exit, sleep(GRACE_MS, undefined, { ref: false })])
      // Also if the command itself has ended: its children may still run.
      kill()
      process.off('exit', kill)
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  // Windows has no process groups; taskkill /T ends the children as well.
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
  else
    try {
      process.kill(-pid, signal)
    } catch {
      // The group has ended.
    }
}
