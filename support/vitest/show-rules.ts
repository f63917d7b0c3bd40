import { startVitest } from 'vitest/node'
import { categories, QuickAllureReporter } from './allure.ts'
import type { Provided } from './conformance.ts'
import { conformanceProject } from './project.ts'

/** What Vitest needs to show the rules of a run. Plain data, so that it can be sent to a thread. */
export interface ShowOptions {
  readonly provided: Provided
  /** An empty folder: results of another run must not be mixed in. */
  readonly resultsDir: string
  readonly environment: Readonly<Record<string, string>>
}

/** Runs the rules as Vitest tests, silently, and writes `allure-results`. @throws {Error} if Vitest itself fails */
export async function showRules({ provided, resultsDir, environment }: ShowOptions): Promise<void> {
  const exitCode = process.exitCode
  try {
    const vitest = await startVitest('test', [], {
      ...conformanceProject,
      // The run is open already.
      globalSetup: [],
      config: false,
      watch: false,
      cache: false,
      passWithNoTests: false,
      provide: { conformance: provided },
      reporters: [new QuickAllureReporter({ resultsDir, environmentInfo: { ...environment }, categories })],
    })
    const problems = vitest.state.getUnhandledErrors()
    const broken = vitest.state.getTestModules().flatMap(module => module.errors())
    await vitest.close()
    const [first] = [...problems, ...broken] as Error[]
    if (first) throw new Error(first.message)
  } finally {
    // Vitest sets it for failed tests. The verdict decides instead.
    process.exitCode = exitCode
  }
}
