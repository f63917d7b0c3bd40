import { fileURLToPath } from 'node:url'
import type { TestProject, Vitest } from 'vitest/node'
import { packageRoot } from '../report/package-root.ts'

const session = fileURLToPath(new URL('./session.ts', import.meta.url))

/** The Vitest project whose tests are the rules. One thread is enough, because the main thread judges them. */
export const conformanceProject = {
  plugins: [
    {
      name: 'store-conformance',
      // Loaded by the project, because an import here would make every start of Vitest slower.
      async configureVitest({ vitest, project }: { readonly vitest: Vitest; readonly project: TestProject }) {
        const { attach } = await project.import<typeof import('./session.ts')>(session)
        attach(vitest, project)
      },
    },
  ],
  test: {
    name: 'conformance',
    root: fileURLToPath(packageRoot),
    include: ['suites/**/*.test.ts'],
    setupFiles: ['allure-vitest/setup'],
    pool: 'threads' as const,
    maxWorkers: 1,
    isolate: false,
    // Projects with different numbers of workers cannot be in one group.
    sequence: { groupOrder: 1 },
    /** Every request and setup has its own time limit. This one is reached only by an error in the suite. */
    testTimeout: 30 * 60_000,
  },
}
