import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type OpenRun, openRun } from '../embed/run.ts'
import { exitCodes } from '../judge/verdict.ts'
import type { Report } from '../report/report.ts'
import { headline, summaryText } from '../report/text/summary.ts'
import { SUITE_VERSION } from '../report/version.ts'
import { writeReports } from '../report/write.ts'
import type { Configuration } from '../target/configuration.ts'
import { readConfiguration } from '../target/environment.ts'
import { addSettings, givenSettings } from './flags.ts'
import { untilInterrupted } from './interrupt.ts'
import { progress } from './progress.ts'
import { explained, mistakesText, UsageError } from './usage.ts'

export function addRun(program: Command): void {
  const command = program
    .command('run', { isDefault: true })
    .description(
      'judge a store: the bundled reference store, or the one that flags, environment or .env name',
    )
    .option('--verbose', 'print the rules that passed, too')
  addSettings(command)
    .addHelpText('after', HELP)
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await explained(() => run(options))
    })
}

const HELP = `
Example:
  STORE_API_KEY=… store-conformance run --base-url https://store.example/v1 --pets 1,2

Exit: 0 conformant, or a partial selection that passed · 1 not conformant · 2 wrong usage or configuration
      3 incomplete · 4 unreachable, or the API key is refused`

async function run(options: Record<string, unknown>): Promise<number> {
  const configured = readConfiguration(givenSettings(options), process.env, process.cwd())
  if ('mistakes' in configured) throw new UsageError(mistakesText(configured.mistakes))
  const { configuration } = configured
  ensureWritable(configuration.reportsDir)
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
  process.stdout.write(`${text}${closing(report, configuration)}`)
  return exitCodes[report.verdict]
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
  }).catch((error: Error) => process.stderr.write(`allure-results are incomplete: ${error.message}\n`))
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

function hasColour(): boolean {
  if (process.env['NO_COLOR']) return false
  return process.env['FORCE_COLOR'] ? process.env['FORCE_COLOR'] !== '0' : process.stdout.isTTY === true
}
