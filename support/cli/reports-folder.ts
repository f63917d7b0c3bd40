import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readUndo, type UndoFile } from '../access/undo.ts'
import type { Configuration } from '../settings/configuration.ts'
import { UsageError } from './usage.ts'

/** @throws {UsageError} before anything is sent: a run whose stock can't be put on disk must not change any */
export function ensureWritable(folder: string): void {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

export function unwritable(folder: string, error: unknown): UsageError {
  const isFile = existsSync(folder) && !statSync(folder).isDirectory()
  const why = isFile
    ? 'is a file, and no folder'
    : `cannot be written to (${(error as NodeJS.ErrnoException).code})`
  return new UsageError(`${folder} ${why}; name another folder with --out. Nothing was sent.`)
}

/** Not with `recursive`: below a folder like /proc, which takes none, Node then tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder)
}

/**
 * What a killed run left behind is put back by a run on the same store that changes the same pets, or by restore; a run on another
 * store would write its own file in that place.
 */
export function ensureNothingLeft({ reportsDir, baseUrl }: Configuration): void {
  const path = join(reportsDir, 'undo.json')
  const left = leftBehind(path)
  if (!left) return
  const pets = left.pets.map(({ petId }) => petId).join(', ')
  if (baseUrl === left.baseUrl) {
    process.stderr.write(
      `Note: an earlier run did not put back the stock of ${pets} (${path}); store-conformance restore does.\n`,
    )
  } else if (baseUrl !== undefined) {
    throw new UsageError(
      `${path} still holds the stock of ${pets} at ${left.baseUrl}, from a run that did not end. Put it back with store-conformance restore, or name another folder with --out. Nothing was sent.`,
    )
  }
}

/** What a run that did not end has left to put back. @throws {UsageError} where the file can't be read */
export function leftBehind(path: string): UndoFile | undefined {
  try {
    return readUndo(path)
  } catch (error) {
    throw new UsageError(
      `${path} should say what stock is to be put back, and cannot be read: ${error instanceof Error ? error.message : error}. Nothing was sent.`,
    )
  }
}
