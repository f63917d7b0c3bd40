import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests of commands and programs as their users start them, most in processes of their own. */
const endToEndTests = 'support/**/*.e2e.test.ts'

/** Tests that look at a page in a real browser, which the machine has to have. */
const browserTests = 'support/**/browser.test.ts'

const ownTests = {
  pool: 'forks' as const,
  isolate: false,
  // A judgement makes much garbage that is young, and collecting it takes a fifth less time with more room.
  execArgv: ['--max-semi-space-size=32'],
  // Only so that a test which hangs ends: a busy machine may need ten times as long.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  globalSetup: ['support/wire/testing/folder.ts'],
}

/** The tests that judge many stores first, so that no core is idle at the end, and the verdict last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      moduleId.endsWith('suites/verdict.test.ts') ? 2 : LONG.test(moduleId) ? 0 : 1
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
const LONG = /selfcheck|harm|certificate|embed\/(unreadable|judge|keys)/

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...ownTests,
          name: 'unit',
          // Stores wait, for example for units that return later. More at once would make them reach the time-outs by load.
          maxConcurrency: 4,
          include: ['support/**/*.test.ts'],
          exclude: [endToEndTests, browserTests],
        },
      },
      {
        test: {
          ...ownTests,
          name: 'e2e',
          include: [endToEndTests],
          globalSetup: [...ownTests.globalSetup, 'support/cli/testing/build.ts'],
        },
      },
      { test: { ...ownTests, name: 'browser', include: [browserTests] } },
      {
        // Its tests are the rules. One thread is enough, because the main thread judges them.
        test: {
          name: 'conformance',
          include: ['suites/**/*.test.ts'],
          globalSetup: ['support/embed/vitest/setup.ts'],
          setupFiles: ['allure-vitest/setup'],
          pool: 'threads',
          maxWorkers: 1,
          isolate: false,
          // Projects with different numbers of workers cannot be in one group.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
