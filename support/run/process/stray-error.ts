import { inspect } from 'node:util'
import { redactorFor } from '../../access/secrets.ts'
import { cutText } from '../../report/cut-bodies.ts'
import type { Configuration } from '../../settings/configuration.ts'

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
  return `${redact(named(error))} was thrown outside of every request, ${whose}`
}

/** A module may throw anything, also what cannot be printed. */
function named(error: unknown): string {
  try {
    if (!(error instanceof Error))
      return cutText(inspect(error, { depth: 1, breakLength: Number.POSITIVE_INFINITY }))
    const { cause } = error
    return cutText(`${error.name}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`)
  } catch {
    return 'a value that cannot be printed'
  }
}
