import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { redactorFor } from '../access/credential.ts'
import { canonical } from '../http/decimal.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import { howToRestore, lockFolder } from '../run/reports-folder.ts'
import { changeText } from '../store/named-stock.ts'
import { restoreFromJournal } from '../store/target.ts'
import { undoFiles } from '../store/undo.ts'
import { addSettings, configurationFrom, givenSettings } from './flags.ts'
import { showStatus, timeLeft } from './judging.ts'

export function addRestore(command: Command): void {
  addSettings(command, 'restore')
    .addHelpText(
      'after',
      `
Example:
  STORE_API_KEY=… npx store-conformance restore --base-url https://store.example/v1

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
  // Without an address, a message names the one of the journal.
  const configuration = await configurationFrom({ orReference: 'true', ...givenSettings(options) })
  const { baseUrl, apiKey, reportsDir } = configuration
  // A run in progress restores by itself what it has changed.
  if (existsSync(reportsDir)) await lockFolder(reportsDir)
  const files = undoFiles(reportsDir)
  const file = files.find(({ left }) => left.baseUrl === baseUrl)
  const [other] = files
  if (!other) {
    process.stdout.write(`Nothing to restore: there is no undo journal in ${reportsDir}.\n`)
    return 0
  }
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
  // A problem may quote the store.
  const redact = redactorFor(configuration)
  const say = (text: string) => process.stderr.write(`${printable(redact(text))}\n`)
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
