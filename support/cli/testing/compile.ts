import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const PREFIX = 'store-conformance-compiled-'

/**
 * Compiles the command once for all processes that Vitest starts, and again when a file has changed, into a folder with the layout of
 * the package. Running it by tsx would make every start slower.
 * @returns the path of its main file
 */
export async function compiledCommand(): Promise<string> {
  const folder = join(tmpdir(), `${PREFIX}${process.ppid}-${lastChange()}`)
  const main = join(folder, 'dist/support/cli/main.js')
  try {
    mkdirSync(folder)
  } catch {
    return (await appears(join(folder, 'ready'))) ? main : Promise.reject(new Error('compiling timed out'))
  }
  removeLeftovers()
  for (const name of ['package.json', 'node_modules', 'support'])
    symlinkSync(join(project, name), join(folder, name))
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  const out = join(folder, 'dist')
  const settings = ['--outDir', out, '--tsBuildInfoFile', join(out, '.tsbuildinfo')]
  // `npm run types` checks the types, which takes five times as long as the translation.
  const { stdout } = spawnSync(process.execPath, [
    compiler,
    '-p',
    join(project, 'tsconfig.build.json'),
    ...settings,
    '--noCheck',
    '--declaration',
    'false',
  ])
  if (!existsSync(main)) throw new Error(`nothing was compiled: ${stdout}`)
  renameSync(mkdtempSync(join(folder, 'making-')), join(folder, 'ready'))
  return main
}

/** When a source was last changed, in milliseconds: Vitest that watches the files keeps its process. */
function lastChange(): number {
  const files = ['suites', 'support'].flatMap(folder =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true }).filter(each =>
      each.isFile(),
    ),
  )
  return Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
}

async function appears(path: string): Promise<boolean> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (existsSync(path)) return true
    await sleep(50)
  }
  return false
}

/** Removes the folders of processes that have ended. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter(each => each.startsWith(PREFIX))) {
    try {
      process.kill(Number.parseInt(name.slice(PREFIX.length), 10), 0)
    } catch {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    }
  }
}
