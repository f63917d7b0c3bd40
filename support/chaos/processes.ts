import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../dist/support/cli/main.js', import.meta.url))

const project = fileURLToPath(new URL('../../', import.meta.url))

/** The arguments of `perform` for `npx vitest run --project conformance`. */
export const VITEST = [
  join(project, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--root',
  project,
  '--project',
  'conformance',
]

/** Time limit of each command. */
const LIMIT_MS = 700_000

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly tookMs: number
  /** Peak resident memory in MB; 0 if the system does not report it. */
  readonly peakMb: number
}

/** Runs the built command, or the program that is the first argument, in a folder. @param meanwhile receives the process when it has started */
export async function perform(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  meanwhile: (child: ChildProcess) => void = () => undefined,
  nodeOptions: readonly string[] = [],
): Promise<Outcome> {
  const started = Date.now()
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(
    process.execPath,
    [...nodeOptions, ...(args[0]?.endsWith('.mjs') ? [] : [command]), ...args],
    {
      cwd: folder,
      env: { PATH, HOME, ...env },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    },
  )
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => (out.stdout += chunk))
  child.stderr.on('data', chunk => (out.stderr += chunk))
  let peakMb = 0
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 50)
  meanwhile(child)
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  clearInterval(watch)
  return { code, ...out, tookMs: Date.now() - started, peakMb }
}

/** Linux reports the peak since the start of the process. */
function peakOf(pid: number | undefined): number {
  try {
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** Calls `use` with a new folder, and removes the folder afterwards. */
export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'store-conformance-chaos-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ENDINGS: Readonly<Record<string, RegExp>> = {
  'conformance.json': /\}\s*$/,
  'conformance.html': /<\/html>\s*$/,
  'junit.xml': /<\/testsuites>\s*$/,
  'exchanges.har': /\}\s*$/,
}

/** The incomplete reports in the folder. */
export function brokenReports(folder: string): string[] {
  return Object.entries(ENDINGS).flatMap(([name, ending]) => {
    const path = join(folder, 'reports', name)
    if (!existsSync(path)) return []
    const text = readFileSync(path, 'utf8')
    return ending.test(text) && (!/\.(json|har)$/.test(name) || isJson(text)) ? [] : [name]
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
