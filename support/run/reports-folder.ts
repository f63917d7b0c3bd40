import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { Misconfigured } from '../access/misconfigured.ts'
import { type UndoFile, undoFiles } from '../access/undo.ts'
import { reasonOf } from '../http/problems.ts'
import type { Configuration } from '../settings/configuration.ts'
import { writtenFlags } from '../settings/environment.ts'

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
 * Prints what earlier runs left changed, and the commands that restore it. A run on the same store restores the pets that it is given.
 * @throws {Misconfigured} if a journal cannot be read: then it is unknown what is still to be restored
 */
export function noteWhatIsLeft(configuration: Configuration): void {
  const { reportsDir } = configuration
  for (const { path, left } of leftBehind(reportsDir)) {
    const pets = left.pets.map(({ petId }) => petId)
    const shown = `${pets.length === 1 ? 'pet' : 'pets'} ${pets.slice(0, PETS_SHOWN).join(', ')}${pets.length > PETS_SHOWN ? ` and ${pets.length - PETS_SHOWN} more` : ''}`
    const why = left.ended ? 'could not restore' : 'was killed before it restored'
    process.stderr.write(
      `Note: an earlier run on ${left.baseUrl} ${why} the stock of ${shown} (${path}). ${howToRestore(left, configuration)}\n`,
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

/** The journals of runs that did not restore everything. @throws {Misconfigured} if one cannot be read */
export function leftBehind(folder: string): ReturnType<typeof undoFiles> {
  try {
    return undoFiles(folder).filter(({ left }) => left.pets.length > 0)
  } catch (error) {
    throw new Misconfigured(
      `${folder} has an undo.json that records the stock to restore, but cannot be read: ${error instanceof Error ? error.message : error}. Nothing was sent.`,
    )
  }
}
