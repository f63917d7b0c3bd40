import { existsSync, readFileSync } from 'node:fs'

/** The folder of this package, whether the sources or `dist/` are running. Ends with a slash. */
export const packageRoot: URL = (() => {
  const sources = new URL('../../', import.meta.url)
  return existsSync(new URL('package.json', sources)) ? sources : new URL('../', sources)
})()

const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string
}

/** The version of this package, as its package.json says. */
export const SUITE_VERSION: string = version
