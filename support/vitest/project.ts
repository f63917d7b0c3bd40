import { fileURLToPath } from 'node:url'
import { packageRoot } from '../report/package-root.ts'

/** The Vitest project whose tests are the rules. One thread is enough, because the main thread judges them. */
export const conformanceProject = {
  test: {
    name: 'conformance',
    root: fileURLToPath(packageRoot),
    include: ['suites/**/*.test.ts'],
    globalSetup: [fileURLToPath(new URL('./setup.ts', import.meta.url))],
    setupFiles: ['allure-vitest/setup'],
    pool: 'threads' as const,
    maxWorkers: 1,
    isolate: false,
    // Projects with different numbers of workers cannot be in one group.
    sequence: { groupOrder: 1 },
  },
}
