import { join } from 'node:path'
import { exitCodes } from '../judge/verdict.ts'
import { writeAllureResults } from '../report/allure/results.ts'
import { annotations, appendJobSummary, inert } from '../report/github.ts'
import type { Report } from '../report/report.ts'
import { headline, summaryText } from '../report/text/summary.ts'
import { SUITE_VERSION } from '../report/version.ts'
import { removeReports, writeReports } from '../report/write.ts'
import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import { selectRules } from '../run/select-rules.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { draftExpectedFailures } from './draft-expected-failures.ts'
import { untilInterrupted } from './process/interrupt.ts'
import { strayErrorText } from './process/stray-error.ts'
import { progress } from './progress.ts'
import { UsageError, withUsageErrors } from './usage.ts'

interface Showing {
  readonly verbose: boolean
  /** The command that judges the same store again. */
  readonly command: string
  /** File for a draft of expected failures. */
  readonly draft: string | undefined
}

/** @returns the exit code of the verdict */
export async function judgeAndReport(
  configuration: Configuration,
  { verbose, command, draft }: Showing,
): Promise<number> {
  const report = await withUsageErrors(() =>
    untilInterrupted(
      signal => judge(configuration, { signal, command }),
      error => strayErrorText(error, configuration),
    ),
  )
  const written = write(report, configuration.reportsDir)
  const text = summaryText(report, { colour: hasColour(), verbose })
  show(report, `${text}${closing(report, configuration)}`)
  if (written instanceof Error) throw new UsageError(`The reports could not be written: ${written.message}`)
  if (draft !== undefined) process.stdout.write(draftExpectedFailures(report, draft))
  return exitCodes[report.verdict]
}

async function judge(
  configuration: Configuration,
  options: Pick<RunOptions, 'signal' | 'command'>,
): Promise<Report> {
  const undoPath = join(configuration.reportsDir, 'undo.json')
  // Throws for a selection without rules, before the earlier reports are removed.
  selectRules(configuration)
  removeEarlier(configuration.reportsDir)
  const open = await openRun(configuration, { undoPath, ...options })
  process.stdout.write(`${headlineOf(configuration, open)}\n\n`)
  if (!open.unreachable) {
    const bar = progress(open.selection.rules.length, configuration.gate)
    await open.judgeAll(bar.step)
    bar.end()
  }
  return open.finish()
}

/** @throws {UsageError} before anything is sent: a remaining report could be taken for the report of this run */
function removeEarlier(folder: string): void {
  try {
    removeReports(folder)
  } catch (error) {
    throw new UsageError(
      `The reports of an earlier run cannot be removed: ${(error as Error).message}. Remove them, or name another folder with --out. Nothing was sent.`,
    )
  }
}

/** Returns the error, so that the summary is printed even if the disk is full. */
function write(report: Report, folder: string): Error | undefined {
  try {
    writeReports(report, folder)
    if (report.verdict !== 'unreachable') writeAllureResults(report, storeServiceUnderTest.suites, folder)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Prints the summary. In GitHub Actions also writes annotations and the job summary. */
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

function headlineOf(configuration: Configuration, open: OpenRun): string {
  const { profile, gate, seed } = configuration
  const suite = { name: 'store-conformance', version: SUITE_VERSION } as const
  return open.target.redact(headline({ suite, ...targetOf(configuration, open), profile, gate, seed }))
}

const targetOf = (
  { target, storeName, storeVersion }: Configuration,
  open: OpenRun,
): Pick<Report, 'target' | 'store'> => ({
  target: {
    baseUrl: open.target.baseUrl,
    ...(target === 'reference' ? { reference: true } : {}),
  },
  store: {
    ...(storeName === undefined ? {} : { name: storeName }),
    ...(storeVersion === undefined ? {} : { version: storeVersion }),
  },
})

function closing(report: Report, { reportsDir }: Configuration): string {
  const count = report.rules.length
  return `${count} ${count === 1 ? 'rule' : 'rules'}, ${report.requests} requests, ${(report.durationMs / 1000).toFixed(1)} s. Reports: ${join(reportsDir, 'conformance.json')} and other formats.\n`
}

function hasColour(): boolean {
  if (process.env['NO_COLOR']) return false
  return process.env['FORCE_COLOR'] ? process.env['FORCE_COLOR'] !== '0' : process.stdout.isTTY === true
}
