import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const COMMAND = fileURLToPath(new URL('../cli/main.js', import.meta.url))

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** `npx vitest run --project conformance`, from any folder. */
export const VITEST = [
  join(project, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--root',
  project,
  '--project',
  'conformance',
] as const

/** Time limit of each process, in milliseconds. */
const LIMIT_MS = 700_000

export type EndedProcess = Awaited<ReturnType<typeof node>>

/** Writes the peak memory of the process to file descriptor 3 when the process ends. */
const REPORT_PEAK = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { try { writeSync(3, String(process.resourceUsage().maxRSS)) } catch {} })",
)}`

interface How {
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** Receives the process when it has started. */
  readonly meanwhile?: (child: ChildProcess) => void
}

/** Runs Node in a new process. Its environment contains only the given variables. */
export async function node(args: readonly string[], { folder, env, meanwhile }: How = {}) {
  const startedAt = performance.now()
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['--import', REPORT_PEAK, ...args], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  meanwhile?.(child)
  const [, ...outputs] = child.stdio as unknown as readonly NodeJS.ReadableStream[]
  const [stdout = '', stderr = '', kilobytes] = await Promise.all(outputs.map(each => text(each)))
  const code = await closed
  return {
    code,
    stdout,
    stderr,
    ms: performance.now() - startedAt,
    /** Peak memory in megabytes. 0 for a process that was killed. */
    peakMb: Math.round(Number(kilobytes) / 1024),
  }
}

/** Calls `use` with a new folder, and removes the folder afterwards. */
export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'store-conformance-workshop-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
