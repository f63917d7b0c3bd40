import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../judge/outcome.ts'
import { KILOBYTE, readInput } from '../wire/read-input.ts'
import { unwritable } from './reports-folder.ts'

/** Names the process that writes its reports into the folder. */
const LOCK = 'running.pid'

/**
 * Locks a folder for this process until the returned function is called or the process ends: two runs would overwrite each other's
 * reports and undo file. A lock whose process has ended is replaced.
 * @param advice what to do while another process holds the lock
 * @throws {Misconfigured} if another process holds the lock
 */
export async function lockFolder(folder: string, advice: string): Promise<() => void> {
  const path = resolve(folder, LOCK)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(path)) {
      const leave = () => release(path)
      process.once('exit', leave)
      return () => {
        process.off('exit', leave)
        leave()
      }
    }
    const text = read(path)
    const holder = text === undefined ? undefined : holderIn(text)
    if (holder && holds(holder)) throw new Misconfigured(taken(folder, holder, advice))
    if (holder || attempt >= WRITING_ATTEMPTS) removeStale(path, text)
    else await sleep(WAIT_MS)
  }
  throw new Misconfigured(`${join(folder, LOCK)} cannot be replaced. Remove it. Nothing was sent.`)
}

const ATTEMPTS = 30
/** Between its creation and the first write, a lock file is empty. One that stays so is left over. */
const WRITING_ATTEMPTS = 20
const WAIT_MS = 25

interface Holder {
  readonly pid: number
  /** Undefined on a system without /proc. */
  readonly birth: string | undefined
}

function taken(folder: string, { pid, birth }: Holder, advice: string): string {
  const path = join(folder, LOCK)
  const check =
    birth === undefined ? ` If process ${pid} is not a run of store-conformance, remove ${path}.` : ''
  return `${folder} is in use by another run, process ${pid} (${path}). ${advice}${check} Nothing was sent.`
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

/** Failing to remove the lock does no harm: the next run removes the lock of a process that has ended. */
function release(path: string): void {
  try {
    if (read(path) === own()) rmSync(path, { force: true })
  } catch {
    // It does not change the verdict.
  }
}

/** The lock of this process: /proc/self is right also where the process ids of /proc are those of another container. */
const own = (): string => `${[process.pid, birthOf('self')].filter(Boolean).join(' ')}\n`

function holderIn(text: string): Holder | undefined {
  const [, pid, birth] = /^([1-9][0-9]*)(?: (\S+))?\n$/.exec(text) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), birth }
}

function read(path: string): string | undefined {
  try {
    return readInput(path, KILOBYTE).toString('utf8')
  } catch {
    return undefined
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

function holds({ pid, birth }: Holder): boolean {
  // This process does not hold the lock yet, so an earlier process had its id.
  if (pid === process.pid) return false
  const known = birthOf(pid)
  return known === undefined || birth === undefined ? isAlive(pid) : known === birth
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Moves the file and reads it again before removing it: meanwhile, another run may have created its own lock there. */
function removeStale(path: string, stale: string | undefined): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (read(aside) === stale) rmSync(aside)
    else renameSync(aside, path)
  } catch {
    // Another run was faster, or it is a folder.
  }
}
