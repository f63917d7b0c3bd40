import { randomUUID } from 'node:crypto'
import { startVitest } from 'vitest/node'
import type { Level } from '../interface/description.ts'
import type { OpenRun } from '../run/run.ts'
import { categories, QuickAllureReporter } from './allure.ts'
import { answerFor } from './channel.ts'
import type { Provided } from './conformance.ts'
import { conformanceProject } from './project.ts'
import { signalsKept } from './signals.ts'

export const providedFor = (channel: string, run: OpenRun, allure = false): Provided => ({
  channel,
  rules: run.selection.rules.map(({ id }) => id),
  allure,
})

export interface AllureOptions {
  /** To be empty: results of another run are not this one's. */
  readonly resultsDir: string
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Runs the rules of an open run as Vitest tests, silently, and leaves `allure-results`. The judgements are the run's own: Vitest
 * shows them, it does not make them.
 * @throws where Vitest itself fails, which changes nothing about the verdict
 */
export async function driveVitest(run: OpenRun, gate: Level, allure: AllureOptions): Promise<void> {
  const channel = `store-conformance-${randomUUID()}`
  const answering = answerFor(channel, run, gate)
  const exitCode = process.exitCode
  const kept = signalsKept()
  try {
    const vitest = await startVitest('test', [], {
      ...conformanceProject,
      config: false,
      watch: false,
      cache: false,
      passWithNoTests: false,
      provide: { conformance: providedFor(channel, run, true) },
      reporters: [
        { onInit: kept },
        new QuickAllureReporter({
          resultsDir: allure.resultsDir,
          environmentInfo: { ...allure.environment },
          categories,
        }),
      ],
    })
    const problems = vitest.state.getUnhandledErrors()
    const broken = vitest.state.getTestModules().flatMap(module => module.errors())
    await vitest.close()
    const [first] = [...problems, ...broken] as Error[]
    if (first) throw new Error(first.message)
  } finally {
    kept()
    answering.close()
    // Vitest sets it for failed tests; here the verdict decides.
    process.exitCode = exitCode
  }
}
