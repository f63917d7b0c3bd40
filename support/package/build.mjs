import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Compiles to `dist/`, unless nothing has changed since the last build: `node support/package/build.mjs [--clean]`.
 * `--clean` removes `dist/` first, so that the package contains no output of deleted sources.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const stamp = join(root, 'dist/.built')
const sources = ['suites', 'support', 'package.json', 'tsconfig.json', 'tsconfig.build.json']

if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true })
if (!isBuilt()) build()

function isBuilt() {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  // A deleted file changes the time of its folder.
  const isOld = path => statSync(path).mtimeMs < built
  return sources
    .map(name => join(root, name))
    .every(
      path =>
        isOld(path) &&
        (!statSync(path).isDirectory() ||
          readdirSync(path, { recursive: true, encoding: 'utf8' }).every(file => isOld(join(path, file)))),
    )
}

function build() {
  const started = new Date()
  rmSync(stamp, { force: true })
  const require = createRequire(import.meta.url)
  const compiler = join(require.resolve('typescript/package.json'), '../bin/tsc')
  run(compiler, '-p', join(root, 'tsconfig.build.json'))
  run(join(root, 'dist/support/package/write-schema.js'))
  // npm makes the command executable only when it links it for the first time.
  chmodSync(join(root, 'dist/support/cli/main.js'), 0o755)
  writeFileSync(stamp, '')
  // Sources that change during the build are newer than the stamp, so the next build compiles them.
  utimesSync(stamp, started, started)
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
