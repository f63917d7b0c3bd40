import { readFileSync } from 'node:fs'
import { packageRoot } from './package-root.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string
}

/** The version of this package, as its package.json says. */
export const SUITE_VERSION: string = version
