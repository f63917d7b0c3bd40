import { writeSync } from 'node:fs'
import { EXIT_WRONG_USAGE, Misconfigured } from '../../interface/verdict.ts'
import { ConfigurationError } from '../../settings/mistake.ts'
import { isLimit, reasonOf } from '../../wire/problems.ts'

const ENDED_BY_SIGNAL = 128

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
    const lines = error.mistakes.map(({ setting, problem }) => `  ${setting}: ${problem}`)
    const what = length === 1 ? 'One setting is wrong' : `${length} settings are wrong`
    return [`${what}; nothing was sent.`, ...lines].join('\n')
  }
  if (error instanceof Misconfigured) return error.message
  if (isLimit(error)) return `The command could not be completed (${reasonOf(error)}).`
  return `Internal error in store-conformance, not a violation by the store. Please report it:\n${error instanceof Error ? error.stack : error}`
}
