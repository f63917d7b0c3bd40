import type { KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import type { Configuration } from '../settings/configuration.ts'
import type { SettingName } from '../settings/settings.ts'
import { addSettings, givenSettings, writtenFlags } from './flags.ts'
import { UsageError } from './usage.ts'

interface Options {
  readonly key: readonly string[]
  readonly challenge?: string
  readonly confirm?: string
}

/** The settings of a confirmation. */
const SETTINGS: readonly SettingName[] = [
  'apiKeyFile',
  'pendingOrders',
  'shippedOrders',
  'pets',
  'readOnly',
  'timeoutMs',
  'concurrency',
  'rate',
  'headers',
  'clientCert',
  'clientKey',
  'seed',
  'reportsDir',
]

const several = (value: string, before: readonly string[]): readonly string[] => [...before, value]

export function addVerify(command: Command): void {
  command
    .argument('<certificate>', 'certificate.zip, or the folder of an unpacked certificate')
    .option('--key <file>', 'public key that must have signed (PEM); may be given several times', several, [])
    .option('--challenge <text>', 'the challenge that you sent to the vendor')
    .option('--confirm <url>', 'judge the store at this address as well, and compare it with the certificate')
  addSettings(command, SETTINGS)
    .addHelpText('after', HELP)
    .action(async (path: string, options: Options & Record<string, unknown>) => {
      const { readPublicKey } = await import('./keys.ts')
      process.exitCode = await verify(path, options, options.key.map(readPublicKey))
    })
}

const HELP = `
Checks the signatures and every digest, then replays the recorded run and judges every rule again. Without --confirm
it sends nothing, and takes no other setting.

--confirm judges the rules of the certificate on the store that you use, with your key (STORE_API_KEY or
--api-key-file). It sends GET requests, and requests that a conformant store rejects. It changes only the orders and
pets that flags name. Some requests look like those of ordinary clients. --out writes the reports of this run.

Example:
  store-conformance verify certificate.zip --key vendor.pub.pem --challenge "$(cat challenge.txt)"
  STORE_API_KEY=… store-conformance verify certificate.zip --key vendor.pub.pem --confirm https://store.example/v1

Exit: 0 every outcome was recomputed, and confirmed if asked for · 1 the certificate is refused, or the store drifted
      2 wrong usage or configuration, or no such file · 3 this version of the suite cannot reproduce the certificate,
      or the confirmation is incomplete · 4 the store to confirm is unreachable, or it rejects the API key`

async function verify(
  path: string,
  options: Options & Record<string, unknown>,
  keys: readonly KeyObject[],
): Promise<number> {
  // Every mistake is reported before anything is sent.
  const configuration = await configurationOf(options)
  const [{ assuranceText, verifiedText }, { verifyCertificate }, { withVerdict }] = await Promise.all([
    import('../certificate/verified-text.ts'),
    import('../certificate/verify.ts'),
    import('./verdict-of-certificate.ts'),
  ])
  return withVerdict(path, async files => {
    const challenge = options.challenge?.trim()
    const verified = await verifyCertificate(files, { keys, challenge, now: Date.now() })
    process.stdout.write(await verifiedText(path, verified))
    if (!configuration) {
      process.stdout.write(assuranceText(verified))
      return 0
    }
    const { confirm } = await import('./confirm.ts')
    return confirm(verified, configuration, options['out'] !== undefined)
  })
}

/** @throws {UsageError} if a setting is wrong, or is given without --confirm */
async function configurationOf({
  confirm,
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
