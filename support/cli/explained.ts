import { Misconfigured } from '../access/misconfigured.ts'
import { ConfigurationError } from '../settings/mistake.ts'
import { mistakesText, UsageError } from './usage.ts'

/** Turns what configuration and provider states throw into a message; anything else is passed on. */
export async function explained<Result>(perform: () => Promise<Result>): Promise<Result> {
  try {
    return await perform()
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(mistakesText(error.mistakes))
    if (error instanceof Misconfigured) throw new UsageError(error.message)
    throw error
  }
}
