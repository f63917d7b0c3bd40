import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { referenceFolder } from './sources.ts'

/** Among the packages: the bundle imports some, by their names. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/store-mutants/', import.meta.url))

/**
 * The whole store in one file. Imported anew under another query, it is evaluated anew, and with it the mutants in what runs
 * once: tables, routes, constants.
 */
export async function bundle(files: ReadonlyMap<string, string>): Promise<string> {
  mkdirSync(cache, { recursive: true })
  const outfile = join(cache, `store-${process.pid}.mjs`)
  await build({
    entryPoints: [join(referenceFolder, 'index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'instrumented',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = files.get(path)
            return contents === undefined ? undefined : { contents, loader: 'ts' }
          })
        },
      },
    ],
  })
  return outfile
}
