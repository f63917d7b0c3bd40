import type { Command } from 'commander'
import { mistakesText, nearest } from '../settings/mistake.ts'
import { settings } from '../settings/settings.ts'
import { addSettings, givenSettings } from './flags.ts'
import { UsageError } from './usage.ts'

export function addRun(command: Command): void {
  command
    // Commander passes an unknown command as an argument of the default command.
    .argument('[unknown...]')
    .usage('[options]')
    .option('--verbose', 'also print the rules that passed')
    .option('--failed <report>', 'judge again what did not pass in this conformance.json, or its folder')
    .option('--watch [path]', 'judge again when the store restarts or the path changes')
    .option('--repeat <times>', 'judge several times, and report outcomes that differ')
    .option('--write-expected-failures <file>', 'draft a file of the failures, for --expected-failures')
  addSettings(command, 'run')
    .addHelpText('after', HELP)
    .action(async (unknown: readonly string[], options: Record<string, unknown>) => {
      if (unknown.length > 0)
        throw new UsageError(unknownCommand(unknown[0] as string, command.parent?.commands ?? []))
      process.exitCode = await run(options)
    })
}

function unknownCommand(word: string, commands: readonly Command[]): string {
  const names = commands.map(each => each.name())
  const meant = nearest(word, names)
  const hint = meant ? `Did you mean ${meant}?` : `The commands are ${names.join(', ')}.`
  // The word may be a key, so it is not printed.
  return `There is no such command. ${hint} Flags begin with two dashes (--help).`
}

const HELP = `
Each flag is also a variable, in the environment or in .env (see .env.example). The API key is never a flag: set
STORE_API_KEY, for staging STORE_STAGING_API_KEY.

Example:
  STORE_API_KEY=… npx store-conformance run --base-url https://store.example/v1 --pets 1,2

Exit: 0 conformant, or a partial selection that passed · 1 not conformant, or an expected failure is out of date
      2 wrong usage or configuration · 3 incomplete · 4 unreachable, or the API key is refused`

/** Flags of this command only. They are not settings, so programs cannot give them to `judge`. */
interface OwnFlags {
  readonly verbose?: true
  readonly failed?: string
  readonly repeat?: string
  readonly watch?: string | true
  readonly writeExpectedFailures?: string
}

async function run(options: Record<string, unknown> & OwnFlags): Promise<number> {
  const { failed, repeat, watch, writeExpectedFailures } = options
  const asGiven = givenSettings(options)
  if (failed !== undefined && asGiven.only !== undefined)
    throw new UsageError('--failed and --only both select rules; give one of them. Nothing was sent.')
  if (repeat !== undefined && !/^[1-9][0-9]{0,3}$/.test(repeat))
    throw new UsageError(`--repeat ${JSON.stringify(repeat)} is not a whole number from 1 to 9999`)
  if (watch !== undefined && (repeat !== undefined || writeExpectedFailures !== undefined))
    throw new UsageError(
      '--watch cannot be used with --repeat or --write-expected-failures. Nothing was sent.',
    )
  const given = failed === undefined ? asGiven : { ...asGiven, only: await notPassedIn(failed) }
  // Loaded when needed, so that help and mistakes are printed at once.
  const { readConfiguration } = await import('../settings/environment.ts')
  const configured = readConfiguration(given, process.env, process.cwd())
  if ('mistakes' in configured) {
    const { ruleMistakes } = await import('../run/select-rules.ts')
    const [only, skip] = [given.only, given.skip].map(text => settings.only.schema.safeParse(text).data)
    const chosen = { ...(given.profile === undefined ? {} : { profile: given.profile }), only, skip }
    throw new UsageError(mistakesText([...configured.mistakes, ...ruleMistakes(chosen)]))
  }
  const { configuration } = configured
  const [{ ensureAbsent, judgeAndReport }, { enterFolder }] = await Promise.all([
    import('./judge-and-report.ts'),
    import('../run/reported-run.ts'),
  ])
  await enterFolder(configuration)
  for (const note of configuration.notes) process.stderr.write(`Note: ${note}\n`)
  if (writeExpectedFailures !== undefined) ensureAbsent(writeExpectedFailures)
  if (repeat !== undefined)
    return (await import('./repeat.ts')).judgeRepeatedly(configuration, Number(repeat))
  if (watch !== undefined) {
    const { judgeOnEachChange } = await import('./watch.ts')
    return judgeOnEachChange(configuration, watch === true ? undefined : watch)
  }
  return judgeAndReport(configuration, {
    verbose: options.verbose === true,
    draft: writeExpectedFailures,
  })
}

/** The rules of a report that failed, could not be determined or were untested. */
async function notPassedIn(path: string): Promise<string> {
  const [{ readAll }, { storeServiceUnderTest }, { allRules }] = await Promise.all([
    import('./compare.ts'),
    import('../run/store-service.ts'),
    import('../judge/interface.ts'),
  ])
  const [report] = readAll([path])
  const known = new Set(allRules(storeServiceUnderTest).map(({ id }) => id))
  const ids = report?.rules
    .filter(({ id, outcome }) => !['passed', 'inapplicable'].includes(outcome) && known.has(id))
    .map(({ id }) => id)
  if (ids && ids.length > 0) return ids.join(',')
  throw new UsageError(`Every rule in ${path} passed, so there is nothing to judge again. Nothing was sent.`)
}
