import type { Mistake } from '../settings/mistake.ts'

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
