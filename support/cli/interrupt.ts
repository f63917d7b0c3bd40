const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs with a signal that the first Ctrl-C sets: what was changed is then put back and the report says `incomplete`. A
 * second one ends the process at once.
 */
export async function untilInterrupted<Result>(
  perform: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143)
    process.stderr.write(
      '\nStopping: what was changed is put back. Once more ends at once, and leaves it to store-conformance restore.\n',
    )
    controller.abort()
  }
  for (const name of SIGNALS) process.on(name, stop)
  try {
    return await perform(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
  }
}
