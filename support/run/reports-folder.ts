import * as fs from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../interface/verdict.ts'
import { codeOf, KILOBYTE, readInput } from '../wire/read-input.ts'

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
 * Locks a folder for this process until the returned function is called or the process ends: two runs would overwrite each other's
 * reports and undo file. A lock whose process has ended is replaced.
 * @param advice what to do while another process holds the lock
 * @throws {Misconfigured} if another process holds the lock
 */
export async function lockFolder(folder: string, advice: string): Promise<() => void> {
  const [path, shown] = [resolve(folder, LOCK), join(folder, LOCK)]
  // /proc/self is right also where the process ids of /proc are those of another container.
  const own = `${[process.pid, birthOf('self')].filter(Boolean).join(' ')}\n`
  let isLocked = create(path, own)
  while (!isLocked) {
    if (!HOLDER.test(read(path))) await sleep(SETTLED_MS)
    const [, pid, birth] = HOLDER.exec(read(path)) ?? []
    if (pid !== undefined && holds(Number(pid), birth)) {
      const check =
        birth === undefined ? ` If process ${pid} is not a run of store-conformance, remove ${shown}.` : ''
      throw new Misconfigured(
        `${folder} is in use by another run, process ${pid} (${shown}). ${advice}${check} Nothing was sent.`,
      )
    }
    replace(path, own)
    // Of several runs that replace it at once, the last one holds it.
    await sleep(SETTLED_MS)
    isLocked = read(path) === own
  }
  const leave = () => {
    process.off('exit', leave)
    // Failing to remove it does no harm: the next run replaces the lock of a process that has ended.
    if (read(path) === own) fs.rmSync(path, { force: true })
  }
  process.on('exit', leave)
  return leave
}

/** @returns false if the lock file exists. @throws {Misconfigured} if the folder cannot be written to */
function create(path: string, content: string): boolean {
  try {
    fs.writeFileSync(path, content, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unwritable(dirname(path), error)
  }
}

/** @throws {Misconfigured} for example if it is a folder */
function replace(path: string, content: string): void {
  try {
    const aside = `${path}.${process.pid}`
    fs.rmSync(aside, { force: true })
    // It follows no link.
    fs.writeFileSync(aside, content, { flag: 'wx' })
    fs.renameSync(aside, path)
  } catch (error) {
    throw new Misconfigured(`${path} cannot be replaced (${codeOf(error)}). Remove it. Nothing was sent.`)
  }
}

/** The text of the lock file. Empty if the file does not exist or cannot be read. */
function read(path: string): string {
  try {
    return readInput(path, KILOBYTE).toString('utf8')
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
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
