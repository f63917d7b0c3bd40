import type { KeyObject } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { CERTIFICATE, writeCertificate } from './sign.ts'
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
  const { profile, gate, seed, target, storeName: name, storeVersion: version } = configuration
  const reference = target === 'reference' ? { reference: true as const } : {}
  let run: OpenRun | undefined
  const { report, folder, problem } = await reportedRun(configuration, {
    // That of an earlier run could be taken for the one of this run.
    entered: folder => key && rmSync(join(folder, CERTIFICATE), { force: true }),
    begun(begun) {
      run = begun
      const { baseUrl } = begun.target
      const suite = { name: 'store-conformance', version: SUITE_VERSION } as const
      const judged = { suite, target: { baseUrl, ...reference }, store: { name, version } }
      say(notYours(configuration))
      say(headline({ ...judged, profile, gate, seed }))
      process.stdout.write('\n')
    },
    progress: progressShown(),
  }).finally(() => showStatus())
  const options = { colour: hasColour(), width: columns(), whole: verbose === true }
  process.stdout.write(summaryText(report, options))
  say(closingLine(report, folder))
  if (process.env['GITHUB_ACTIONS'] === 'true') tellGitHub(report)
  if (problem) throw problem
  if (draft !== undefined) process.stdout.write(draftExpectedFailures(report, draft))
  const isCertified = !key || !run || writeCertificate(report, run, key, folder)
  say(notYours(configuration))
  return exitCodes[report.verdict] || (isCertified ? 0 : exitCodes.incomplete)
}

/** Prints a line, wrapped at words. */
function say(text: string): void {
  if (text !== '') process.stdout.write(`${terminal(paragraph(text), { width: columns() })}\n`)
}

function tellGitHub(report: Report): void {
  writeWorkflowCommands(annotations(report))
  const { GITHUB_STEP_SUMMARY: path } = process.env
  const problem = path ? appendJobSummary(report, path) : undefined
  if (problem) process.stderr.write(`Note: ${problem}\n`)
}

function hasColour(): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env
  if (NO_COLOR) return false
  return FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY === true
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000
const HEAD =
  '# Accepted failures. Fill in each reason and owner, then pass the file with --expected-failures.\n'

/** Writes an entry for each violated gating rule. A person has to fill in reason and owner: a run refuses the file without them. */
function draftExpectedFailures({ rules, gate, startedAt }: Report, file: string): string {
  const failed = rules.filter(rule => rule.outcome === 'failed' && isGating(rule, gate))
  if (failed.length === 0) return `No gating rule failed, so ${file} is not written.\n`
  const expires = new Date(Date.parse(startedAt) + 3 * MONTH_MS).toISOString().slice(0, 10)
  const entries = failed.map(
    ({ id, operation, title }) =>
      `# ${title}\n- rule: ${id}\n  operation: ${operation}\n  reason:\n  owner:\n  expires: ${expires}\n`,
  )
  try {
    writeFileSync(file, [HEAD, ...entries].join('\n'), { flag: 'wx' })
  } catch (error) {
    throw new Misconfigured(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
  return `${plural(failed.length, 'failure')} drafted in ${file}: fill in each reason and owner.\n`
}
