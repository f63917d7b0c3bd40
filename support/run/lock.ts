import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../interface/verdict.ts'
import { KILOBYTE, readInput } from '../wire/read-input.ts'
import { unwritable } from './reports-folder.ts'

/** Names the process that writes its reports into the folder: its id, and where /proc shows it, its birth. */
const LOCK = 'running.pid'
const HOLDER = /^([1-9][0-9]*)(?: (\S+))?\n$/
const ATTEMPTS = 10
/** Between its creation and the first write, a lock file is empty. One that stays so is left over. */
const WRITING_MS = 500

/**
 * Locks a folder for this process until the returned function is called or the process ends: two runs would overwrite each other's
 * reports and undo file. A lock whose process has ended is replaced.
 * @param advice what to do while another process holds the lock
 * @throws {Misconfigured} if another process holds the lock
 */
export async function lockFolder(folder: string, advice: string): Promise<() => void> {
  const [path, shown] = [resolve(folder, LOCK), join(folder, LOCK)]
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(path)) {
      // Failing to remove the lock does no harm: the next run removes the lock of a process that has ended.
      const leave = () => void (read(path) === own() && rmSync(path, { force: true }))
      process.once('exit', leave)
      return () => {
        process.off('exit', leave)
        leave()
      }
    }
    if (!HOLDER.test(read(path))) await sleep(WRITING_MS)
    const text = read(path)
    const [, pid, birth] = HOLDER.exec(text) ?? []
    if (pid !== undefined && holds(Number(pid), birth)) {
      const check =
        birth === undefined ? ` If process ${pid} is not a run of store-conformance, remove ${shown}.` : ''
      throw new Misconfigured(
        `${folder} is in use by another run, process ${pid} (${shown}). ${advice}${check} Nothing was sent.`,
      )
    }
    removeStale(path, text)
  }
  throw new Misconfigured(`${shown} cannot be replaced. Remove it. Nothing was sent.`)
}

/** @returns false if the lock file exists. @throws {Misconfigured} if the folder cannot be written to */
function create(path: string): boolean {
  try {
    writeFileSync(path, own(), { flag: 'wx' })
    return true
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (syscall === 'write') rmSync(path)
    throw unwritable(resolve(path, '..'), error)
  }
}

/** The lock of this process: /proc/self is right also where the process ids of /proc are those of another container. */
const own = (): string => `${[process.pid, birthOf('self')].filter(Boolean).join(' ')}\n`

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
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
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

/** Moves the file and reads it again before removing it: meanwhile, another run may have created its own lock there. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (read(aside) === stale) rmSync(aside)
    else renameSync(aside, path)
  } catch {
    // Another run was faster, or it is a folder.
  }
}
