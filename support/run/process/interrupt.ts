import { inspect } from 'node:util'
import { cutText } from '../../report/compose.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { redactorFor } from '../../target/secrets.ts'
import type { Redact } from '../../wire/redact.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs with a signal that the first Ctrl-C aborts: the run then restores stock and reports `incomplete`. The second Ctrl-C ends
 * the process at once. An uncaught error aborts the run in the same way; after the run, it is only reported.
 * @param events of the process
 */
export async function untilInterrupted<Result>(
  configuration: Configuration,
  perform: (signal: AbortSignal) => Promise<Result>,
  events: NodeJS.EventEmitter = process,
): Promise<Result> {
  const controller = new AbortController()
  const folder = process.cwd()
  let over = false
  let stopping = false
  const stop = (name: NodeJS.Signals) => {
    if (stopping) process.exit(name === 'SIGINT' ? 130 : 143)
    stopping = true
    process.stderr.write(
      over
        ? '\nThe run is over, and its reports are being written. Press Ctrl-C again to end at once.\n'
        : '\nStopping: changed stock is being restored. Press Ctrl-C again to end at once; then run npx --no-install store-conformance restore.\n',
    )
    controller.abort()
  }
  let reported = false
  // Stays until the process ends: without it, Node would end the process with 1, the exit code of nonconformant.
  events.on('uncaughtException', error => {
    // An interval may throw many times.
    if (reported) return
    reported = true
    const text = strayErrorText(error, configuration)
    process.stderr.write(
      over
        ? `Note: ${text}. The run was already over.\n`
        : `\nStopping: ${text}. Changed stock is being restored. Press Ctrl-C to end at once; then run npx --no-install store-conformance restore.\n`,
    )
    controller.abort()
  })
  // They stay until the process ends, because the reports are written after the run.
  for (const name of SIGNALS) events.on(name, stop)
  try {
    return await perform(controller.signal)
  } finally {
    over = true
    // The states module may have changed it.
    process.chdir(folder)
  }
}

/**
 * Describes an uncaught error of a timer, a listener or a promise in a sentence, without its stack. The states module is the only
 * code of the user that runs in this process.
 */
export function strayErrorText(error: unknown, configuration: Configuration): string {
  const { statesModule } = configuration
  const redact = redactorFor(configuration)
  const whose =
    statesModule === undefined
      ? 'by store-conformance itself: please report it'
      : `most likely by the states module ${statesModule} (in a timer, a listener, or a promise without await)`
  return `${named(error, redact)} was thrown outside of every request, ${whose}`
}

/** A module may throw anything, also what cannot be printed. */
function named(error: unknown, redact: Redact): string {
  try {
    if (!(error instanceof Error))
      return cutText(redact(inspect(error, { depth: 1, breakLength: Number.POSITIVE_INFINITY })))
    const { cause } = error
    return cutText(
      redact(`${error.name}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`),
    )
  } catch {
    return 'a value that cannot be printed'
  }
}
