import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { canonical } from '../http/decimal.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import { writtenFlags } from '../run/command.ts'
import { lockFolder } from '../run/lock.ts'
import { howToRestore } from '../run/reports-folder.ts'
import { readSettings } from '../settings/configuration.ts'
import { type RawSettings, settings } from '../settings/settings.ts'
import { restoreFromJournal } from '../store/target.ts'
import { type UndoFile, undoFiles } from '../store/undo.ts'
import { addSettings, configurationFrom, givenSettings } from './flags.ts'
import { showStatus, timeLeft } from './judging.ts'

export function addRestore(command: Command): void {
  addSettings(command, 'restore')
    .addHelpText(
      'after',
      `
The journal has the address of the store. The key is that of the run.

Example:
  STORE_API_KEY=… npx --no-install store-conformance restore

Exit: 0 restored, or nothing to restore · 1 not all stock could be restored · 2 wrong usage or configuration
      4 unreachable, or the API key is refused`,
    )
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await restore(options)
    })
}

/** Pets that the output names. */
const SHOWN = 20

async function restore(options: Record<string, unknown>): Promise<number> {
  const given = givenSettings(options)
  const raw = readSettings(given, process.env, process.cwd()).given
  const { reportsDir = settings.reportsDir.schema.parse(undefined) } = raw
  if (existsSync(reportsDir))
    await lockFolder(reportsDir, 'Wait until it has ended: it restores what it has changed.')
  const files = undoFiles(reportsDir)
  const [other] = files
  if (!other) return nothingIn(reportsDir)
  const configuration = await configurationFrom({ ...given, ...storeOf(files, raw, reportsDir) })
  const { baseUrl, apiKey } = configuration
  const file = files.find(({ left }) => left.baseUrl === baseUrl)
  if (!file || baseUrl === undefined || apiKey === undefined) {
    const address = baseUrl === undefined ? '' : `, and none of a run on ${baseUrl}`
    throw new Misconfigured(
      `${other.path} is from a run on ${other.left.baseUrl}${address}. Nothing was sent. ${howToRestore(other.left, configuration)}`,
    )
  }
  if (configuration.readOnly)
    throw new Misconfigured(
      'STORE_READ_ONLY: restoring stock sends updates, which a read-only run does not send. Unset it to restore the stock. Nothing was sent.',
    )
  const { pets } = file.left
  const startedAt = performance.now()
  const outcome = await restoreFromJournal(
    { ...configuration, baseUrl, apiKey, undoPath: file.path, env: process.env },
    pets.map(({ petId }) => petId),
    done => showStatus(`${done} of ${pets.length} pets sent${timeLeft(startedAt, done, pets.length)}`),
  )
  showStatus()
  const say = (text: string) => process.stderr.write(`${printable(text)}\n`)
  if ('cause' in outcome) {
    say(`Nothing was restored: ${outcome.cause}. ${outcome.advice}`)
    return exitCodes.unreachable
  }
  const { problems, before } = outcome
  problems.slice(0, SHOWN).forEach(say)
  if (problems.length > SHOWN) say(`and ${problems.length - SHOWN} more pets; ${file.path} has them all`)
  if (problems.length > 0) return 1
  const shown = pets
    .slice(0, SHOWN)
    .map(({ petId, quantity }) => `pet ${petId} ${changeText(before.get(canonical(petId)), quantity)}`)
  const more = pets.length > SHOWN ? ` and ${pets.length - SHOWN} more` : ''
  process.stdout.write(`Restored, and checked in the list: ${shown.join(', ')}${more}.\n`)
  return 0
}

type Journals = readonly { readonly path: string; readonly left: UndoFile }[]

/** The settings that name the store of the journals. @throws {Misconfigured} if nothing says which of several stores is meant */
function storeOf(files: Journals, raw: RawSettings, reportsDir: string): RawSettings {
  const isStaging = raw.stagingApiKey !== undefined && !raw.apiKey && raw.apiKeyFile === undefined
  const target = raw.target ?? (isStaging ? 'staging' : 'base')
  const address = target === 'staging' ? 'stagingBaseUrl' : 'baseUrl'
  if (target === 'reference' || raw[address]) return { target }
  const [{ left: { baseUrl } = {} } = {}, ...others] = files
  if (others.length > 0)
    throw new Misconfigured(
      `${reportsDir} has the undo journals of several stores. Name one of them with --base-url: ${files.map(({ left }) => left.baseUrl).join(', ')}. Nothing was sent.`,
    )
  return { target, [address]: baseUrl }
}

/** @throws {Misconfigured} if a folder beside it has a journal, because that one was probably meant */
function nothingIn(reportsDir: string): number {
  const beside = foldersIn(join(reportsDir, '..')).flatMap(name => {
    const folder = join(reportsDir, '..', name)
    return hasJournal(folder)
      ? [`  npx --no-install store-conformance restore ${writtenFlags({ reportsDir: folder })}`]
      : []
  })
  const nothing = `there is no undo journal in ${reportsDir}`
  if (beside.length > 0)
    throw new Misconfigured(
      `Nothing was restored: ${nothing}, but there is one beside it. To restore what it lists:\n${beside.join('\n')}`,
    )
  process.stdout.write(`Nothing to restore: ${nothing}.\n`)
  return 0
}

function foldersIn(parent: string): string[] {
  try {
    return readdirSync(parent, { withFileTypes: true }).flatMap(each =>
      each.isDirectory() ? [each.name] : [],
    )
  } catch {
    return []
  }
}

/** Whether it lists stock to restore. One that cannot be read may do so. */
function hasJournal(folder: string): boolean {
  try {
    return undoFiles(folder).length > 0
  } catch (error) {
    return error instanceof Misconfigured
  }
}

const changeText = (before: string | undefined, after: string): string =>
  before === undefined || before === after ? `to ${after}` : `from ${before} to ${after}`
