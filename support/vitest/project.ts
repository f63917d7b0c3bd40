import { fileURLToPath } from 'node:url'
import { packageRoot } from '../report/package-root.ts'

/** The Vitest project that shows the rules. One thread is enough, because the main thread judges them. */
export const conformanceProject = {
  name: 'conformance',
  root: fileURLToPath(packageRoot),
  include: ['suites/*/*.test.ts'],
  globalSetup: [fileURLToPath(new URL('./global-setup.ts', import.meta.url))],
  pool: 'threads' as const,
  maxWorkers: 1,
  isolate: false,
  sequence: { concurrent: true },
  maxConcurrency: 1000,
  /** Every request and setup has its own time limit. This one is reached only by an error in the suite. */
  testTimeout: 30 * 60_000,
}
