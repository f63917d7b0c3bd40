import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { newChallenge } from '../certificate/statement.ts'
import { shellWord } from '../http/curl.ts'
import { isGating } from '../judge/gating.ts'
import { exitCodes } from '../judge/verdict.ts'
import type { Report } from '../report/report.ts'
import type { Configuration } from '../settings/configuration.ts'
import { mistakesText } from '../settings/mistake.ts'
import { addSettings, givenSettings, several } from './flags.ts'
import { UsageError } from './usage.ts'

interface Options {
  readonly sign: readonly string[]
  readonly challenge?: string
  readonly validDays: number
  readonly waivers?: string
  readonly unpacked?: boolean
}

export function addCertify(command: Command): void {
  addSettings(command, 'certify')
    .option(
      '--sign <file>',
      'private key (PEM, Ed25519 or ECDSA P-256); may be given several times',
      several,
      [],
    )
    .option('--challenge <text>', 'challenge of the customer, from which all values are derived')
    .option('--valid-days <number>', 'days until the certificate expires', days, 365)
    .option(
      '--waivers <file>',
      'failures that a customer accepts (YAML: rule, operation, reason, owner, expires)',
    )
    .option('--unpacked', 'write a folder instead of an archive, for the evidence as well')
    .addHelpText('after', HELP)
    .action(async (options: Options & Record<string, unknown>) => {
      process.exitCode = await certify(options)
    })
}

const HELP = `
Runs the full profile, and writes reports/certificate.zip if the store is conformant: the report, every exchange
in full, and a signed statement. Anybody can judge it again with store-conformance verify.

If the store is not conformant, it writes reports/evidence.zip instead: the same without a statement. It is not a
certificate. With verify --rule, vendor and customer see the same requests and responses for a rule.

Example:
  STORE_API_KEY=… store-conformance certify --base-url https://store.example/v1 --states-url … --sign vendor.pem

Exit: 0 certified · 1 not conformant · 2 wrong usage or configuration · 3 incomplete, or the run cannot be judged
      again from its recording · 4 unreachable, or the API key is refused`

function days(text: string): number {
  const number = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0
  if (number < 1) throw new InvalidArgumentError('Give a whole number from 1 to 9999.')
  return number
}

async function certify(options: Options & Record<string, unknown>): Promise<number> {
  const { readConfiguration } = await import('../settings/environment.ts')
  const { readPrivateKey } = await import('./keys.ts')
  const keys = options.sign.map(readPrivateKey)
  const given = givenSettings(options)
  const configured = readConfiguration(
    { ...given, ...(options.waivers === undefined ? {} : { expectedFailures: options.waivers }) },
    process.env,
    process.cwd(),
  )
  if ('mistakes' in configured)
    throw new UsageError(mistakesText(configured.mistakes).replaceAll('--expected-failures', '--waivers'))
  const { configuration } = configured
  const unfit = await misfits(configuration, options.challenge)
  if (unfit.length > 0) throw new UsageError(mistakesText(unfit))
  const { enterFolder } = await import('../run/reported-run.ts')
  await enterFolder(configuration)
  for (const note of notes(configuration)) process.stderr.write(`Note: ${note}\n`)
  return judgeAndCertify(configuration, keys, options)
}

/** Settings with which a certificate would prove too little. */
async function misfits(configuration: Configuration, challenge: string | undefined) {
  const { challengeText } = await import('../certificate/statement.ts')
  const { LEAST_RUNS } = await import('../certificate/recording.ts')
  const { gate, runs, readOnly, apiKey, target } = configuration
  return [
    ...(gate === 'required'
      ? [{ setting: '--gate', problem: 'a certificate needs the gate implied or advisory' }]
      : []),
    ...(runs < LEAST_RUNS
      ? [{ setting: '--runs', problem: `a certificate needs at least ${LEAST_RUNS} generated cases` }]
      : []),
    ...(readOnly
      ? [{ setting: 'STORE_READ_ONLY', problem: 'a certificate needs rules that a read-only run leaves out' }]
      : []),
    ...(target !== 'reference' && (apiKey ?? '').length < 8
      ? [
          {
            setting: 'STORE_API_KEY',
            problem: 'has fewer than 8 characters, so it cannot be told from other text in the evidence',
          },
        ]
      : []),
    ...(challenge !== undefined && !challengeText.test(challenge)
      ? [
          {
            setting: '--challenge',
            problem: 'must be 64 hex digits, as store-conformance challenge prints them',
          },
        ]
      : []),
  ]
}

