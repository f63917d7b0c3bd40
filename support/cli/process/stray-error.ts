import { inspect } from 'node:util'
import { redactorFor } from '../../access/secrets.ts'
import type { Configuration } from '../../settings/configuration.ts'

/**
 * A sentence without a stack for what was thrown where nobody waits for it: by a timer, a listener, or a promise that nobody
 * awaits. The states module, where there is one, is all of the user's that runs in this process.
 */
export function strayErrorText(error: unknown, configuration: Configuration): string {
  const { statesModule, revokedApiKey: revokedKey } = configuration
  const redact = redactorFor({ ...configuration, revokedKey })
  const whose =
    statesModule === undefined
      ? 'which is a mistake of store-conformance itself'
      : `most likely by the states module ${statesModule} (in a timer, a listener, or a promise that nobody awaits)`
  return `${redact(named(error))} was thrown outside of every request, ${whose}`
}

function named(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 1, breakLength: Number.POSITIVE_INFINITY })
  const { cause } = error
  return `${error.name}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`
}
