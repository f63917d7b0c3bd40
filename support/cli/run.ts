import type { KeyObject } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { Refused } from '../certificate/archive.ts'
import { certificateOf, verifyCertificate } from '../certificate/certificate.ts'
import { fingerprint } from '../certificate/statement.ts'
import { cellKey } from '../interface/description.ts'
import { exitCodes, isGating, Misconfigured } from '../interface/verdict.ts'
import { printable, terminal } from '../report/document.ts'
import { reportMarkdown, summaryText } from '../report/formats.ts'
import { annotations, appendJobSummary } from '../report/github.ts'
import { type Report, readReport, SUITE_VERSION } from '../report/report.ts'
import { closingLine, count, headline, notYours, plural } from '../report/words.ts'
import { writeWhole } from '../report/write.ts'
import { writeWorkflowCommands } from '../run/process.ts'
import { reportedRun } from '../run/reported-run.ts'
import type { OpenRun, Progress } from '../run/run.ts'
import { type Configuration, type Mistake, readConfiguration } from '../settings/configuration.ts'
import { allRules } from '../settings/selection.ts'
import type { RawSettings } from '../settings/settings.ts'
import { shellWord } from '../wire/curl.ts'
import { addSettings, columns, givenSettings, MORE, showStatus } from './flags.ts'
import { readKey } from './verify.ts'

export function add(command: Command): void {
  const more = (flags: string, about: string) => command.addOption(new Option(flags, about).helpGroup(MORE))
  addSettings(command, 'run', 'https://store.example/v1 --pets 1,2')
  more('--verbose', 'print everything')
  more('--failed <report>', 'judge what did not pass in this conformance.json, or its folder')
  more('--write-expected-failures <file>', 'draft a file of the failures, for --expected-failures')
  more('--sign <key>', 'write certificate.zip, signed with this private key (PEM)')
  command
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: OwnFlags & Record<string, unknown>) => {
      process.exitCode = await run(givenSettings(options, url), options)
    })
}

const HELP = `
Exit: 0 conformant, or a partial selection that passed · 1 not conformant, or an expected failure is out of date
      2 wrong usage or configuration · 3 incomplete · 4 unreachable, or the API key is refused`

/** Flags that are not settings, so programs cannot give them to `judge`. */
interface OwnFlags {
  readonly verbose?: true
  readonly failed?: string
  readonly writeExpectedFailures?: string
  /** Path of the private key. */
  readonly sign?: string
}

async function run(given: RawSettings, options: OwnFlags): Promise<number> {
  const { failed, sign, writeExpectedFailures: draft } = options
  if (failed !== undefined && given.only !== undefined)
    throw new Misconfigured('--failed and --only both select rules; give one of them. Nothing was sent.')
  const mistakes: Mistake[] = []
  const only = failed === undefined ? given.only : readFlag('--failed', mistakes, () => notPassedIn(failed))
  const key = sign === undefined ? undefined : readFlag('--sign', mistakes, () => readKey('private', sign))
  const configuration = readConfiguration({ ...given, only }, {}, mistakes)
  // Its reasons and owners would be lost.
  if (draft !== undefined && existsSync(draft))
    throw new Misconfigured(
      `${draft} exists. Name another file with --write-expected-failures. Nothing was sent.`,
    )
  return judgeAndReport(configuration, options, key)
}

/** What a flag that is not a setting names. If it cannot be used, that is added to the mistakes. */
function readFlag<Value>(flag: string, mistakes: Mistake[], read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error
    mistakes.push({ setting: flag, problem: error.message })
    return undefined
  }
}

/** The rules of a report that failed, could not be determined or were untested. */
function notPassedIn(path: string): string {
  const known = new Set(allRules.map(cellKey))
  const all = readReport(path).rules.filter(({ outcome }) => !['passed', 'inapplicable'].includes(outcome))
  const ids = all.flatMap(each => (known.has(cellKey(each)) ? [`${each.id}/${each.operation}`] : []))
  if (ids.length > 0) return ids.join(',')
  throw new Misconfigured(
    all.length === 0
      ? `Every rule in ${path} passed, so there is nothing to judge again.`
      : `This version of the suite has none of the rules that did not pass in ${path}. Judge all rules, without --failed.`,
  )
}

