import { defineConfig } from 'vitest/config'
import { conformanceProject } from './support/vitest/project.ts'

/** Tests that look at a page in a real browser, which the machine has to have. */
const browserTests = 'support/**/browser.test.ts'

const ownTests = { pool: 'threads' as const, testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
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
