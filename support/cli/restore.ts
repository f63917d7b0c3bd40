import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { redactorFor } from '../access/secrets.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import { lockFolder } from '../run/process/folder-lock.ts'
import { leftBehind } from '../run/reports-folder.ts'
import { readConfiguration } from '../settings/environment.ts'
import { mistakesText } from '../settings/mistake.ts'
import { addSettings, givenSettings } from './flags.ts'
import { UsageError } from './usage.ts'

export function addRestore(command: Command): void {
  addSettings(command, 'restore')
    .addHelpText(
      'after',
      `
Example:
  STORE_API_KEY=… store-conformance restore --base-url https://store.example/v1

Exit: 0 restored, or nothing to restore · 1 not all stock could be restored · 2 wrong usage or configuration
      4 unreachable, or the API key is refused`,
    )
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await restore(options)
    })
}

async function restore(options: Record<string, unknown>): Promise<number> {
  const configured = readConfiguration(givenSettings(options), process.env, process.cwd())
  if ('mistakes' in configured) throw new UsageError(mistakesText(configured.mistakes))
  const { baseUrl, apiKey, reportsDir, timeoutMs, rate, headers, identity } = configured.configuration
  const path = join(reportsDir, 'undo.json')
  // A run in progress restores by itself what it has changed.
  if (existsSync(reportsDir)) await lockFolder(reportsDir)
  const left = leftBehind(path)
  if (!left) {
    process.stdout.write(`Nothing to restore: there is no ${path}.\n`)
    return 0
  }
  if (baseUrl === undefined || apiKey === undefined) {
    throw new UsageError(
      `${path} is from a run on ${left.baseUrl}. Name that store with --base-url, and its key in STORE_API_KEY.`,
    )
  }
  if (left.baseUrl !== baseUrl) {
    throw new UsageError(`${path} is from a run on ${left.baseUrl}, not ${baseUrl}. Nothing was sent.`)
  }
  const { restoreFromJournal } = await import('../access/restore.ts')
  const outcome = await restoreFromJournal(
    { baseUrl, apiKey, timeoutMs, rate, headers, identity, undoPath: path, env: process.env },
    left.pets.map(({ petId }) => petId),
  )
  // A problem may quote the store.
  const redact = redactorFor(configured.configuration)
  const say = (text: string) => process.stderr.write(`${printable(redact(text))}\n`)
  if ('cause' in outcome) {
    say(`Nothing was restored: ${outcome.cause}. ${outcome.advice}`)
    return exitCodes.unreachable
  }
  outcome.forEach(say)
  if (outcome.length > 0) return 1
  process.stdout.write(
    `Restored, and checked in the list: ${left.pets.map(({ petId, quantity }) => `pet ${petId} to ${quantity}`).join(', ')}.\n`,
  )
  return 0
}
