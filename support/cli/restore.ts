import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { exitCodes, Misconfigured } from '../interface/verdict.ts'
import { printable } from '../report/document.ts'
import { lockFolder } from '../run/reported-run.ts'
import { type Configuration, readConfiguration, readSettings } from '../settings/configuration.ts'
import { type RawSettings, writtenFlags } from '../settings/settings.ts'
import { restoreStock, undoFiles } from '../target/undo.ts'
import { addSettings, givenSettings } from './flags.ts'

export function add(command: Command): void {
  addSettings(command, 'restore')
    .addHelpText('after', HELP)
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await restore(givenSettings(options))
    })
}

const HELP = `
The journal has the address of the store. The key is that of the run.

Exit: 0 restored, or nothing to restore · 1 not all stock could be restored · 2 wrong usage or configuration
      4 unreachable, or the API key is refused`

async function restore(given: RawSettings): Promise<number> {
  const raw = readSettings(given).given
  const { reportsDir = 'reports' } = raw
  if (existsSync(reportsDir))
    await lockFolder(reportsDir, 'Wait until it has ended: it restores what it has changed.')
  const files = undoFiles(reportsDir)
  const [first] = files
  if (!first) {
    process.stdout.write(
      `Nothing to restore in ${reportsDir}. After a run with --out, give the same folder.\n`,
    )
    return 0
  }
  const isStagingKey = raw.stagingApiKey !== undefined && !raw.apiKey && raw.apiKeyFile === undefined
  const isStaging = isStagingKey || raw.stagingBaseUrl === first.baseUrl
  const target = raw.target ?? (isStaging ? 'staging' : 'base')
  const address = target === 'staging' ? 'stagingBaseUrl' : 'baseUrl'
  const isNamed = raw[address] || target === 'reference'
  const store = isNamed ? { target } : { target, [address]: first.baseUrl }
  // A file of expected failures that is out of date must not keep the stock changed.
  const env = { ...process.env, STORE_EXPECTED_FAILURES: undefined }
  const configuration = readConfiguration({ ...given, ...store }, { env })
  const { baseUrl = 'the reference store', apiKey = '', readOnly } = configuration
  // The key is that of one store, and must not be sent to another one.
  const isChosen = isNamed || files.every(each => each.baseUrl === baseUrl)
  const own = isChosen ? files.filter(each => each.baseUrl === baseUrl) : []
  const ofOthers = files
    .filter(each => !own.includes(each))
    .map(
      ({ path, baseUrl }) => `${path} is from a run on ${baseUrl}. ${howToRestore(baseUrl, configuration)}`,
    )
  if (own.length === 0) throw new Misconfigured(`Nothing was sent.\n${ofOthers.join('\n')}`)
  if (readOnly)
    throw new Misconfigured('STORE_READ_ONLY: restoring stock sends updates. Unset it. Nothing was sent.')
  const say = (text: string) => process.stderr.write(`${printable(text)}\n`)
  for (const each of ofOthers) process.stderr.write(`${each}\n`)
  for (const left of own) {
    const outcome = await restoreStock({ ...configuration, baseUrl, apiKey, env: process.env }, left)
    if ('cause' in outcome) {
      say(`Nothing was restored: ${outcome.cause}. ${outcome.advice}`)
      return exitCodes.unreachable
    }
    const problems = outcome.flatMap(({ problem }) => problem ?? [])
    problems.forEach(say)
    if (problems.length > 0) return 1
    const restored = outcome.map(({ petId, was, quantity }) => `pet ${petId} from ${was} to ${quantity}`)
    process.stdout.write(`Restored, and checked in the list: ${restored.join(', ')}.\n`)
  }
  return 0
}

function howToRestore(baseUrl: string, { target, reportsDir }: Configuration): string {
  const isStaging = target === 'staging'
  const address = isStaging ? { target, stagingBaseUrl: baseUrl } : { target: 'base', baseUrl }
  const key = isStaging ? 'STORE_STAGING_API_KEY' : 'STORE_API_KEY'
  const flags = writtenFlags({ ...address, reportsDir }).join(' ')
  return `To restore it, with the key of that store in ${key}:\n  npx --no-install store-conformance restore ${flags}`
}
