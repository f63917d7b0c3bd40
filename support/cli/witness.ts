import type { Command } from 'commander'

interface Options {
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
    .action(async (path: string, options: Options) => {
      process.exitCode = await witness(path, options)
    })
}

async function witness(path: string, { sign, key, challenge }: Options): Promise<number> {
  const [{ printEnvelope, readEnvelope, signed }, { ENVELOPE }, { verifyCertificate }, { withVerdict }] =
    await Promise.all([
      import('../certificate/dsse.ts'),
      import('../certificate/statement.ts'),
      import('../certificate/verify.ts'),
      import('./verdict-of-certificate.ts'),
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
