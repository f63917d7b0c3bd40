import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sameNumber } from '../http/decimal.ts'
import { reasonOf } from '../http/problems.ts'
import { KILOBYTE, readInput } from '../http/read-input.ts'
import { Misconfigured } from '../judge/outcome.ts'
import type { Configuration } from '../settings/configuration.ts'
import { writtenFlags } from '../settings/environment.ts'
import { type UndoFile, undoFiles } from '../store/undo.ts'

/** @throws {Misconfigured} before anything is sent: a run that cannot save the old stock on disk must not change stock */
export function ensureWritable(folder: string): void {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw unwritable(folder, error)
  }
  // Whoever wrote what is in the working folder, such as a pull request, must not choose where the suite writes.
  const [here, inside] = [realpathSync('.'), relative('.', folder)]
  if (!inside.startsWith('..') && !isAbsolute(inside) && realpathSync(folder) !== join(here, inside))
    throw new Misconfigured(
      `${folder} is a link, or in one, to ${realpathSync(folder)}; name that folder with --out. Nothing was sent.`,
    )
}

function unwritable(folder: string, error: unknown): Misconfigured {
  const isFile = existsSync(folder) && !statSync(folder).isDirectory()
  const why = isFile ? 'is a file, not a folder' : `cannot be written to (${reasonOf(error)})`
  return new Misconfigured(`${folder} ${why}; name another folder with --out. Nothing was sent.`)
}

/** Without `recursive`, because with it Node loops endlessly below a folder like /proc, where no folder can be created. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder)
}

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
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (syscall === 'write') rmSync(path)
    throw unwritable(dirname(path), error)
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

/**
 * Prints what earlier runs left changed, and the commands that restore what this run does not: it restores the pets that it is given.
 * @throws {Misconfigured} if a journal cannot be read: then it is unknown what is still to be restored
 */
export function noteWhatIsLeft(configuration: Configuration): void {
  const { reportsDir, readOnly, baseUrl, pets: given = [] } = configuration
  for (const { path, left } of undoFiles(reportsDir)) {
    const isRestored = ({ petId, lost }: (typeof left.pets)[number]) =>
      !lost && (given === 'any' || given.some(each => sameNumber(each, petId)))
    const isNow = !readOnly && left.baseUrl === baseUrl && left.pets.every(isRestored)
    const how = isNow ? 'This run restores it first.' : howToRestore(left, configuration)
    const pets = left.pets.map(({ petId }) => petId)
    const shown = `${pets.length === 1 ? 'pet' : 'pets'} ${pets.slice(0, PETS_SHOWN).join(', ')}${pets.length > PETS_SHOWN ? ` and ${pets.length - PETS_SHOWN} more` : ''}`
    process.stderr.write(
      `Note: an earlier run on ${left.baseUrl} did not restore the stock of ${shown} (${path}). ${how}\n`,
    )
  }
}

const PETS_SHOWN = 5

export function howToRestore(
  { baseUrl }: UndoFile,
  { target, reportsDir }: Pick<Configuration, 'target' | 'reportsDir'>,
): string {
  const [address, key] =
    target === 'staging'
      ? [{ target, stagingBaseUrl: baseUrl }, 'STORE_STAGING_API_KEY']
      : [{ target: 'base', baseUrl }, 'STORE_API_KEY']
  const flags = writtenFlags({ ...address, reportsDir }).join(' ')
  return `To restore it, with the key of that store in ${key}:\n  npx store-conformance restore ${flags}`
}
