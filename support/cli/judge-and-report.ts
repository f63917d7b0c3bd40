import { existsSync, writeFileSync } from 'node:fs'
import { isGating } from '../judge/gating.ts'
import { exitCodes } from '../judge/verdict.ts'
import { annotations, appendJobSummary } from '../report/github.ts'
import { SUITE_VERSION } from '../report/package-root.ts'
import type { Report } from '../report/report.ts'
import { closingLine, headline, summaryText } from '../report/text/summary.ts'
import { writeWorkflowCommands } from '../run/process/output.ts'
import { judgeWithReports } from '../run/reported-run.ts'
import type { OpenRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import { progress } from './progress.ts'
import { UsageError } from './usage.ts'

interface Showing {
  readonly verbose: boolean
  /** File for a draft of expected failures. */
  readonly draft: string | undefined
}

/** @returns the exit code of the verdict */
export async function judgeAndReport(
  configuration: Configuration,
  { verbose, draft }: Showing,
): Promise<number> {
  const { report, problem } = await judgeWithReports(configuration, {
    async begun(run) {
      process.stdout.write(`${headlineOf(configuration, run)}\n\n`)
      if (run.unreachable) return
      const bar = progress(run.selection.rules.length, configuration.gate)
      await run.judgeAll(bar.step)
      bar.end()
    },
  })
  const text = summaryText(report, { colour: hasColour(), verbose })
  show(report, `${text}${closingLine(report, configuration.reportsDir)}\n`)
  if (problem) throw problem
  if (draft !== undefined) process.stdout.write(draftExpectedFailures(report, draft))
  return exitCodes[report.verdict]
}

/** Prints the summary. In GitHub Actions also writes annotations and the job summary. */
function show(report: Report, text: string): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env
  process.stdout.write(text)
  if (GITHUB_ACTIONS !== 'true') return
  writeWorkflowCommands(annotations(report))
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

export function hasColour(): boolean {
  if (process.env['NO_COLOR']) return false
  return process.env['FORCE_COLOR'] ? process.env['FORCE_COLOR'] !== '0' : process.stdout.isTTY === true
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

/** @throws {UsageError} if the file exists: its reasons and owners would be lost */
export function ensureAbsent(file: string): void {
  if (existsSync(file))
    throw new UsageError(
      `${file} exists. Name another file with --write-expected-failures. Nothing was sent.`,
    )
}

/**
 * Writes an entry for each violated gating rule. A person has to fill in reason and owner: a run refuses the file without
 * them.
 */
function draftExpectedFailures(report: Report, file: string): string {
  const failed = report.rules.filter(rule => rule.outcome === 'failed' && isGating(rule, report.gate))
  if (failed.length === 0) return `No gating rule failed, so ${file} is not written.\n`
  const expires = new Date(Date.parse(report.startedAt) + 3 * MONTH_MS).toISOString().slice(0, 10)
  const entries = failed.map(
    ({ id, operation, title }) =>
      `# ${title}\n- rule: ${id}\n  operation: ${operation}\n  reason:\n  owner:\n  expires: ${expires}\n`,
  )
  const head =
    '# Accepted failures. Fill in each reason and owner, then pass the file with --expected-failures.\n'
  try {
    writeFileSync(file, [head, ...entries].join('\n'), { flag: 'wx' })
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
  const count = failed.length === 1 ? '1 failure' : `${failed.length} failures`
  return `${count} drafted in ${file}: fill in each reason and owner.\n`
}
