import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unwritable } from '../reports-folder.ts'
import { UsageError } from '../usage.ts'

/** Holds the id of the process whose reports the folder takes. */
const LOCK = 'running.pid'

/**
 * Keeps a folder for this process until it ends, however it ends: two runs would overwrite each other's reports, and the stock that
 * is to be put back.
 * @throws {UsageError} where another process has it
 */
export async function lockFolder(folder: string): Promise<void> {
  const path = join(folder, LOCK)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(path)) {
      process.once('exit', () => release(path))
      return
    }
    const holder = holderOf(path)
    if (holder === undefined) await sleep(WAIT_MS)
    else if (isAlive(holder)) throw new UsageError(taken(folder, holder))
    else takeAway(path, holder)
  }
  throw new UsageError(
    `${path} is no file that names a process. Remove it, or name another folder with --out.`,
  )
}

const ATTEMPTS = 20
/** Between its making and its writing a lock is empty. */
const WAIT_MS = 25

const taken = (folder: string, holder: number): string =>
  `${folder} is in use by another run, process ${holder}, as ${join(folder, LOCK)} says. ` +
  'Wait until it has ended, or name another folder with --out. Nothing was sent.'

/** Whether there was none. @throws {UsageError} where the folder takes no file */
function create(path: string): boolean {
  let file: number
  try {
    file = openSync(path, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unwritable(dirname(path), error)
  }
  try {
    writeSync(file, `${process.pid}\n`)
    return true
  } catch (error) {
    rmSync(path)
    throw unwritable(dirname(path), error)
  } finally {
    closeSync(file)
  }
}

/** The next run takes the lock of a process that has ended, so it may stay where the disk has become read-only. */
function release(path: string): void {
  try {
    if (holderOf(path) === process.pid) rmSync(path, { force: true })
  } catch {
    // The verdict is not changed by it.
  }
}

/** Undefined where the file says nothing, or is no longer there. */
function holderOf(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[1-9][0-9]*$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  // Where each container counts anew, a process that has ended may have had the id of this one.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process can't be signalled, and lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Moved first, and looked at again: another run may have taken it over since, and must not lose its own. */
function takeAway(path: string, dead: number): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (holderOf(aside) === dead) rmSync(aside)
  else renameSync(aside, path)
}
