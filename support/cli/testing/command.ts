import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { scheduler } from '../../access/scheduler.ts'
import { type ReportedRule, type ReportFile, reportSchema } from '../../report/report.ts'
import { perform } from '../program.ts'

export interface Given {
  readonly env?: Readonly<Record<string, string>>
  /** Files in the working folder, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** The working folder of an earlier command. */
  readonly folder?: string
  /** Called as soon as the command has been started, in a process of its own. */
  readonly meanwhile?: (child: ChildProcessWithoutNullStreams) => void
  /** Whether the command gets a new process: the test is about how one starts or ends, or about an uncaught error. */
  readonly ownProcess?: boolean
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly folder: string
  /** `reports/conformance.json`, parsed by its schema. */
  report(): ReportFile
  rule(id: string): ReportedRule
  /** The ids of the rules with this outcome. */
  rules(outcome: ReportedRule['outcome']): string[]
  has(path: string): boolean
  read(path: string): string
}

interface Task {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `store-conformance` in a folder of its own. Its environment contains only the given variables. */
export async function command(args: readonly string[], given: Given = {}): Promise<Ended> {
  const folder = folderFor(given)
  const task = { args, folder, env: environment(given) }
  const { code, ...out } = needsOwnProcess(given)
    ? await slots.run(async () => inOwnProcess({ ...task, main: await builtCommand() }, given.meanwhile))
    : await inThisProcess(task)
  return ended(code, out, folder)
}

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs the conformance project of Vitest in a folder of its own, in the same way. */
export async function conformanceTests(args: readonly string[], given: Given = {}): Promise<Ended> {
  const folder = folderFor(given)
  const task = {
    main: join(project, 'node_modules/vitest/vitest.mjs'),
    args: ['run', '--root', project, '--project', 'conformance', ...args],
    folder,
    env: { NO_COLOR: '1', ...environment(given) },
  }
  const { code, ...out } = await slots.run(() => inOwnProcess(task, given.meanwhile))
  return ended(code, out, folder)
}

function folderFor({ folder = mkdtempSync(join(tmpdir(), 'store-conformance-')), files = {} }: Given) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function environment({ env }: Given) {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, ...env }
}

/** Node reads its own variables only when a process starts. */
const needsOwnProcess = ({ ownProcess = false, meanwhile, env = {} }: Given): boolean =>
  ownProcess || meanwhile !== undefined || Object.keys(env).some(name => name.startsWith('NODE_'))

/** One command after the other, because working folder, environment and streams belong to the process. */
const inThisProcess = (task: Task): Promise<Output> => turns.run(() => performHere(task))
const turns = scheduler(1)

async function performHere({ args, env, folder }: Task): Promise<Output> {
  const streams = [process.stdout, process.stderr]
  const before = { env: process.env, folder: process.cwd(), exitCode: process.exitCode }
  const listeners = new Map(process.eventNames().map(name => [name, process.rawListeners(name as 'exit')]))
  const writes = streams.map(({ write }) => write)
  const out = ['', '']
  for (const [at, stream] of streams.entries())
    stream.write = ((chunk: string | Uint8Array, encoding?: unknown, done = encoding) => {
      out[at] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      if (typeof done === 'function') process.nextTick(done)
      return true
    }) as typeof stream.write
  process.chdir(folder)
  process.env = { ...env }
  try {
    const code = await perform(args)
    const [stdout = '', stderr = ''] = out
    return { code, stdout, stderr }
  } finally {
    for (const [at, stream] of streams.entries()) stream.write = writes[at] as typeof stream.write
    process.chdir(before.folder)
    process.env = before.env
    process.exitCode = before.exitCode
    // What would happen at the end of a process of its own.
    for (const name of process.eventNames())
      for (const listener of process.rawListeners(name as 'exit')) {
        if (listeners.get(name)?.includes(listener)) continue
        process.removeListener(name, listener as () => void)
        if (name === 'exit') listener.call(process, 0)
      }
  }
}

/** More processes at once would time out on a machine with two cores. */
const slots = scheduler(2)

/** A command that takes longer is stopped. */
const LONGEST_MS = 100_000

function inOwnProcess(
  { main, args, env, folder: cwd }: Task & { readonly main: string },
  meanwhile?: Given['meanwhile'],
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      env,
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    })
    child.stdin.end()
    const out = { stdout: '', stderr: '' }
    child.stdout.on('data', chunk => (out.stdout += chunk))
    child.stderr.on('data', chunk => (out.stderr += chunk))
    child.once('error', reject)
    child.once('close', code => resolve({ code, ...out }))
    meanwhile?.(child)
  })
}

/** Builds the package, unless it is built, and returns its main file. Of the processes of Vitest, one builds and the others wait. */
export async function builtCommand(): Promise<string> {
  const lock = join(tmpdir(), `store-conformance-build-${process.ppid}`)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      await sleep(50)
    }
  }
  try {
    const { status, stdout } = spawnSync(process.execPath, [join(project, 'support/package/build.mjs')])
    if (status !== 0) throw new Error(`The package cannot be built: ${stdout}`)
  } finally {
    rmdirSync(lock)
  }
  return join(project, 'dist/support/cli/main.js')
}

function ended(code: number | null, out: { stdout: string; stderr: string }, folder: string): Ended {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const report = () => reportSchema.parse(JSON.parse(read('reports/conformance.json')))
  return {
    code,
    ...out,
    folder,
    report,
    rule(id) {
      const found = report().rules.find(each => each.id === id)
      if (!found) throw new Error(`there is no rule ${id} in the report`)
      return found
    },
    rules: outcome =>
      report()
        .rules.filter(each => each.outcome === outcome)
        .map(({ id }) => id),
    has: path => existsSync(join(folder, path)),
    read,
  }
}

/** Every byte that a command has left in its folder, file by file. */
export function everythingIn(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry => {
    const path = join(entry.parentPath, entry.name)
    return entry.isFile() ? [{ path, text: readFileSync(path, 'latin1') }] : []
  })
}

export const discard = (...all: readonly Ended[]): void => {
  for (const { folder } of all) rmSync(folder, { recursive: true, force: true })
}
