import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Compiles to `dist/`, unless nothing has changed since the last build: `node support/package/build.mjs [--clean]`.
 * `--clean` removes `dist/` first, so that the package contains no output of deleted sources.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const stamp = join(root, 'dist/.built')

if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true })
if (!isBuilt()) await build()

function isBuilt() {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const folders = ['suites', 'support']
  const below = folders.flatMap(name =>
    readdirSync(join(root, name), { recursive: true }).map(file => join(name, file)),
  )
  // A deleted file changes the time of its folder.
  return [...folders, ...below, 'package.json', 'tsconfig.json', 'tsconfig.build.json'].every(
    path => statSync(join(root, path)).mtimeMs < built,
  )
}

async function build() {
  const started = new Date()
  rmSync(stamp, { force: true })
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  const args = [compiler, '-p', join(root, 'tsconfig.build.json')]
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
  writeFileSync(stamp, '')
  // Sources that change during the build are newer than the stamp, so the next build compiles them.
  utimesSync(stamp, started, started)
}
