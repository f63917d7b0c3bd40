import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../../access/misconfigured.ts'
import { KILOBYTE, readInput } from '../../http/read-input.ts'
import { unwritable } from '../reports-folder.ts'

/** Contains the id of the process that writes its reports into the folder. */
const LOCK = 'running.pid'

/**
 * Locks a folder for this process until the returned function is called or the process ends: two runs would overwrite each other's
 * reports and undo file.
 * @throws {Misconfigured} if another process holds the lock
 */
export async function lockFolder(folder: string): Promise<() => void> {
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
    const holder = holderOf(path)
    if (holder === undefined) await sleep(WAIT_MS)
    else if (isAlive(holder)) throw new Misconfigured(taken(folder, holder))
    else removeStale(path, holder)
  }
  throw new Misconfigured(
    `${join(folder, LOCK)} does not contain a process id. Remove it, or name another folder with --out.`,
  )
}

const ATTEMPTS = 20
/** Between its creation and the first write, a lock file is empty. */
const WAIT_MS = 25

const taken = (folder: string, holder: number): string =>
  `${folder} is in use by another run, process ${holder} (${join(folder, LOCK)}). ` +
  'Wait until it has ended, or name another folder with --out. Nothing was sent.'

/** @returns false if the lock file exists. @throws {Misconfigured} if the folder cannot be written to */
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

/** Failing to remove the lock does no harm: the next run removes the lock of a process that has ended. */
function release(path: string): void {
  try {
    if (holderOf(path) === process.pid) rmSync(path, { force: true })
  } catch {
    // It does not change the verdict.
  }
}

/** Undefined if the file does not exist, or contains no process id. */
function holderOf(path: string): number | undefined {
  try {
    const text = readInput(path, KILOBYTE).toString('utf8').trim()
    return /^[1-9][0-9]*$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  // Process ids repeat between containers, so a lock with our own id is from a process that has ended.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Moves the file and reads it again before removing it: meanwhile, another run may have created its own lock there. */
function removeStale(path: string, dead: number): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (holderOf(aside) === dead) rmSync(aside)
  else renameSync(aside, path)
}