function notes({ notes, pendingOrders, shippedOrders }: Configuration): string[] {
  const isNamed = pendingOrders !== undefined || shippedOrders !== undefined
  return [
    ...notes,
    ...(isNamed
      ? [
          'The certificate, or the evidence, contains the lists of orders and pets in full. Do not publish data of real customers.',
        ]
      : []),
  ]
}

async function judgeAndCertify(
  configuration: Configuration,
  keys: readonly KeyObject[],
  { challenge, validDays, unpacked = false }: Options,
): Promise<number> {
  const { certifyStore } = await import('../certificate/certify.ts')
  const { summaryText } = await import('../report/text/summary.ts')
  const { targetText } = await import('../report/words.ts')
  const { printable } = await import('../report/printable.ts')
  const { removeReports, writeReports, writeWhole } = await import('../report/write.ts')
  const { writeCertificate } = await import('../certificate/archive.ts')
  const { keyId } = await import('../certificate/dsse.ts')
  const { certificateBadge, certificatePage } = await import('../certificate/page.ts')
  const { strayErrorText, untilInterrupted } = await import('../run/process/interrupt.ts')
  const { progress } = await import('./progress.ts')
  const { reportsDir } = configuration
  const names = [
    'certificate.zip',
    'certificate',
    'certificate.html',
    'certificate.svg',
    'evidence.zip',
    'evidence',
  ]
  removeReports(reportsDir)
  for (const name of names) rmSync(join(reportsDir, name), { recursive: true, force: true })
  let bar: ReturnType<typeof progress> | undefined
  const result = await untilInterrupted(
    signal =>
      certifyStore(configuration, {
        signal,
        undoPath: resolve(reportsDir, 'undo.json'),
        keys,
        challenge,
        validDays,
        began: ({ selection }) => {
          bar = progress(selection.rules.length, configuration.gate)
        },
        judged: judgement => bar?.step(judgement),
      }),
    error => strayErrorText(error, configuration),
  )
  bar?.end()
  writeReports(result.report, reportsDir)
  const summary = summaryText(result.report, { colour: false, verbose: false })
  process.stdout.write(`Judged ${printable(targetText(result.report))}\n\n${summary}`)
  if ('obstacles' in result) {
    const evidence = join(reportsDir, unpacked ? 'evidence' : 'evidence.zip')
    if (result.evidence) writeCertificate(result.evidence, evidence, unpacked ? 'folder' : 'archive')
    process.stdout.write(
      [
        '\nNo certificate:',
        ...result.obstacles.map(each => `  ${each}`),
        ...(result.evidence ? evidenceLines(evidence, result.report) : []),
        `Reports: ${reportsDir}\n`,
      ].join('\n'),
    )
    return exitCodes[result.report.verdict] || 3
  }
  const path = join(reportsDir, unpacked ? 'certificate' : 'certificate.zip')
  writeCertificate(result.files, path, unpacked ? 'folder' : 'archive')
  const { report, statement } = result
  const shown = { statement, report, signers: keys.map(keyId) }
  writeWhole(reportsDir, 'certificate.html', certificatePage(shown))
  writeWhole(reportsDir, 'certificate.svg', certificateBadge(shown))
  const { title, validUntil } = result.statement.predicate
  const signed =
    keys.length === 0 ? 'UNSIGNED: anybody could have made it (--sign)' : `signed with ${keys.length} key(s)`
  process.stdout.write(
    `\nCertificate: ${path}: ${title}, valid until ${validUntil.slice(0, 10)}, ${signed}.\n`,
  )
  return 0
}

function evidenceLines(path: string, { rules, gate }: Report): string[] {
  const failed = rules.find(rule => rule.outcome === 'failed' && isGating(rule, gate))
  return [
    `Evidence: ${path}: every request and response of this run. It is not a certificate.`,
    `To judge it again: store-conformance verify ${shellWord(path)}${failed ? ` --rule ${failed.id}` : ''}`,
  ]
}

export function addChallenge(command: Command): void {
  command
    .addHelpText(
      'after',
      `
Send it to the vendor, keep it, and give it to verify. The requests of a certificate that answers it were made after you
chose it. The challenge does not bind the responses.

Example:
  npx store-conformance challenge > challenge.txt`,
    )
    .action(() => {
      process.stdout.write(`${newChallenge()}\n`)
    })
}
