import { execFileSync } from 'node:child_process'

/** Builds the package once, before the tests that start it. */
export const setup = () => {
  execFileSync(process.execPath, ['support/cli/build.mjs'], { stdio: 'inherit' })
}
