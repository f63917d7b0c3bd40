import type { KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import { readCertificate } from '../certificate/archive.ts'
import { NotCheckable, Refused } from '../certificate/refused.ts'
import type { CertificateFiles } from '../certificate/statement.ts'
import { Unreadable } from '../http/read-input.ts'
import { profileNames } from '../interface/profiles.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import type { Configuration } from '../settings/configuration.ts'
import { writtenFlags } from '../settings/environment.ts'
import { addSettings, givenSettings, several } from './flags.ts'
import { UsageError } from './usage.ts'

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
    .option('--challenge <text>', 'the challenge that you sent to the vendor')
    .option('--rule <id>', 'print one rule with the requests and responses that its outcome follows from')
    .option('--profile <name>', 'print also the verdict under this profile, with the errata of today')
    .option('--confirm <url>', 'judge the store at this address as well, and compare it with the certificate')
  addSettings(command, 'verify')
    .addHelpText('after', HELP)
    .action(async (path: string, options: Options & Record<string, unknown>) => {
      const { readPublicKey } = await import('./keys.ts')
      process.exitCode = await verify(path, options, options.key.map(readPublicKey))
    })
}

const HELP = `
Checks the signatures and every digest, then replays the recorded run and judges every rule again. Without --confirm
it sends nothing, and takes no other setting.

evidence.zip is what certify writes of a store that is not conformant. It is no certificate, so without --rule the
exit code is 1 even if every outcome is judged the same.

--confirm judges the rules of the certificate on the store that you use, with your key (STORE_API_KEY or
--api-key-file). It sends GET requests, and requests that a conformant store rejects. It changes only the orders and
pets that flags name. Some requests look like those of ordinary clients. --out writes the reports of this run.

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
  const wanted = options.rule === undefined ? undefined : await ruleId(options.rule)
  const configuration = await configurationOf(options)
  const [{ assuranceText, verifiedText }, { isEvidence, verifyCertificate }] = await Promise.all([
    import('../certificate/text.ts'),
    import('../certificate/verify.ts'),
  ])
  return withVerdict(path, async files => {
    const challenge = options.challenge?.trim()
    const { judgeEvidence, showRule, showProfile } = await import('./judge-recorded.ts')
    if (isEvidence(files)) {
      const given = [...(configuration ? ['--confirm'] : []), ...(options.profile ? ['--profile'] : [])]
      if (given.length > 0) throw new UsageError(`${path} is evidence; ${given[0]} needs a certificate.`)
      return judgeEvidence(path, files, { wanted, keys, challenge })
    }
    const verified = await verifyCertificate(files, { keys, challenge, now: Date.now() })
    const show = async () => {
      if (wanted !== undefined) return showRule(path, verified, wanted)
      process.stdout.write(await verifiedText(path, verified))
      if (options.profile !== undefined) return showProfile(verified, options.profile)
      if (configuration) {
        const { confirm } = await import('./confirm.ts')
        return confirm(verified, configuration, options['out'] !== undefined)
      }
      process.stdout.write(assuranceText(verified))
      return 0
    }
    const code = await show()
    if (code !== 0 || keys.length > 0) return code
    process.stdout.write('Signature not checked (exit 3): give the public key that you trust with --key.\n')
    return exitCodes.incomplete
  })
}

/** @throws {UsageError} if the options exclude each other, or the profile is unknown */
function checkModes(options: Options): void {
  const modes = (['rule', 'profile', 'confirm'] as const).filter(name => options[name] !== undefined)
  if (modes.length > 1)
    throw new UsageError(`${modes.map(name => `--${name}`).join(' and ')} cannot be used together.`)
  if (options.profile !== undefined && !profileNames.includes(options.profile))
    throw new UsageError(
      `There is no profile ${JSON.stringify(options.profile)}. The profiles are ${profileNames.join(', ')}.`,
    )
}

/** @throws {UsageError} if there is no such rule */
async function ruleId(id: string): Promise<string> {
  const { findEntry } = await import('./catalogue.ts')
  if (findEntry(id).rule) return id
  throw new UsageError(`${id} is an observation, which a run never judges. Give the id of a rule.`)
}

/** @throws {UsageError} if a setting is wrong, or is given without --confirm */
async function configurationOf({
  confirm,
  profile: _profile,
  ...options
}: Options & Record<string, unknown>): Promise<Configuration | undefined> {
  const given = givenSettings(options)
  if (confirm === undefined) {
    const flags = writtenFlags(given).map(flag => flag.split(' ')[0])
    if (flags.length > 0) throw new UsageError(`${flags.join(', ')} can only be used with --confirm.`)
    return undefined
  }
  const { readConfirmation } = await import('./confirm.ts')
  return readConfirmation(confirm, given)
}

interface WitnessOptions {
  readonly sign: string
  readonly key?: string
  readonly challenge?: string
}

export function addWitness(command: Command): void {
  command
    .argument('<certificate>', 'certificate.zip, or the folder of an unpacked certificate')
    .requiredOption('--sign <file>', 'your private key (PEM, Ed25519 or ECDSA P-256)')
    .option('--key <file>', 'public key of the vendor, which must have signed')
    .option('--challenge <text>', 'the challenge that the certificate must answer')
    .addHelpText(
      'after',
      `
Verifies the certificate, and adds your signature to it. This happens after the run, so verify cannot know what you saw. Sign
only if you ran certify yourself, or were present: your signature says that these exchanges took place.

Example:
  store-conformance witness certificate.zip --key vendor.pub.pem --sign witness.pem

Exit: 0 signed · 1 the certificate is refused · 2 wrong usage · 3 another version of the suite judged the run`,
    )
    .action(async (path: string, options: WitnessOptions) => {
      process.exitCode = await witness(path, options)
    })
}

async function witness(path: string, { sign, key, challenge }: WitnessOptions): Promise<number> {
  const [{ printEnvelope, readEnvelope, signed }, { ENVELOPE }, { verifyCertificate }] = await Promise.all([
    import('../certificate/dsse.ts'),
    import('../certificate/statement.ts'),
    import('../certificate/verify.ts'),
  ])
  const { printable } = await import('../report/printable.ts')
  const { isFolder, writeCertificate } = await import('../certificate/archive.ts')
  const { readPrivateKey, readPublicKey } = await import('./keys.ts')
  const own = readPrivateKey(sign)
  const keys = key === undefined ? [] : [readPublicKey(key)]
  return withVerdict(path, async files => {
    await verifyCertificate(files, { keys, challenge, now: Date.now() })
    const envelope = signed(readEnvelope(files.get(ENVELOPE) ?? new Uint8Array(), ENVELOPE), own)
    const witnessed = Buffer.from(printEnvelope(envelope))
    readEnvelope(witnessed, ENVELOPE)
    writeCertificate(new Map([...files, [ENVELOPE, witnessed]]), path, isFolder(path) ? 'folder' : 'archive')
    process.stdout.write(`${printable(path)}: signed with ${envelope.signatures.length} key(s) now.\n`)
    return 0
  })
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
    return await check(readCertificate(path))
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
    if (error instanceof Unreadable) throw new UsageError(`${path} ${error.message}`)
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined) throw new UsageError(`${path} cannot be read (${code})`)
    throw error
  }
}
