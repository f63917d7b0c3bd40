import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { Misconfigured } from '../access/misconfigured.ts'
import { readUndo, type UndoFile } from '../access/undo.ts'
import { reasonOf } from '../http/problems.ts'
import type { Configuration } from '../settings/configuration.ts'

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

export function unwritable(folder: string, error: unknown): Misconfigured {
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

/**
 * The stock in the undo file of a killed run is restored by `restore`, or by a run on the same store that changes the same pets. A run
 * on another store would overwrite the file.
 */
export function ensureNothingLeft({ reportsDir, baseUrl }: Configuration): void {
  const path = join(reportsDir, 'undo.json')
  const left = leftBehind(path)
  if (!left) return
  const pets = `${left.pets.length === 1 ? 'pet' : 'pets'} ${left.pets.map(({ petId }) => petId).join(', ')}`
  if (baseUrl === left.baseUrl) {
    process.stderr.write(
      `Note: an earlier run did not restore the stock of ${pets} (${path}); run store-conformance restore.\n`,
    )
  } else if (baseUrl !== undefined) {
    throw new Misconfigured(
      `${path} still holds the stock of ${pets} at ${left.baseUrl}, from a run that was killed. Restore it with store-conformance restore, or name another folder with --out. Nothing was sent.`,
    )
  }
}

/** The undo file of a run that was killed. @throws {Misconfigured} if it cannot be read */
export function leftBehind(path: string): UndoFile | undefined {
  try {
    return readUndo(path)
  } catch (error) {
    throw new Misconfigured(
      `${path} records the stock to restore, but cannot be read: ${error instanceof Error ? error.message : error}. Nothing was sent.`,
    )
  }
}
