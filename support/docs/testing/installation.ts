import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtCommand } from '../../cli/testing/command.ts'

const dependencies = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder in which the package is installed, with the other packages that the snippets import. */
export interface Installation {
  readonly folder: string
  write(files: Readonly<Record<string, string>>): void
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  remove(): void
}

export async function install(): Promise<Installation> {
  const main = await builtCommand()
  const folder = mkdtempSync(join(tmpdir(), 'store-conformance-docs-'))
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  write({ 'package.json': JSON.stringify({ type: 'module' }) })
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  for (const name of ['vitest', 'hono'])
    symlinkSync(join(dependencies, name), join(folder, 'node_modules', name))
  symlinkSync(join(dirname(main), '../../..'), join(folder, 'node_modules/store-conformance'))
  const command = join(folder, 'node_modules/.bin/store-conformance')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 })
  return {
    folder,
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    run: (program, args, env = {}) =>
      new Promise((resolve, reject) => {
        const { PATH = '', HOME = '' } = process.env
        const child = spawn(program, args, {
          cwd: folder,
          env: { PATH: `${join(folder, 'node_modules/.bin')}:${PATH}`, HOME, NO_COLOR: '1', ...env },
        })
        const out = { stdout: '', stderr: '' }
        child.stdout.on('data', chunk => (out.stdout += chunk))
        child.stderr.on('data', chunk => (out.stderr += chunk))
        child.once('error', reject)
        child.once('close', code => resolve({ code, ...out }))
      }),
  }
}
