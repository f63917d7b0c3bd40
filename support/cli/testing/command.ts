import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limiter } from '../../access/limiter.ts'
import { type ReportedRule, type ReportFile, reportSchema } from '../../report/report.ts'
import { compiledCommand } from './compile.ts'
import { type CommandTask, inWarmProcess, type Output } from './warm.ts'

export interface Given {
  readonly env?: Readonly<Record<string, string>>
  /** Files in the working folder, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** The working folder of an earlier command. */
  readonly folder?: string
  /** Called as soon as the command has been started, in a process of its own. */
  readonly meanwhile?: (child: ChildProcessWithoutNullStreams) => void
  /** Whether the command gets a new process, because the test is about how a process starts or ends. */
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

/** More commands at once would time out on a machine with two cores. */
const slots = limiter(2)

/** A command that takes longer is stopped. */
const LONGEST_MS = 100_000

/** Runs `store-conformance` in a folder of its own. Its environment contains only the given variables. */
export async function command(args: readonly string[], given: Given = {}): Promise<Ended> {
  const main = await compiledCommand()
  const folder = folderFor(given)
  const task = { main, args, folder, env: environment(given) }
  const perform = needsOwnProcess(given) ? inOwnProcess : inWarmProcess
  const { code, ...out } = await slots.run(() => perform(task, LONGEST_MS, given.meanwhile))
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
  const { code, ...out } = await slots.run(() => inOwnProcess(task, LONGEST_MS, given.meanwhile))
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

function inOwnProcess(
  { main, args, env, folder: cwd }: CommandTask,
  timeout: number,
  meanwhile?: Given['meanwhile'],
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { cwd, env, timeout, killSignal: 'SIGKILL' })
    child.stdin.end()
    const out = { stdout: '', stderr: '' }
    child.stdout.on('data', chunk => (out.stdout += chunk))
    child.stderr.on('data', chunk => (out.stderr += chunk))
    child.once('error', reject)
    child.once('close', code => resolve({ code, ...out }))
    meanwhile?.(child)
  })
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
