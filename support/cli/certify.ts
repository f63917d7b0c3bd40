import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { writeCertificate } from '../certificate/archive.ts'
import { certifyStore } from '../certificate/certify.ts'
import { keyId } from '../certificate/dsse.ts'
import { certificateBadge, certificatePage } from '../certificate/page.ts'
import type { CertificateFiles } from '../certificate/statement.ts'
import { digest } from '../certificate/strict-json.ts'
import { shellWord } from '../http/curl.ts'
import { isGating } from '../judge/gating.ts'
import { exitCodes } from '../judge/verdict.ts'
import { summaryText } from '../report/formats.ts'
import { printable } from '../report/printable.ts'
import type { Report } from '../report/report.ts'
import { targetText } from '../report/words.ts'
import { removeReports, writeReports, writeWhole } from '../report/write.ts'
import type { Configuration } from '../settings/configuration.ts'
import { ConfigurationError, type Mistake } from '../settings/mistake.ts'
import {
  addSettings,
  configurationFrom,
  givenSettings,
  readFlag,
  several,
  trimmed,
  wholeNumber,
} from './flags.ts'
import { judging } from './judging.ts'
import { readKeys } from './keys.ts'

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
    .option('--challenge <text>', 'challenge of the customer, from which all values are derived', trimmed)
    .option('--valid-days <number>', 'days until the certificate expires', wholeNumber(1, 9999), 365)
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

async function certify(options: Options & Record<string, unknown>): Promise<number> {
  const { challenge, sign, waivers } = options
  const given = { ...givenSettings(options), ...(waivers === undefined ? {} : { expectedFailures: waivers }) }
  const mistakes = [
    ...misfit(
      challenge !== undefined && !digest.safeParse(challenge).success,
      '--challenge',
      'must be 64 hex digits, as openssl rand -hex 32 prints them',
    ),
    ...misfit(
      challenge !== undefined && given.seed !== undefined,
      '--seed',
      'a challenge takes its place; leave one of them out',
    ),
  ]
  const keys = await readFlag('--sign', mistakes, () => readKeys('private', sign))
  const configuration = await configurationFrom(
    given,
    ['expectedFailures'],
    { '--expected-failures': '--waivers' },
    mistakes,
  )
  const unfit = misfits(configuration)
  if (unfit.length > 0) throw new ConfigurationError(unfit)
  const isNamed = configuration.pendingOrders !== undefined || configuration.shippedOrders !== undefined
  const notes = [...configuration.notes, ...(isNamed ? [NAMED_NOTE] : [])]
  return judgeAndCertify({ ...configuration, notes }, keys ?? [], options)
}

const NAMED_NOTE =
  'The certificate, or the evidence, contains the lists of orders and pets in full. Do not publish data of real customers.'

const misfit = (isUnfit: boolean, setting: string, problem: string): Mistake[] =>
  isUnfit ? [{ setting, problem }] : []

/** Settings with which a certificate would prove too little. */
function misfits({ gate, readOnly, apiKey = '', target }: Configuration): Mistake[] {
  return [
    ...misfit(gate === 'required', '--gate', 'a certificate needs the gate implied or advisory'),
    ...misfit(readOnly, 'STORE_READ_ONLY', 'a certificate needs rules that a read-only run leaves out'),
    ...misfit(
      target !== 'reference' && apiKey.length < 8,
      'STORE_API_KEY',
      'has fewer than 8 characters, so it cannot be told from other text in the evidence',
    ),
  ]
}

const WRITTEN = 'certificate.zip certificate certificate.html certificate.svg evidence.zip evidence'.split(
  ' ',
)

async function judgeAndCertify(
  configuration: Configuration,
  keys: readonly KeyObject[],
  { challenge, validDays, unpacked = false }: Options,
): Promise<number> {
  const { reportsDir } = configuration
  const result = await judging(configuration, watching => {
    removeReports(reportsDir)
    for (const name of WRITTEN) rmSync(join(reportsDir, name), { recursive: true, force: true })
    return certifyStore(configuration, { ...watching, keys, challenge, validDays })
  })
  const { report } = result
  writeReports(report, reportsDir)
  const summary = summaryText(report, { colour: false, verbose: false })
  process.stdout.write(`Judged ${printable(targetText(report))}\n\n${summary}`)
  const write = (name: string, files: CertificateFiles) => {
    const path = join(reportsDir, unpacked ? name : `${name}.zip`)
    writeCertificate(files, path, unpacked ? 'folder' : 'archive')
    return path
  }
  if ('obstacles' in result) {
    const evidence = result.evidence ? evidenceLines(write('evidence', result.evidence), report) : []
    const lines = ['\nNo certificate:', ...result.obstacles.map(each => `  ${each}`), ...evidence]
    process.stdout.write(`${lines.join('\n')}\nReports: ${reportsDir}\n`)
    return exitCodes[report.verdict] || exitCodes.incomplete
  }
  const { files, statement } = result
  const path = write('certificate', files)
  const shown = { statement, report, signers: keys.map(keyId) }
  writeWhole(reportsDir, 'certificate.html', certificatePage(shown))
  writeWhole(reportsDir, 'certificate.svg', certificateBadge(shown))
  const { title, validUntil } = statement.predicate
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
