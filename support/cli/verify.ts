import type { KeyObject } from 'node:crypto'
import type { Command } from 'commander'

interface Options {
  readonly key: readonly string[]
  readonly challenge?: string
}

const several = (value: string, before: readonly string[]): readonly string[] => [...before, value]

export function addVerify(command: Command): void {
  command
    .argument('<certificate>', 'certificate.zip, or the folder of an unpacked certificate')
    .option('--key <file>', 'public key that must have signed (PEM); may be given several times', several, [])
    .option('--challenge <text>', 'the challenge that you sent to the vendor')
    .addHelpText(
      'after',
      `
Sends nothing. Checks the signatures and every digest, then replays the recorded run and judges every rule again.

Example:
  store-conformance verify certificate.zip --key vendor.pub.pem --challenge "$(cat challenge.txt)"

Exit: 0 every outcome was recomputed · 1 the certificate is not what it says · 2 wrong usage, or no such file
      3 this version of the suite cannot reproduce it`,
    )
    .action(async (path: string, { key, challenge }: Options) => {
      const { readPublicKey } = await import('./keys.ts')
      process.exitCode = await verify(path, key.map(readPublicKey), challenge?.trim())
    })
}

async function verify(
  path: string,
  keys: readonly KeyObject[],
  challenge: string | undefined,
): Promise<number> {
  const [{ verifiedText }, { verifyCertificate }, { withVerdict }] = await Promise.all([
    import('../certificate/verified-text.ts'),
    import('../certificate/verify.ts'),
    import('./verdict-of-certificate.ts'),
  ])
  return withVerdict(path, async files => {
    const verified = await verifyCertificate(files, { keys, challenge, now: Date.now() })
    process.stdout.write(await verifiedText(path, verified))
  })
}
