import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../report/package-root.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
/** From the sources in a checkout, compiled in an installed package. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const folder =
  extension === 'ts' || !existsSync(new URL('dist/suites', packageRoot)) ? 'suites' : 'dist/suites'

/** The Vitest project in which rules run: one thread, because the run that it asks is in the main thread anyway. */
export const conformanceProject = {
  name: 'conformance',
  root: fileURLToPath(packageRoot),
  include: [`${folder}/*/*.test.${extension}`],
  // The package may stand below node_modules.
  exclude: [],
  globalSetup: [`${here}global-setup.${extension}`],
  pool: 'threads' as const,
  maxWorkers: 1,
  isolate: false,
  sequence: { concurrent: true },
  maxConcurrency: 1000,
  // Compiled files need no transforming: Node imports them as they are, and the verdict comes a little sooner.
  ...(extension === 'js' ? { experimental: { viteModuleRunner: false, nodeLoader: false } } : {}),
  /** Every wait in a run has its own limit; this one only catches a mistake of ours. */
  testTimeout: 30 * 60_000,
}
