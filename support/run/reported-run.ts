import * as fs from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../interface/verdict.ts'
import { removeReports, writeReports } from '../report/write.ts'
import type { Configuration } from '../settings/configuration.ts'
import { select } from '../settings/selection.ts'
import { codeOf, KILOBYTE, readInput } from '../wire/problems.ts'
import { untilInterrupted } from './process.ts'
import { openRun, type Progress } from './run.ts'

/**
 * Judges a store, and writes its reports in place of those before: the run of the command and of Vitest. Ctrl-C stops it; it then
 * restores the stock, and still has reports. The folder is locked until the process ends.
 * @param begun is called before the first request, with the address of the store and the folder of the reports
 * @returns why not all reports could be written, too: the verdict is printed even if the disk is full
 * @throws {Misconfigured}
 */
export async function reportedRun(
  configuration: Configuration,
  begun: (baseUrl: string, folder: string) => void,
  progress?: (progress: Progress) => void,
) {
  const { reportsDir } = configuration
  await lockFolder(reportsDir, 'Wait until it has ended, or name another folder with --out.')
  const folder = reportsFolder(configuration)
  /** @returns why the reports of an earlier run could not be replaced. They could be taken for those of this one */
  const replacing = (perform: () => unknown): Misconfigured | undefined => {
    try {
      perform()
      return undefined
    } catch (error) {
      const { message } = error as Error
      return new Misconfigured(
        `The reports in ${folder} cannot be replaced: ${message}. Name another folder with --out.`,
      )
    }
  }
  const remaining = replacing(() => removeReports(folder))
  if (remaining) throw remaining
  const { run, report } = await untilInterrupted(configuration, async signal => {
    const run = await openRun(configuration, { undoPath: resolve(reportsDir, 'undo.json'), signal })
    begun(run.target.baseUrl, folder)
    return { run, report: await run.finish(progress) }
  })
  return { report, run, folder, problem: replacing(() => writeReports(report, folder)) }
}

/** Where the reports of a run are written: those of a selection beside, not over, those of a whole run. */
function reportsFolder({ reportsDir, only, skip, selection }: Configuration): string {
  const path = join(reportsDir, 'conformance.json')
  if (!(only || skip) || !fs.existsSync(path)) return reportsDir
  const whole = select(selection.profile, {}).rules.length
  let isSelection = false
  try {
    isSelection = JSON.parse(fs.readFileSync(path, 'utf8')).rules.length < whole
  } catch {
    // A report that cannot be read may be one of a whole run.
  }
  return isSelection ? reportsDir : join(reportsDir, 'selection')
}

/** @throws {Misconfigured} before anything is sent: a run that cannot save the old stock on disk must not change stock */
export function ensureWritable(folder: string): void {
  try {
    makeFolder(resolve(folder))
    fs.accessSync(folder, fs.constants.W_OK)
  } catch (error) {
    throw unwritable(folder, error)
  }
  // Whoever wrote what is in the working folder, such as a pull request, must not choose where the suite writes.
  const [here, real, inside] = [fs.realpathSync('.'), fs.realpathSync(folder), relative('.', folder)]
  if (!inside.startsWith('..') && !isAbsolute(inside) && real !== join(here, inside))
    throw new Misconfigured(
      `${folder} is a link, or in one, to ${real}; name that folder with --out. Nothing was sent.`,
    )
}

/** Without `recursive`, because with it Node loops endlessly below a folder like /proc, where no folder can be created. */
function makeFolder(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (!fs.existsSync(dirname(folder))) makeFolder(dirname(folder))
  fs.mkdirSync(folder)
}

function unwritable(folder: string, error: unknown): Misconfigured {
  const isFile = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false
  const why = isFile ? 'is a file, not a folder' : `cannot be written to (${codeOf(error)})`
  return new Misconfigured(`${folder} ${why}; name another folder with --out. Nothing was sent.`)
}

/** Names the process that writes its reports into the folder: its id, and where /proc shows it, its birth. */
const LOCK = 'running.pid'
const HOLDER = /^([1-9][0-9]*)(?: (\S+))?\n$/
/** Milliseconds in which another run, at the same moment, writes its lock after it has found none or one that is left over. */
const SETTLED_MS = 250

/**
 * Locks a folder until this process ends: two runs would overwrite each other's reports and undo file. A lock whose process has ended
 * is replaced.
 * @param advice what to do while another process holds the lock
 * @throws {Misconfigured} if another process holds the lock, or the folder cannot be written to
 */
export async function lockFolder(folder: string, advice: string): Promise<void> {
  ensureWritable(folder)
  const path = resolve(folder, LOCK)
  // /proc/self is right also where the process ids of /proc are those of another container.
  const own = `${[process.pid, birthOf('self')].filter(Boolean).join(' ')}\n`
  /** @returns false if the file exists. It follows no link */
  const create = (file: string): boolean => {
    try {
      fs.writeFileSync(file, own, { flag: 'wx' })
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw unwritable(folder, error)
    }
  }
  for (let isLocked = create(path); !isLocked; isLocked = textOf(path) === own) {
    if (!HOLDER.test(textOf(path))) await sleep(SETTLED_MS)
    const [, pid, birth] = HOLDER.exec(textOf(path)) ?? []
    if (pid !== undefined && holds(Number(pid), birth)) {
      const shown = join(folder, LOCK)
      const check = birth ? '' : ` If process ${pid} is not a run of store-conformance, remove ${shown}.`
      throw new Misconfigured(
        `${folder} is in use by another run, process ${pid} (${shown}). ${advice}${check} Nothing was sent.`,
      )
    }
    const aside = `${path}.${process.pid}`
    fs.rmSync(aside, { force: true })
    create(aside)
    fs.renameSync(aside, path)
    // Of several runs that replace it at once, the last one holds it.
    await sleep(SETTLED_MS)
  }
  // Failing to remove it does no harm: the next run replaces the lock of a process that has ended.
  process.on('exit', () => textOf(path) === own && fs.rmSync(path, { force: true }))
}

/** Empty if the file cannot be read. */
function textOf(path: string): string {
  try {
    return readInput(path, KILOBYTE).toString()
  } catch {
    return ''
  }
}

/**
 * Distinguishes the process from others with the same id, in the next container and after the next boot: the boot, and the clock
 * ticks from the boot to the start of the process. Undefined where /proc does not show the process.
 */
export function birthOf(pid: number | 'self'): string | undefined {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields from the third on: the name of the program before them, in parentheses, may contain spaces (proc(5)).
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'ended' : `${boot}:${fields[18]}`
  } catch {
    return undefined
  }
}

function holds(pid: number, birth: string | undefined): boolean {
  // This process does not hold the lock yet, so an earlier process had its id.
  if (pid === process.pid) return false
  const known = birthOf(pid)
  if (known !== undefined && birth !== undefined) return known === birth
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}
