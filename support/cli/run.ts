import type { Command } from 'commander'
import type { Configuration } from '../settings/configuration.ts'
import { readConfiguration } from '../settings/environment.ts'
import { nearest } from '../settings/nearest.ts'
import type { RawSettings } from '../settings/settings.ts'
import { addSettings, givenSettings, writtenFlags } from './flags.ts'
import { lockFolder } from './process/folder-lock.ts'
import { ensureNothingLeft, ensureWritable } from './reports-folder.ts'
import { mistakesText, UsageError } from './usage.ts'

/** @param names of all commands: the others may not have been loaded */
export function addRun(program: Command, names: readonly string[]): void {
  const command = program
    .command('run', { isDefault: true })
    .description(
      'judge a store: the bundled reference store, or the one that flags, environment or .env name',
    )
    // Commander takes an unknown command for an argument of this one.
    .argument('[unknown...]')
    .usage('[options]')
    .option('--verbose', 'print the rules that passed, too')
  addSettings(command)
    .addHelpText('after', HELP)
    .action(async (unknown: readonly string[], options: Record<string, unknown>) => {
      if (unknown.length > 0) throw new UsageError(unknownCommand(names, unknown[0] as string))
      process.exitCode = await run(options)
    })
}

function unknownCommand(names: readonly string[], word: string): string {
  const meant = nearest(word, names)
  return `There is no command ${JSON.stringify(word)}${meant ? `; is ${meant} meant?` : `, only ${names.join(', ')}.`} Flags begin with two dashes (--help).`
}

const HELP = `
Each flag is also a variable, in the environment or in .env (.env.example has them all); the API key is never a flag:
it is STORE_API_KEY, for staging STORE_STAGING_API_KEY.

Example:
  STORE_API_KEY=… store-conformance run --base-url https://store.example/v1 --pets 1,2

Exit: 0 conformant, or a partial selection that passed · 1 not conformant, or an expected failure is out of date
      2 wrong usage or configuration · 3 incomplete · 4 unreachable, or the API key is refused`

async function run(options: Record<string, unknown>): Promise<number> {
  const given = givenSettings(options)
  const configured = readConfiguration(given, process.env, process.cwd())
  if ('mistakes' in configured) {
    const { selectionMistakes } = await import('./selection-mistakes.ts')
    throw new UsageError(mistakesText([...configured.mistakes, ...selectionMistakes(given)]))
  }
  const { configuration } = configured
  ensureWritable(configuration.reportsDir)
  await lockFolder(configuration.reportsDir)
  ensureNothingLeft(configuration)
  for (const note of configuration.notes) process.stderr.write(`Note: ${note}\n`)
  // Loaded no sooner: help and mistakes come at once.
  const { judgeAndReport } = await import('./judge-and-report.ts')
  return judgeAndReport(configuration, {
    verbose: options['verbose'] === true,
    command: commandAgain(given, configuration),
  })
}

/**
 * What to type to judge the same target again, without the selection. It names the address also where that came from the
 * environment: typed elsewhere, the command would judge the reference store in its place.
 */
function commandAgain(given: RawSettings, { target, baseUrl }: Configuration): string {
  const { only: _only, skip: _skip, seed: _seed, ...flags } = given
  const address =
    target === 'base' ? { baseUrl } : target === 'staging' ? { target, stagingBaseUrl: baseUrl } : {}
  return ['npx store-conformance run', ...writtenFlags({ ...address, ...flags })].join(' ')
}
