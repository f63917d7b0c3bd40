const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs with a signal that the first Ctrl-C sets: what was changed is then put back and the report says `incomplete`. A
 * second one ends the process at once. What is thrown outside of everything that is awaited stops the run in the same way; once it
 * is over, that is said, and changes nothing.
 * @param stray says in a sentence, without its full stop, what was thrown
 * @param events those of the process
 */
export async function untilInterrupted<Result>(
  perform: (signal: AbortSignal) => Promise<Result>,
  stray: (error: unknown) => string,
  events: NodeJS.EventEmitter = process,
): Promise<Result> {
  const controller = new AbortController()
  let over = false
  let stopping = false
  const stop = (name: NodeJS.Signals) => {
    if (stopping) process.exit(name === 'SIGINT' ? 130 : 143)
    stopping = true
    process.stderr.write(
      over
        ? '\nThe run is over. Its reports are written first; once more ends at once.\n'
        : '\nStopping: what was changed is put back. Once more ends at once, and leaves it to store-conformance restore.\n',
    )
    controller.abort()
  }
  let heard = false
  // Stays until the process ends: without it, Node would end the process with 1, which is the exit code of a verdict.
  events.on('uncaughtException', error => {
    // A timer that repeats throws again and again.
    if (heard) return
    heard = true
    process.stderr.write(
      over
        ? `Note: ${stray(error)}. The run was over.\n`
        : `\nStopping: ${stray(error)}. What was changed is put back. Ctrl-C ends at once, and leaves it to store-conformance restore.\n`,
    )
    controller.abort()
  })
  // They stay until the process ends, because a report or the verdict is still to be written when the run is over.
  for (const name of SIGNALS) events.on(name, stop)
  try {
    return await perform(controller.signal)
  } finally {
    over = true
  }
}
