import type { Command } from 'commander'
import { readCertificate } from '../certificate/archive.ts'
import { NotCheckable, Refused } from '../certificate/refused.ts'
import type { CertificateFiles } from '../certificate/statement.ts'
import { verifiedText } from '../certificate/text.ts'
import { verifyCertificate } from '../certificate/verify.ts'
import { Unreadable } from '../http/read-input.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import { readKey } from './keys.ts'

export function addVerify(command: Command): void {
  command
    .argument('<certificate>', 'certificate.zip')
    .option('--key <file>', 'public key that must have signed (PEM)')
    .addHelpText('after', HELP)
    .action(async (path: string, { key }: { readonly key?: string }) => {
      process.exitCode = await verify(path, key)
    })
}

const HELP = `
Checks the signature and every digest, judges the recorded run again, and compares every outcome. It sends nothing.

Example:
  npx --no-install store-conformance verify certificate.zip --key vendor.pub.pem

Exit: 0 conformant, and signed by that key · 1 changed, or signed by another key · 2 wrong usage, or no such file
      3 not conformant, no --key, or judged by another version of the suite`

async function verify(path: string, keyFile: string | undefined): Promise<number> {
  const key = keyFile === undefined ? undefined : readKey('public', keyFile)
  try {
    const verified = await verifyCertificate(filesAt(path), key)
    process.stdout.write(verifiedText(path, verified))
    return verified.report.verdict === 'conformant' && key ? exitCodes.conformant : exitCodes.incomplete
  } catch (error) {
    if (!(error instanceof Refused || error instanceof NotCheckable)) throw error
    const isRefused = error instanceof Refused
    const message = isRefused ? `${error.place}: ${error.message}` : error.message
    // Text of the certificate may contain control characters.
    process.stdout.write(
      `${printable(path)}: ${isRefused ? 'REFUSED' : 'not checked'}\n  ${printable(message)}\n`,
    )
    return isRefused ? exitCodes.nonconformant : exitCodes.incomplete
  }
}

/** @throws {Misconfigured} if the file cannot be read */
function filesAt(path: string): CertificateFiles {
  try {
    return readCertificate(path)
  } catch (error) {
    throw error instanceof Unreadable ? new Misconfigured(`${path} ${error.message}`) : error
  }
}
