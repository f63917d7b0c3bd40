import { inspect } from 'node:util'
import { cutText } from '../../report/compose.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { redactorFor } from '../../target/secrets.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const THEN_RESTORE = 'then run npx --no-install store-conformance restore.\n'

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
  let [over, stopping, reported] = [false, false, false]
  // The listeners stay until the process ends, because the reports are written after the run.
  for (const signal of SIGNALS)
    events.on(signal, () => {
      if (stopping) process.exit(signal === 'SIGINT' ? 130 : 143)
      stopping = true
      process.stderr.write(
        over
          ? '\nThe run is over, and its reports are being written. Press Ctrl-C again to end at once.\n'
          : `\nStopping: changed stock is being restored. Press Ctrl-C again to end at once; ${THEN_RESTORE}`,
      )
      controller.abort()
    })
  // Without it, Node would end the process with 1, the exit code of nonconformant.
  events.on('uncaughtException', error => {
    // An interval may throw many times.
    if (reported) return
    reported = true
    const text = strayErrorText(error, configuration)
    process.stderr.write(
      over
        ? `Note: ${text}. The run was already over.\n`
        : `\nStopping: ${text}. Changed stock is being restored. Press Ctrl-C to end at once; ${THEN_RESTORE}`,
    )
    controller.abort()
  })
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
