import { existsSync } from 'node:fs'

/** The folder of this package, whether the sources or `dist/` are running. Ends with a slash. */
export const packageRoot: URL = (() => {
  const sources = new URL('../../', import.meta.url)
  return existsSync(new URL('package.json', sources)) ? sources : new URL('../', sources)
})()
