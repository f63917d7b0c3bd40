import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { EXIT_WRONG_USAGE } from '../../judge/verdict.ts'

const ENDED_BY_SIGNAL = 128

/**
 * The command ends by what this returns, and by nothing else: whatever is left open (an interval or a database pool of the states
 * module) does not hold it up, and whoever else ends the process ends it with 2, which is no verdict.
 * @returns waits until all output has been taken, and ends the process with this code
 */
export function guardedEnding(): (code: number) => Promise<never> {
  let own = false
  process.on('exit', code => {
    if (own || code > ENDED_BY_SIGNAL) return
    process.exitCode = EXIT_WRONG_USAGE
    say(
      'The process was ended before the command was through: most likely the states module called process.exit. ' +
        'There is no verdict. Where stock was being changed, store-conformance restore puts it back.\n',
    )
  })
  // Whoever reads no further (`| head`) has not made the run fail.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return async code => {
    await Promise.all([process.stdout, process.stderr].map(taken))
    own = true
    process.exit(code)
  }
}

/** Also where nobody takes it any more. */
const taken = (stream: Writable): Promise<void> =>
  new Promise(resolve => {
    stream.write('', () => resolve())
  })

/** At once: a process that ends waits for no stream. */
function say(text: string): void {
  try {
    writeSync(process.stderr.fd, text)
  } catch {
    // The exit code says it, too.
  }
}
