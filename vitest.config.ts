import { defineConfig } from 'vitest/config'
import { conformanceProject } from './support/vitest/project.ts'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['support/**/*.test.ts'], pool: 'threads', testTimeout: 60_000 } },
      { test: conformanceProject },
    ],
  },
})
