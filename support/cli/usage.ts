import { ConfigurationError } from '../embed/run.ts'
import type { Mistake } from '../target/configuration.ts'
import { Misconfigured } from '../target/unavailable.ts'
import { readUndo, type UndoFile } from '../target/undo.ts'

/** Something that the person who typed the command can put right. Exit 2. */
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

/** What a run that did not end has left to put back. @throws {UsageError} where the file can't be read */
export function leftBehind(path: string): UndoFile | undefined {
  try {
    return readUndo(path)
  } catch (error) {
    throw new UsageError(
      `${path} should say what stock is to be put back, and cannot be read: ${error instanceof Error ? error.message : error}. Nothing was sent.`,
    )
  }
}

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
