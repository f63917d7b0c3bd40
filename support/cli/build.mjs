import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Compiles what has changed to `dist/`: `node support/cli/build.mjs [--clean]`.
 * `--clean` removes `dist/` first, so that the package contains no output of deleted sources.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true })

// With --build, the compiler itself sees at once that nothing has changed.
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
const args = [compiler, '--build', join(root, 'tsconfig.build.json')]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const { reportJsonSchema } = await import('../../dist/support/report/report.js')
mkdirSync(join(root, 'dist/schemas'), { recursive: true })
writeFileSync(
  join(root, 'dist/schemas/conformance.schema.json'),
  `${JSON.stringify(reportJsonSchema(), undefined, 2)}\n`,
)
// npm makes the command executable only when it links it for the first time.
chmodSync(join(root, 'dist/support/cli/main.js'), 0o755)
