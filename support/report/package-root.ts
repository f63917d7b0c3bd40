import { existsSync } from 'node:fs'

/** The folder of this package, from the sources as from `dist/`. Ends with a slash. */
export const packageRoot: URL = (() => {
  const sources = new URL('../../', import.meta.url)
  return existsSync(new URL('package.json', sources)) ? sources : new URL('../', sources)
})()
