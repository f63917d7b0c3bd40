import { Misconfigured } from '../access/misconfigured.ts'
import { ConfigurationError, type Mistake, nearest } from '../settings/mistake.ts'

/** A mistake that the user of the command can correct. Exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Every mistake at once, one line each. */
export function mistakesText(mistakes: readonly Mistake[]): string {
  const what = mistakes.length === 1 ? 'One setting is wrong' : `${mistakes.length} settings are wrong`
  return [
    `${what}; nothing was sent.`,
    ...mistakes.map(({ setting, problem }) => `  ${setting}: ${problem}`),
  ].join('\n')
}

/** Converts the errors for invalid settings and unusable provider states to UsageErrors. Rethrows others. */
export async function withUsageErrors<Result>(perform: () => Promise<Result>): Promise<Result> {
  try {
    return await perform()
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(mistakesText(error.mistakes))
    if (error instanceof Misconfigured) throw new UsageError(error.message)
    throw error
  }
}

/** For a fault or freedom that does not exist. */
export function unknownId(kind: string, id: string, all: readonly string[]): UsageError {
  const meant = nearest(id, all)
  const hint = meant ? `Did you mean ${meant}?` : 'store-conformance selfcheck judges all of them.'
  return new UsageError(`There is no ${kind} ${JSON.stringify(id)}. ${hint}`)
}
