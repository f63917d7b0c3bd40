import { inspect } from 'node:util'
import { redactorFor } from '../../access/secrets.ts'
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

function named(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 1, breakLength: Number.POSITIVE_INFINITY })
  const { cause } = error
  return `${error.name}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`
}
