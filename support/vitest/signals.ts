const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * A reporter that takes Vitest's listeners for signals away again: they end the process at once, and a run has to put back first
 * what it changed.
 */
export function signalsKept(): { onInit(): void } {
  const before = new Set(SIGNALS.flatMap(name => process.listeners(name)))
  return {
    onInit() {
      for (const name of SIGNALS) {
        for (const listener of process.listeners(name)) if (!before.has(listener)) process.off(name, listener)
      }
    },
  }
}
