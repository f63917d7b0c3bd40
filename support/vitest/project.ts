import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../report/package-root.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
/** From the sources in a checkout, compiled in an installed package. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const folder =
  extension === 'ts' || !existsSync(new URL('dist/suites', packageRoot)) ? 'suites' : 'dist/suites'

/** The Vitest project that shows the rules. One thread is enough, because the main thread judges them. */
export const conformanceProject = {
  name: 'conformance',
  root: fileURLToPath(packageRoot),
  include: [`${folder}/*/*.test.${extension}`],
  // By default, Vitest excludes node_modules, which may contain this package.
  exclude: [],
  globalSetup: [`${here}global-setup.${extension}`],
  pool: 'threads' as const,
  maxWorkers: 1,
  isolate: false,
  sequence: { concurrent: true },
  maxConcurrency: 1000,
  // Node imports compiled files without transforming them, which is faster.
  ...(extension === 'js' ? { experimental: { viteModuleRunner: false, nodeLoader: false } } : {}),
  /** Every request and setup has its own time limit. This one is reached only by an error in the suite. */
  testTimeout: 30 * 60_000,
}
