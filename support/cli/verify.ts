import type { KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import { readCertificate } from '../certificate/archive.ts'
import { type Confirmation, confirmCertificate, confirmedText } from '../certificate/confirm.ts'
import { basesOf } from '../certificate/judge-again.ts'
import { profileNowText, reportUnder } from '../certificate/profile-now.ts'
import { NotCheckable, orRefused, Refused } from '../certificate/refused.ts'
import { type CertificateFiles, EVIDENCE } from '../certificate/statement.ts'
import {
  assuranceText,
  evidenceHead,
  evidenceText,
  ruleText,
  signatureText,
  verifiedText,
} from '../certificate/text.ts'
import { isEvidence, type Verified, verifyCertificate, verifyEvidence } from '../certificate/verify.ts'
import { Unreadable } from '../http/read-input.ts'
import { profileNames } from '../interface/profiles.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import { removeReports, writeReports } from '../report/write.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { writtenFlags } from '../settings/environment.ts'
import { allSettings, nameOf, settingsOf } from '../settings/settings.ts'
import { findEntry } from './catalogue.ts'
import { addSettings, configurationFrom, givenSettings, several, trimmed } from './flags.ts'
import { judging } from './judging.ts'
import { readKeys } from './keys.ts'

interface Options {
  readonly key: readonly string[]
  readonly challenge?: string
  readonly confirm?: string
  readonly rule?: string
  readonly profile?: string
}

export function addVerify(command: Command): void {
  command
    .argument('<certificate>', 'certificate.zip or evidence.zip, or the folder of an unpacked one')
    .option('--key <file>', 'public key that must have signed (PEM); may be given several times', several, [])
    .option('--challenge <text>', 'the challenge that you sent to the vendor', trimmed)
    .option('--rule <id>', 'print one rule with the requests and responses that its outcome follows from')
    .option('--profile <name>', 'print also the verdict under this profile, with the errata of today')
    .option('--confirm <url>', 'judge the store at this address as well, and compare it with the certificate')
  addSettings(command, 'verify')
    .addHelpText('after', HELP)
    .action(async (path: string, options: Options & Record<string, unknown>) => {
      process.exitCode = await verify(path, options, readKeys('public', options.key))
    })
}

const HELP = `
Checks the signatures and every digest, then replays the recorded run and judges every rule again. Without --confirm
it sends nothing, and takes no other setting.

evidence.zip is what certify writes of a store that is not conformant. It is no certificate, so without --rule the
exit code is 1 even if every outcome is judged the same.

--confirm judges the rules of the certificate on the store that you use, with your key (STORE_API_KEY or
--api-key-file). It sends GET requests, and requests that a conformant store rejects. It changes only the orders and
pets that flags name. --out writes the reports of this run.

Example:
  store-conformance verify certificate.zip --key vendor.pub.pem --challenge "$(cat challenge.txt)"
  store-conformance verify evidence.zip --rule cancel-shipped-409
  store-conformance verify certificate.zip --key vendor.pub.pem --profile 1.0.0-stable
  STORE_API_KEY=… store-conformance verify certificate.zip --key vendor.pub.pem --confirm https://store.example/v1

Exit: 0 the signature is valid, every outcome was recomputed, and confirmed in full if asked for · 1 the file is
      refused, it is evidence (without --rule), the store drifted, or a rule of --profile failed · 2 wrong usage or
      configuration, unknown rule or profile, or no such file · 3 signature not checked (no --key), not confirmed in
      full, another version of the suite judged the run, or the run did not judge a rule of --profile
      4 the store to confirm is unreachable, or it rejects the API key`

async function verify(
  path: string,
  options: Options & Record<string, unknown>,
  keys: readonly KeyObject[],
): Promise<number> {
  // Every mistake is reported before anything is sent.
  checkModes(options)
  const configuration = await confirmationOf(options)
  return withVerdict(path, async files => {
    const { challenge } = options
    if (isEvidence(files)) return showEvidence(path, files, options, challenge)
    const verified = await verifyCertificate(files, { keys, challenge, now: Date.now() })
    const code = configuration
      ? await confirm(path, verified, configuration, options['out'] !== undefined)
      : await showCertificate(path, verified, options)
    if (code !== 0 || keys.length > 0) return code
    process.stdout.write('Signature not checked (exit 3): give the public key that you trust with --key.\n')
    return exitCodes.incomplete
  })
}

/** Evidence is never as good as a certificate, so only a rule that was asked for gives exit code 0. @returns the exit code */
async function showEvidence(
  path: string,
  files: CertificateFiles,
  { rule, profile, confirm, key }: Options,
  challenge: string | undefined,
): Promise<number> {
  const unfit = confirm ? '--confirm' : profile && '--profile'
  if (unfit) throw new Misconfigured(`${path} is evidence; ${unfit} needs a certificate.`)
  if (key.length > 0)
    throw new Refused(EVIDENCE, 'is evidence, which nobody has signed; --key needs a certificate')
  const evidence = await verifyEvidence(files, challenge)
  const text = rule ? `\n${await textOf(rule, evidence)}` : evidenceText(evidence)
  process.stdout.write(`${evidenceHead(path)}${text}`)
  return rule ? 0 : 1
}

/** Prints a sound certificate, or one rule of it. @returns the exit code */
async function showCertificate(
  path: string,
  verified: Verified,
  { rule, profile }: Options,
): Promise<number> {
  if (rule) {
    const head = [`${path}: ${verified.statement.predicate.title}`, signatureText(verified)]
      .map(line => printable(line))
      .join('\n')
    process.stdout.write(`${head}\n\n${await textOf(rule, verified)}`)
    return 0
  }
  const now = profile ? reportUnder(profile, verified.report, subject) : undefined
  process.stdout.write(
    `${await verifiedText(path, verified)}${now ? profileNowText(now, subject) : ''}${assuranceText(verified)}`,
  )
  return now ? exitCodes[now.verdict] : 0
}

async function textOf(
  wanted: string,
  { report, recording }: Pick<Verified, 'report' | 'recording'>,
): Promise<string> {
  const reported = report.rules.find(({ id }) => id === wanted)
  if (!reported)
    throw new Misconfigured(
      `The recorded run did not judge ${wanted}: profile ${report.profile} leaves it out.`,
    )
  const bases = await orRefused(basesOf(recording, report))
  return ruleText(reported, report, recording, bases instanceof Refused ? undefined : bases.get(wanted))
}

/** @throws {Misconfigured} if the options exclude each other, or name an unknown rule or profile */
function checkModes(options: Options): void {
  const modes = (['rule', 'profile', 'confirm'] as const).filter(name => options[name] !== undefined)
  if (modes.length > 1)
    throw new Misconfigured(`${modes.map(name => `--${name}`).join(' and ')} cannot be used together.`)
  const { rule, profile } = options
  if (profile !== undefined && !profileNames.includes(profile))
    throw new Misconfigured(
      `There is no profile ${JSON.stringify(profile)}. The profiles are ${profileNames.join(', ')}.`,
    )
  if (rule !== undefined && findEntry(rule).level === 'unspecified')
    throw new Misconfigured(`${rule} is an observation, which a run never judges. Give the id of a rule.`)
}

/** The settings of `--confirm`. @throws if a setting is wrong, or is given without it */
async function confirmationOf({
  confirm,
  profile: _profile,
  ...options
}: Options & Record<string, unknown>): Promise<Configuration | undefined> {
  const given = givenSettings(options)
  if (confirm === undefined) {
    const flags = writtenFlags(given).map(flag => flag.split(' ')[0])
    if (flags.length > 0) throw new Misconfigured(`${flags.join(', ')} can only be used with --confirm.`)
    return undefined
  }
  // The environment and `.env` may be about another store, such as staging. What says which store is judged, what may be changed
  // there, and by which rules, therefore comes from flags and from the certificate alone.
  const ids = ['pendingOrders', 'shippedOrders', 'pets']
  const own = settingsOf('verify').filter(({ name }) => !ids.includes(name))
  const flagsOnly = allSettings.filter(each => !own.includes(each)).map(({ name }) => name)
  const called = { [nameOf('baseUrl')]: '--confirm' }
  return configurationFrom({ ...given, target: 'base', baseUrl: confirm }, flagsOnly, called)
}

const confirmedCodes: Readonly<Record<Confirmation['outcome'], number>> = {
  confirmed: 0,
  drift: 1,
  incomplete: 3,
  unreachable: 4,
}

/** Judges the store that the customer uses, and prints how it compares with the certificate. @returns the exit code */
async function confirm(
  path: string,
  verified: Verified,
  configuration: Configuration,
  isWritten: boolean,
): Promise<number> {
  process.stdout.write(await verifiedText(path, verified))
  const { reportsDir, pets } = configuration
  // The folder keeps the old stock of named pets while that is changed.
  const usesFolder = isWritten || pets !== undefined
  const confirmation = await judging(
    configuration,
    watching => {
      if (isWritten) removeReports(reportsDir)
      return confirmCertificate(verified, configuration, watching)
    },
    usesFolder,
  )
  if (isWritten) writeReports(confirmation.report, reportsDir)
  process.stdout.write(`${confirmedText(confirmation, verified)}${assuranceText(verified, confirmation)}`)
  return confirmedCodes[confirmation.outcome]
}

/**
 * Reads and checks a certificate. Prints why it is refused or cannot be checked; text of the certificate is escaped.
 * @param check returns the exit code if the certificate is not refused
 * @returns the exit code
 */
async function withVerdict(
  path: string,
  check: (files: CertificateFiles) => Promise<number>,
): Promise<number> {
  try {
    return await check(filesAt(path))
  } catch (error) {
    if (error instanceof Refused) {
      process.stdout.write(
        `${printable(path)}: REFUSED\n  ${printable(error.place)}: ${printable(error.message)}\n`,
      )
      return 1
    }
    if (error instanceof NotCheckable) {
      process.stdout.write(`${printable(path)}: not checked\n  ${printable(error.message)}\n`)
      return 3
    }
    throw error
  }
}

/** @throws {Misconfigured} if the file system does not give them */
function filesAt(path: string): CertificateFiles {
  try {
    return readCertificate(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Unreadable) throw new Misconfigured(`${path} ${error.message}`)
    throw code === undefined ? error : new Misconfigured(`${path} cannot be read (${code})`)
  }
}
