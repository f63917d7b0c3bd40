import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, vi } from 'vitest'
import { faults } from '../../../suites/faults/index.ts'
import { referenceStore, type StoreOptions, serve } from '../../reference/index.ts'
import { type ReportedRule, readReport } from '../../report/report.ts'
import { places } from '../../target/pace.ts'
import type { Habit } from '../../target/testing/shop.ts'
import { newFolder, writeFiles } from '../../wire/testing/folder.ts'
import { itemCalled } from '../flags.ts'
import { perform } from '../program.ts'
import { plainStore } from './store.ts'

export interface CommandInput {
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

interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type CommandResult = ReturnType<typeof ended>

export const project = fileURLToPath(new URL('../../../', import.meta.url))

/** The main file of the package. The end-to-end tests build the package before they start. */
export const builtCommand = join(project, 'dist/support/cli/main.js')

/** What every command takes from the environment of the tests. */
const { PATH = '', HOME = '' } = process.env

/** Starts commands and stores for the tests of one file, and closes the stores after the last test. */
export function bench() {
  const ends: (() => unknown)[] = []
  const closing = (end: () => unknown) => void ends.push(end)
  afterAll(() => Promise.all(ends.map(end => end())))
  /** Lets a server listen on a free port, and returns its origin. */
  const listening = async (server: Pick<Server, 'listen' | 'address' | 'close' | 'closeAllConnections'>) => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    /** Runs `store-conformance` in a folder of its own. Its environment contains only the given variables. */
    async run(args: readonly string[], given: CommandInput = {}): Promise<CommandResult> {
      const {
        folder = newFolder(),
        files = {},
        env = {},
        meanwhile,
        ownProcess = meanwhile !== undefined,
      } = given
      writeFiles(folder, files)
      // Node reads its own variables only when a process starts.
      const output =
        ownProcess || Object.keys(env).some(name => name.startsWith('NODE_'))
          ? await spawned(process.execPath, [builtCommand, ...args], { folder, env }, meanwhile)
          : await turns(() => inThisProcess(args, { folder, env }))
      return ended(output, folder)
    },
    /** Runs the conformance project of Vitest in a folder of its own, in the same way. */
    async vitest(args: readonly string[], given: CommandInput = {}): Promise<CommandResult> {
      const { folder = newFolder(), files = {}, env, meanwhile } = given
      writeFiles(folder, files)
      const main = join(project, 'node_modules/vitest/vitest.mjs')
      const all = [main, 'run', '--root', project, '--project', 'conformance', ...args]
      const task = { folder, env: { NO_COLOR: '1', ...env } }
      return ended(await spawned(process.execPath, all, task, meanwhile), folder)
    },
    plain: (habit?: Habit, prefix?: string) => plainStore(listening, habit, prefix),
    /** @param options of the store, and the ids of its faults */
    async reference({
      faults: ids = [],
      ...options
    }: StoreOptions & { readonly faults?: readonly string[] } = {}) {
      const overrides = ids.map(id => itemCalled(id, 'fault', faults).override)
      const store = referenceStore({ ...options, overrides })
      const served = await serve(store)
      closing(served.close)
      const { baseUrl, statesUrl } = served
      const env = { STORE_API_KEY: store.apiKey, STORE_BASE_URL: baseUrl, STORE_STATES_URL: statesUrl }
      return { ...store, ...served, env }
    },
    listening,
  }
}

interface Task {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

/** One command after the other, because working folder, environment and streams belong to the process. */
const turns = places(1)

async function inThisProcess(args: readonly string[], { env, folder }: Task): Promise<Output> {
  const before = { env: process.env, folder: process.cwd(), exitCode: process.exitCode }
  const listeners = new Map(process.eventNames().map(name => [name, process.rawListeners(name as 'exit')]))
  const out = { stdout: '', stderr: '' }
  const writes = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, encoding?: unknown, done = encoding) => {
      out[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      if (typeof done === 'function') process.nextTick(done)
      return true
    }),
  )
  process.chdir(folder)
  process.env = { PATH, HOME, ...env }
  try {
    return { code: await perform(args), ...out }
  } finally {
    for (const write of writes) write.mockRestore()
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
const slots = places(2)

export const spawned = (
  program: string,
  args: readonly string[],
  { folder, env }: Task,
  meanwhile?: CommandInput['meanwhile'],
): Promise<Output> =>
  slots(
    () =>
      new Promise((resolve, reject) => {
        // A process that takes longer is stopped.
        const child = spawn(program, args, {
          cwd: folder,
          env: { PATH, HOME, ...env },
          timeout: 240_000,
          killSignal: 'SIGKILL',
        })
        child.stdin.end()
        const out = { stdout: '', stderr: '' }
        child.stdout.on('data', chunk => (out.stdout += chunk))
        child.stderr.on('data', chunk => (out.stderr += chunk))
        child.once('error', reject)
        child.once('close', code => resolve({ code, ...out }))
        meanwhile?.(child)
      }),
  )

function ended(output: Output, folder: string) {
  // A selection has its reports in a folder of its own, which the last line names.
  const reports = /Reports: (.*)conformance\.html/.exec(output.stdout + output.stderr)?.[1] ?? 'reports/'
  const at = (path: string) => {
    const named = join(folder, path.replace(/^reports\//, reports))
    return existsSync(named) ? named : join(folder, path)
  }
  const report = () => readReport(at('reports/conformance.json'))
  return {
    ...output,
    folder,
    report,
    read: (path: string) => readFileSync(at(path), 'utf8'),
    has: (path: string) => existsSync(at(path)),
    rule: (id: string) =>
      report().rules.find(each => each.id === id) ?? expect.fail(`there is no rule ${id} in the report`),
    /** The ids of the rules with this outcome. */
    rules: (outcome: ReportedRule['outcome']) =>
      report().rules.flatMap(each => (each.outcome === outcome ? [each.id] : [])),
  }
}

/** Every byte that a command has left in its folder, file by file. */
export function everythingIn(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry => {
    const path = join(entry.parentPath, entry.name)
    return entry.isFile() ? [{ path, text: readFileSync(path, 'latin1') }] : []
  })
}
