import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { exitCodes, Misconfigured } from '../interface/verdict.ts'
import { printable } from '../report/printable.ts'
import { writtenFlags } from '../run/command.ts'
import { lockFolder } from '../run/lock.ts'
import { howToRestore } from '../run/reports-folder.ts'
import { readSettings } from '../settings/configuration.ts'
import type { RawSettings } from '../settings/settings.ts'
import { restoreFromJournal } from '../target/restore.ts'
import { undoFiles } from '../target/undo.ts'
import { addSettings, configurationFrom, givenSettings } from './flags.ts'

export function add(command: Command): void {
  addSettings(command, 'restore')
    .addHelpText('after', HELP)
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await restore(givenSettings(options))
    })
}

const HELP = `
The journal has the address of the store. The key is that of the run.

Example:
  STORE_API_KEY=… npx --no-install store-conformance restore

Exit: 0 restored, or nothing to restore · 1 not all stock could be restored · 2 wrong usage or configuration
      4 unreachable, or the API key is refused`

async function restore(given: RawSettings): Promise<number> {
  const raw = readSettings(given, process.env, process.cwd()).given
  const { reportsDir = 'reports' } = raw
  if (existsSync(reportsDir))
    await lockFolder(reportsDir, 'Wait until it has ended: it restores what it has changed.')
  const files = undoFiles(reportsDir)
  const [other] = files
  if (!other) return nothingIn(reportsDir)
  const configuration = configurationFrom({ ...given, ...storeOf(files, raw, reportsDir) })
  const { baseUrl, apiKey, readOnly } = configuration
  const file = files.find(({ left }) => left.baseUrl === baseUrl)
  if (!file || baseUrl === undefined || apiKey === undefined) {
    const address = baseUrl === undefined ? '' : `, and none of a run on ${baseUrl}`
    throw new Misconfigured(
      `${other.path} is from a run on ${other.left.baseUrl}${address}. Nothing was sent. ${howToRestore(other.left, configuration)}`,
    )
  }
  if (readOnly)
    throw new Misconfigured('STORE_READ_ONLY: restoring stock sends updates. Unset it. Nothing was sent.')
  const undoPath = file.path
  const outcome = await restoreFromJournal({ ...configuration, baseUrl, apiKey, undoPath, env: process.env })
  const say = (text: string) => process.stderr.write(`${printable(text)}\n`)
  if ('cause' in outcome) {
    say(`Nothing was restored: ${outcome.cause}. ${outcome.advice}`)
    return exitCodes.unreachable
  }
  outcome.problems.forEach(say)
  if (outcome.problems.length > 0) return 1
  const restored = outcome.restored.map(({ petId, change }) => `pet ${petId} ${change}`)
  process.stdout.write(`Restored, and checked in the list: ${restored.join(', ')}.\n`)
  return 0
}

/** The settings that name the store of the journals. @throws {Misconfigured} if nothing says which of several stores is meant */
function storeOf(files: ReturnType<typeof undoFiles>, raw: RawSettings, reportsDir: string): RawSettings {
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
  const parent = join(reportsDir, '..')
  const beside = (existsSync(parent) ? readdirSync(parent) : []).map(name => join(parent, name))
  const flags = beside.flatMap(folder =>
    existsSync(join(folder, 'undo.json')) ? writtenFlags({ reportsDir: folder }) : [],
  )
  const nothing = `there is no undo journal in ${reportsDir}`
  if (flags.length > 0)
    throw new Misconfigured(
      `Nothing was restored: ${nothing}, but there is one beside it. To restore what it lists:\n${flags.map(each => `  npx --no-install store-conformance restore ${each}`).join('\n')}`,
    )
  process.stdout.write(`Nothing to restore: ${nothing}.\n`)
  return 0
}
