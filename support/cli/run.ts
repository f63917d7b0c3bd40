import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { nearest } from '../embed/nearest.ts'
import { type OpenRun, openRun } from '../embed/run.ts'
import { exitCodeOf } from '../judge/verdict.ts'
import { annotations, appendJobSummary, inert } from '../report/github.ts'
import type { Report } from '../report/report.ts'
import { headline, summaryText } from '../report/text/summary.ts'
import { SUITE_VERSION } from '../report/version.ts'
import { writeReports } from '../report/write.ts'
import type { Configuration } from '../target/configuration.ts'
import { readConfiguration } from '../target/environment.ts'
import { addSettings, givenSettings } from './flags.ts'
import { untilInterrupted } from './interrupt.ts'
import { progress } from './progress.ts'
import { explained, leftBehind, mistakesText, UsageError } from './usage.ts'

export function addRun(program: Command): void {
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
      if (unknown.length > 0) throw new UsageError(unknownCommand(program, unknown[0] as string))
      process.exitCode = await explained(() => run(options))
    })
}

function unknownCommand({ commands }: Command, word: string): string {
  const names = commands.map(command => command.name())
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
  const configured = readConfiguration(givenSettings(options), process.env, process.cwd())
  if ('mistakes' in configured) throw new UsageError(mistakesText(configured.mistakes))
  const { configuration } = configured
  ensureWritable(configuration.reportsDir)
  ensureNothingLeft(configuration)
  for (const note of configuration.notes) process.stderr.write(`Note: ${note}\n`)

  const report = await untilInterrupted(async signal => {
    const undoPath = join(configuration.reportsDir, 'undo.json')
    const open = await openRun(configuration, { undoPath, signal })
    process.stdout.write(`${headlineOf(configuration, open)}\n\n`)
    if (!open.unreachable) await judgeAll(open, configuration)
    return open.finish()
  })

  writeReports(report, configuration.reportsDir)
  const text = summaryText(report, {
    colour: hasColour(),
    verbose: options['verbose'] === true,
    command: commandAgain(configuration),
  })
  show(report, `${text}${closing(report, configuration)}`)
  return exitCodeOf(report.verdict, report.expectedFailures)
}

/** In GitHub Actions also as annotations, and on the page of the run. */
function show(report: Report, text: string): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env
  if (GITHUB_ACTIONS !== 'true') {
    process.stdout.write(text)
    return
  }
  process.stdout.write(`${inert(text)}${annotations(report)}`)
  const problem = GITHUB_STEP_SUMMARY ? appendJobSummary(report, GITHUB_STEP_SUMMARY) : undefined
  if (problem) process.stderr.write(`Note: ${problem}\n`)
}

/** Judges at once, while Vitest is still starting; Vitest then shows what the run has found. */
async function judgeAll(open: OpenRun, configuration: Configuration): Promise<void> {
  const { driveVitest } = await import('../vitest/drive.ts')
  const bar = progress(open.selection.rules.length)
  const judged = open.judgeAll(bar.step)
  const shown = driveVitest(open, configuration.gate, {
    resultsDir: join(configuration.reportsDir, 'allure-results'),
    environment: {
      Store: open.target.baseUrl,
      Profile: configuration.profile,
      Gate: configuration.gate,
      Seed: String(configuration.seed),
      Suite: SUITE_VERSION,
    },
  }).catch((error: Error) =>
    process.stderr.write(`allure-results are incomplete: ${open.target.redact(error.message)}\n`),
  )
  await judged
  bar.end()
  await shown
}

function headlineOf({ profile, gate, seed }: Configuration, { target }: OpenRun): string {
  return headline({
    suite: { name: 'store-conformance', version: SUITE_VERSION },
    target: { baseUrl: target.redact(target.baseUrl) },
    profile,
    gate,
    seed,
  })
}

function closing(report: Report, { reportsDir }: Configuration): string {
  return `${report.rules.length} rules, ${report.requests} requests, ${(report.durationMs / 1000).toFixed(1)} s. Reports: ${join(reportsDir, 'conformance.json')} and beside it.\n`
}

/** What to type to judge the same target again. */
function commandAgain({ target, baseUrl }: Configuration): string {
  if (target === 'reference') return 'npx store-conformance run --target reference'
  return `npx store-conformance run --target ${target} ${target === 'staging' ? '--staging-base-url' : '--base-url'} ${baseUrl}`
}

/** @throws {UsageError} before anything is sent: a run whose stock can't be put on disk must not change any */
function ensureWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `${folder} cannot be written to (${code}); name another folder with --out. Nothing was sent.`,
    )
  }
}

/**
 * What a killed run left behind is put back by a run on the same store that changes the same pets, or by restore; a run on another
 * store would write its own file in that place.
 */
function ensureNothingLeft({ reportsDir, baseUrl }: Configuration): void {
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

function hasColour(): boolean {
  if (process.env['NO_COLOR']) return false
  return process.env['FORCE_COLOR'] ? process.env['FORCE_COLOR'] !== '0' : process.stdout.isTTY === true
}
