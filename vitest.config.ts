import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { conformanceProject } from './support/vitest/project.ts'

/** Tests that look at a page in a real browser, which the machine has to have. */
const browserTests = 'support/**/browser.test.ts'

const ownTests = { pool: 'threads' as const, testTimeout: 60_000, hookTimeout: 60_000 }

/** The longest tests first, so that no core is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => LONGEST.findIndex(name => moduleId.endsWith(name))
    return (await super.sort(files)).sort((one, other) => rank(other) - rank(one))
  }
}
const LONGEST = ['selfcheck/freedoms.test.ts', 'selfcheck/named.test.ts', 'selfcheck/faults.test.ts']

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...ownTests,
          name: 'unit',
          include: ['support/**/*.test.ts'],
          exclude: [browserTests],
        },
      },
      { test: { ...ownTests, name: 'browser', include: [browserTests] } },
      { test: conformanceProject },
    ],
  },
})