/** Judges a store, and writes and prints the reports. @param key signs a certificate of the run @returns the exit code */
async function judgeAndReport(
  configuration: Configuration,
  { verbose, writeExpectedFailures: draft }: OwnFlags,
  key?: KeyObject,
): Promise<number> {
  const { profile, gate, seed, target, storeName: name, storeVersion: version } = configuration
  const reference = target === 'reference' ? { reference: true as const } : {}
  const begun = (baseUrl: string, folder: string): void => {
    // That of an earlier run could be taken for the one of this run.
    if (key) rmSync(join(folder, CERTIFICATE), { force: true })
    const suite = { name: 'store-conformance', version: SUITE_VERSION } as const
    const judged = { suite, target: { baseUrl, ...reference }, store: { name, version } }
    say(notYours(configuration))
    say(headline({ ...judged, profile, gate, seed }))
    process.stdout.write('\n')
  }
  const { report, run, folder, problem } = await reportedRun(configuration, begun, progressShown()).finally(
    () => showStatus(),
  )
  const options = { colour: hasColour(), width: columns(), whole: verbose === true }
  process.stdout.write(summaryText(report, options))
  say(closingLine(report, folder))
  if (process.env['GITHUB_ACTIONS'] === 'true') tellGitHub(report)
  if (problem) throw problem
  if (draft !== undefined) process.stdout.write(draftExpectedFailures(report, draft))
  const isCertified = !key || writeCertificate(report, run, key, folder)
  say(notYours(configuration))
  return exitCodes[report.verdict] || (isCertified ? 0 : exitCodes.incomplete)
}

/** Milliseconds between two lines about the progress, where there is no terminal. */
const SELDOM = 10_000

/** Shows how far a run is: `wrong keys, 212 of about 1,200 requests, about 9 s left`. */
function progressShown(): (progress: Progress) => void {
  const startedAt = performance.now()
  let printedAt = startedAt
  return ({ title, requests, of }) => {
    const now = performance.now()
    const seconds = Math.round((((now - startedAt) / requests) * (of - requests)) / 1000)
    const left = seconds >= 2 ? `, about ${seconds} s left` : ''
    const line = `${title}, ${count(requests)} of about ${count(Math.round(of / 10) * 10)} requests${left}`
    if (showStatus(line) || now - printedAt < SELDOM) return
    printedAt = now
    process.stderr.write(`${line}\n`)
  }
}

/** Prints a line, wrapped at words. */
function say(text: string): void {
  if (text !== '') process.stdout.write(`${terminal([{ text }], { width: columns() })}\n`)
}

function tellGitHub(report: Report): void {
  writeWorkflowCommands(annotations(report))
  const { GITHUB_STEP_SUMMARY: path } = process.env
  const problem = path ? appendJobSummary(reportMarkdown(report), path) : undefined
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

const CERTIFICATE = 'certificate.zip'

/** Writes the certificate of a run, and prints its path, or why it could not be written. @returns whether it was written */
function writeCertificate(report: Report, run: OpenRun, key: KeyObject, folder: string): boolean {
  try {
    const archive = certificateOf(report, run.log, run.configuration, key)
    // Nobody else could verify what this version does not.
    verifyCertificate(archive, key)
    const path = writeWhole(folder, CERTIFICATE, archive)
    process.stdout.write(
      `Certificate: ${path}, signed with the key ${fingerprint(key)}. It contains the lists of orders and pets in full. To check it:\n  npx --no-install store-conformance verify ${shellWord(path)} --key PUBLIC.pem\n`,
    )
    return true
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    process.stdout.write(`No certificate, because nobody could verify it: ${printable(error.message)}.\n`)
    return false
  }
}
