import type { KeyObject } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, Option } from 'commander'
import { Refused } from '../certificate/archive.ts'
import { certificateOf, verifyCertificate } from '../certificate/certificate.ts'
import { fingerprint } from '../certificate/statement.ts'
import { cellKey } from '../interface/description.ts'
import { exitCodes, isGating, Misconfigured } from '../interface/verdict.ts'
import { printable, terminal } from '../report/document.ts'
import { reportMarkdown, summaryText } from '../report/formats.ts'
import { annotations, appendJobSummary } from '../report/github.ts'
import { type Report, readReport } from '../report/report.ts'
import { closingLine, count, headline, notYours, plural } from '../report/words.ts'
import { writeWhole } from '../report/write.ts'
import { writeWorkflowCommands } from '../run/process.ts'
import { reportedRun } from '../run/reported-run.ts'
import type { OpenRun, Progress } from '../run/run.ts'
import { type Mistake, readConfiguration } from '../settings/configuration.ts'
import { allRules } from '../settings/selection.ts'
import type { RawSettings } from '../settings/settings.ts'
import { shellWord } from '../wire/curl.ts'
import { addSettings, columns, givenSettings, MORE, showStatus } from './flags.ts'
import { readKey } from './verify.ts'

export function add(command: Command): void {
  const more = (flags: string, about: string, without: string[] = []) =>
    command.addOption(new Option(flags, about).helpGroup(MORE).conflicts(without))
  addSettings(command, 'run', 'https://store.example/v1 --pets 1,2')
  more('--verbose', 'print everything')
  more('--failed <report>', 'judge what did not pass in this conformance.json, or its folder', ['only'])
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
type OwnFlags = Partial<Record<'failed' | 'writeExpectedFailures' | 'sign', string> & { verbose: true }>

async function run(given: RawSettings, options: OwnFlags): Promise<number> {
  const { failed, sign, writeExpectedFailures: draft } = options
  const mistakes: Mistake[] = []
  const read = <Value>(setting: string, path: string | undefined, use: (path: string) => Value) => {
    try {
      return path === undefined ? undefined : use(path)
    } catch (error) {
      if (!(error instanceof Misconfigured)) throw error
      mistakes.push({ setting, problem: error.message })
      return undefined
    }
  }
  const only = read('--failed', failed, notPassedIn) ?? given.only
  const key = read('--sign', sign, path => readKey('private', path))
  read('--write-expected-failures', draft, refuseUnusable)
  const configuration = readConfiguration({ ...given, only }, {}, mistakes)
  const { target, storeName: name, storeVersion: version } = configuration
  const reference = target === 'reference' ? { reference: true as const } : {}
  const begun = (baseUrl: string, folder: string): void => {
    // That of an earlier run could be taken for the one of this run.
    if (key) rmSync(join(folder, CERTIFICATE), { force: true })
    say(notYours(configuration))
    say(headline({ ...configuration, target: { baseUrl, ...reference }, store: { name, version } }))
    process.stdout.write('\n')
  }
  const { report, run, folder, problem } = await reportedRun(configuration, begun, progressShown()).finally(
    () => showStatus(),
  )
  const { NO_COLOR, FORCE_COLOR = process.stdout.isTTY ? '1' : '', GITHUB_ACTIONS } = process.env
  const colour = !NO_COLOR && !['', '0'].includes(FORCE_COLOR)
  process.stdout.write(summaryText(report, { colour, width: columns(), whole: options.verbose === true }))
  say(closingLine(report, folder))
  if (GITHUB_ACTIONS === 'true') tellGitHub(report)
  if (problem) throw problem
  if (draft !== undefined) process.stdout.write(draftExpectedFailures(report, draft))
  const isCertified = !key || writeCertificate(report, run, key, folder)
  say(notYours(configuration))
  return exitCodes[report.verdict] || (isCertified ? 0 : exitCodes.incomplete)
}

/** The reasons and owners in a file that exists would be lost. */
function refuseUnusable(path: string): void {
  if (existsSync(path)) throw new Misconfigured(`${path} exists. Name another file.`)
  if (!existsSync(dirname(path))) throw new Misconfigured(`the folder of ${path} does not exist. Create it.`)
}

/** The rules of a report that failed, could not be determined or were untested. */
function notPassedIn(path: string): string {
  const known = new Set(allRules.map(cellKey))
  const ids = readReport(path).rules.flatMap(each => {
    const isOpen = !['passed', 'inapplicable'].includes(each.outcome) && known.has(cellKey(each))
    return isOpen ? [`${each.id}/${each.operation}`] : []
  })
  if (ids.length > 0) return ids.join(',')
  throw new Misconfigured(
    `in ${path}, no rule of this version of the suite failed or has no result. Leave out --failed.`,
  )
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

const HEAD =
  '# Accepted failures. Fill in each reason and owner, then pass the file with --expected-failures.\n'

/** Writes an entry for each violated gating rule. A person has to fill in reason and owner: a run refuses the file without them. */
function draftExpectedFailures({ rules, gate, startedAt }: Report, file: string): string {
  const failed = rules.filter(rule => rule.outcome === 'failed' && isGating(rule, gate))
  if (failed.length === 0) return `No gating rule failed, so ${file} is not written.\n`
  const inThreeMonths = new Date(Date.parse(startedAt) + 90 * 24 * 3_600_000).toISOString().slice(0, 10)
  const entries = failed.map(
    ({ id, operation, title }) =>
      `# ${title}\n- rule: ${id}\n  operation: ${operation}\n  reason:\n  owner:\n  expires: ${inThreeMonths}\n`,
  )
  writeFileSync(file, [HEAD, ...entries].join('\n'), { flag: 'wx' })
  return `${plural(failed.length, 'failure')} drafted in ${file}: fill in each reason and owner.\n`
}

const CERTIFICATE = 'certificate.zip'

/** Writes the certificate of a run, and prints its path, or why nobody could verify it. @returns whether it was written */
function writeCertificate(report: Report, run: OpenRun, key: KeyObject, folder: string): boolean {
  try {
    const archive = certificateOf(report, run.log, run.configuration, key)
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
