import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { EXIT_WRONG_USAGE, Misconfigured } from '../interface/verdict.ts'
import { cutText } from '../report/compose.ts'
import { type Configuration, ConfigurationError } from '../settings/configuration.ts'
import { redactorFor } from '../target/request.ts'

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const ENDED_BY_SIGNAL = 128

/**
 * Runs with a signal that the first Ctrl-C aborts: the run then restores stock and reports `incomplete`. The second Ctrl-C ends
 * the process at once. An uncaught error aborts the run in the same way.
 * @param events of the process
 */
export async function untilInterrupted<Result>(
  configuration: Configuration,
  perform: (signal: AbortSignal) => Promise<Result>,
  events: NodeJS.EventEmitter = process,
): Promise<Result> {
  const controller = new AbortController()
  const folder = process.cwd()
  const stop = (why = '') => {
    process.stderr.write(
      `\nStopping: ${why}changed stock is being restored. Another Ctrl-C ends it at once; then run npx --no-install store-conformance restore.\n`,
    )
    controller.abort()
  }
  // The listeners stay until the process ends, because the reports are written after the run.
  for (const signal of SIGNALS)
    events.on(signal, () => {
      if (controller.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
      stop()
    })
  // Without it, Node would end the process with 1, the exit code of nonconformant. An interval may throw many times.
  events.on('uncaughtException', error => {
    if (!controller.signal.aborted) stop(`${strayErrorText(error, configuration)}; `)
  })
  return perform(controller.signal).finally(() => {
    // The states module may have changed it.
    process.chdir(folder)
  })
}

/**
 * Describes an uncaught error of a timer, a listener or a promise in a sentence, without its stack. The states module is the only
 * code of the user that runs in this process.
 */
export function strayErrorText(error: unknown, configuration: Configuration): string {
  const { statesModule } = configuration
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  // A module may throw anything.
  const thrown =
    error instanceof Error ? `${error.name}: ${error.message}${cause}` : inspect(error, { depth: 1 })
  const whose =
    statesModule === undefined
      ? 'by store-conformance itself: please report it'
      : `most likely by the states module ${statesModule} (in a timer, a listener, or a promise without await)`
  return `${cutText(redactorFor(configuration)(thrown))} was thrown outside of every request, ${whose}`
}

/**
 * A process.exit in the states module would end the process with its own exit code, as if there were a verdict. It ends with 2 instead.
 * @returns a function that allows the process to end
 */
export function guardExit(): () => void {
  const onExit = (code: number) => {
    if (code > ENDED_BY_SIGNAL) return
    process.exitCode = EXIT_WRONG_USAGE
    const text =
      'The process ended before the command was complete, most likely because the states module called process.exit. ' +
      'There is no verdict. If stock was being changed, run npx --no-install store-conformance restore.\n'
    try {
      // Synchronous, because a process that is ending does not wait for its streams.
      writeSync(process.stderr.fd, text)
    } catch {
      // The exit code reports it, too.
    }
  }
  process.on('exit', onExit)
  return () => void process.off('exit', onExit)
}

/**
 * Makes the returned function the only regular end of the process. It ends the process even if the states module has left a timer
 * or a database pool open.
 * @returns a function that waits until all output has been read, and ends the process with the given code
 */
export function guardedEnding(): (code: number) => Promise<never> {
  const allow = guardExit()
  const streams = [process.stdout, process.stderr]
  // A reader that closes the pipe early (`| head`) does not make the command fail.
  for (const stream of streams) stream.on('error', () => undefined)
  return async code => {
    await Promise.all(streams.map(stream => new Promise<unknown>(resolve => stream.write('', resolve))))
    allow()
    process.exit(code)
  }
}

/** Why a command or a Vitest run ended without a verdict. It may quote a secret, or the response of a states endpoint. */
export function endingText(error: unknown): string {
  if (error instanceof ConfigurationError) {
    const { length } = error.mistakes
    const what = length === 1 ? 'One setting is wrong' : `${length} settings are wrong`
    return [`${what}; nothing was sent.`, ...error.message.split('\n')].join('\n  ')
  }
  // The system refuses a file or a port that the user named.
  if (error instanceof Misconfigured || (error instanceof Error && 'syscall' in error)) return error.message
  return `Internal error in store-conformance, not a violation by the store. Please report it:\n${error instanceof Error ? error.stack : error}`
}

/**
 * Where a CI system would begin to read a command: before the second colon of `::` that begins a line (GitHub), and before the
 * bracket of `##[` or `##vso[` anywhere in one (Azure, and the first form of GitHub).
 */
const COMMAND = /(?<=(?:^|[\r\n])[\s\x85]*:)(?=:)|(?<=##(?:vso)?)(?=\[)/gi

let direct = (text: string): unknown => process.stdout.write(text)

/** Writes workflow commands of the suite itself, which quote text of a store. */
export const writeWorkflowCommands = (text: string): void =>
  void direct(text.replace(/(?<=##(?:vso)?)(?=\[)/gi, ' '))

/** In CI, makes every text that this process prints harmless: a store, a states module or a file may have chosen it. */
export function guardOutput({ CI, GITHUB_ACTIONS, TF_BUILD }: NodeJS.ProcessEnv): void {
  const { stdout, stderr } = process
  direct = stdout.write.bind(stdout)
  if (!CI && !GITHUB_ACTIONS && !TF_BUILD) return
  for (const stream of [stdout, stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      // A space keeps a command from being read as one.
      return write(text.replace(COMMAND, ' '), ...rest)
    }
  }
}
