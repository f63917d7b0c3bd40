import type { KeyObject } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes, isGating } from '../judge/verdict.ts'
import { paragraph } from '../report/document.ts'
import { summaryText } from '../report/formats.ts'
import { annotations, appendJobSummary } from '../report/github.ts'
import { SUITE_VERSION } from '../report/package-root.ts'
import type { Report } from '../report/report.ts'
import { terminal } from '../report/terminal.ts'
import { closingLine, headline, notYours, plural } from '../report/words.ts'
import { writeWorkflowCommands } from '../run/process/output.ts'
import { reportedRun } from '../run/reported-run.ts'
import type { OpenRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import { columns } from './flags.ts'
import { removeCertificate, writeCertificate } from './sign.ts'
import { progressShown, showStatus } from './status.ts'

/** Flags that are not settings, so programs cannot give them to `judge`. */
export interface JudgeFlags {
  readonly verbose?: true
  readonly writeExpectedFailures?: string
}

/** Judges a store, and writes and prints the reports. @param key signs a certificate of the run @returns the exit code */
export async function judgeAndReport(
  configuration: Configuration,
  { verbose, writeExpectedFailures: draft }: JudgeFlags,
  key?: KeyObject,
): Promise<number> {
  // Its reasons and owners would be lost.
  if (draft !== undefined && existsSync(draft))
    throw new Misconfigured(
      `${draft} exists. Name another file with --write-expected-failures. Nothing was sent.`,
    )
  let run: OpenRun | undefined
  const { report, folder, problem } = await reportedRun(configuration, {
    entered: folder => key && removeCertificate(folder),
    begun(begun) {
      run = begun
      say(notYours(configuration))
      say(headlineOf(configuration, begun))
      process.stdout.write('\n')
    },
    progress: progressShown(),
  }).finally(() => showStatus())
  show(report, folder, verbose === true)
  if (problem) throw problem
  if (draft !== undefined) process.stdout.write(draftExpectedFailures(report, draft))
  const isCertified = !key || !run || writeCertificate(report, run, key, folder)
  say(notYours(configuration))
  return exitCodes[report.verdict] || (isCertified ? 0 : exitCodes.incomplete)
}

function headlineOf({ profile, gate, seed, target, storeName, storeVersion }: Configuration, open: OpenRun) {
  const { baseUrl } = open.target
  return headline({
    suite: { name: 'store-conformance', version: SUITE_VERSION },
    target: { baseUrl, ...(target === 'reference' ? { reference: true } : {}) },
    store: { name: storeName, version: storeVersion },
    ...{ profile, gate, seed },
  })
}

/** Prints a line, wrapped at words. */
function say(text: string): void {
  if (text !== '') process.stdout.write(`${terminal(paragraph(text), { width: columns() })}\n`)
}

/** Prints the summary. In GitHub Actions also writes annotations and the job summary. @param whole whether it prints everything */
function show(report: Report, folder: string, whole: boolean): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env
  process.stdout.write(summaryText(report, { colour: hasColour(), width: columns(), whole }))
  say(closingLine(report, folder))
  if (GITHUB_ACTIONS !== 'true') return
  writeWorkflowCommands(annotations(report))
  const problem = GITHUB_STEP_SUMMARY ? appendJobSummary(report, GITHUB_STEP_SUMMARY) : undefined
  if (problem) process.stderr.write(`Note: ${problem}\n`)
}

function hasColour(): boolean {
  if (process.env['NO_COLOR']) return false
  return process.env['FORCE_COLOR'] ? process.env['FORCE_COLOR'] !== '0' : process.stdout.isTTY === true
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

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
    throw new Misconfigured(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
  return `${plural(failed.length, 'failure')} drafted in ${file}: fill in each reason and owner.\n`
}
