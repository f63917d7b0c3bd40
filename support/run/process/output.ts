/**
 * Before the second colon of `::` that begins a line (GitHub), and before the bracket of `##[` or `##vso[` anywhere in one (Azure, and
 * the first form of GitHub): where a CI system would begin to read a command.
 */
const COMMAND = /(?<=(?:^|[\r\n])[\s\x85]*:)(?=:)|(?<=##(?:vso)?)(?=\[)/gi

/** A space keeps a command from being read as one. */
const withoutCommands = (text: string): string => text.replace(COMMAND, ' ')

let direct = (text: string): unknown => process.stdout.write(text)

/** Writes workflow commands of the suite itself, which quote text of a store. */
export const writeWorkflowCommands = (text: string): void =>
  void direct(text.replace(/(?<=##(?:vso)?)(?=\[)/gi, ' '))

/** In CI, makes every text that this process prints harmless: a store, a states module or a file may have chosen it. */
export function guardOutput({ CI, GITHUB_ACTIONS, TF_BUILD }: NodeJS.ProcessEnv): void {
  const { stdout, stderr } = process
  direct = stdout.write.bind(stdout)
  if (!CI && !GITHUB_ACTIONS && !TF_BUILD) return
  for (const stream of [stdout, stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(withoutCommands(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')), ...rest)
  }
}
