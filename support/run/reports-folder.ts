import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { sameNumber } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type UndoFile, undoFiles } from '../target/undo.ts'
import { reasonOf } from '../wire/problems.ts'
import { writtenFlags } from './command.ts'
import { selectRules } from './selection.ts'

/** Where the reports of a run are written: those of a selection beside, not over, those of a whole run. */
export function reportsFolder(configuration: Configuration): string {
  const { reportsDir, only, skip } = configuration
  return (only || skip) && holdsWholeRun(configuration) ? join(reportsDir, 'selection') : reportsDir
}

/** Whether the folder has a report that is not one of a selection. */
function holdsWholeRun({ reportsDir, profile }: Configuration): boolean {
  const path = join(reportsDir, 'conformance.json')
  try {
    const all = selectRules({ profile }).rules.length
    return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).rules.length >= all
  } catch {
    return true
  }
}

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
    const more = left.pets.length > PETS_SHOWN ? ` and ${left.pets.length - PETS_SHOWN} more` : ''
    const shown = left.pets.slice(0, PETS_SHOWN).map(({ petId }) => petId)
    process.stderr.write(
      `Note: an earlier run on ${left.baseUrl} did not restore the stock of ${left.pets.length === 1 ? 'pet' : 'pets'} ${shown.join(', ')}${more} (${path}). ${how}\n`,
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
  return `To restore it, with the key of that store in ${key}:\n  npx --no-install store-conformance restore ${flags}`
}
