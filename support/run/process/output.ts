/**
 * Before the second colon of `::` that begins a line (GitHub), and before the bracket of `##[` or `##vso[` anywhere in one (Azure, and
 * the first form of GitHub): where a CI system would begin to read a command.
 */
const COMMAND = /(?<=(?:^|[\r\n])[\s\x85]*:)(?=:)|(?<=##(?:vso)?)(?=\[)/gi

/** Characters of an unfinished line that may belong to the beginning of a command. */
const LONGEST_BEGINNING = 8

type Write = (text: string) => unknown

let direct: Write = text => process.stdout.write(text)

/** Writes workflow commands of the suite itself. */
export const writeWorkflowCommands = (text: string): void => void direct(text)

/** In CI, makes every text that this process prints harmless: a store, a states module or a file may have chosen it. */
export function guardOutput({ CI, GITHUB_ACTIONS, TF_BUILD }: NodeJS.ProcessEnv): void {
  const { stdout, stderr } = process
  direct = stdout.write.bind(stdout)
  if (!CI && !GITHUB_ACTIONS && !TF_BUILD) return
  for (const stream of [stdout, stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    const harmless = withoutCommands()
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(harmless(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')), ...rest)
  }
}

/** A space keeps a command from being read as one, also if its beginning was written before. */
export function withoutCommands(): (text: string) => string {
  let begun = ''
  return text => {
    const line = begun + text
    const shown = line.replace(COMMAND, (_none, at: number) => (at < begun.length ? '' : ' '))
    const added = shown.slice(begun.length)
    const last = (line.split(/[\r\n]/).at(-1) as string).trimStart()
    begun = last.length > LONGEST_BEGINNING ? `x${last.slice(-LONGEST_BEGINNING)}` : last
    return added
  }
}
