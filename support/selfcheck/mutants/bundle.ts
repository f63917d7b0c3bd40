import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { referenceFolder } from './sources.ts'

/** Inside node_modules, so that the bundle can import packages by name. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/store-mutants/', import.meta.url))

/** The store in one file. Each import with another query evaluates it again, so that mutants in constants and routes take effect. */
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
