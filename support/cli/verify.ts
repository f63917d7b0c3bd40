import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import { MAX_CONTENT, NotCheckable, Refused, unzip } from '../certificate/archive.ts'
import { verifyCertificate } from '../certificate/certificate.ts'
import { verifiedText } from '../certificate/screen.ts'
import { isUsableKey } from '../certificate/statement.ts'
import { exitCodes, Misconfigured } from '../interface/verdict.ts'
import { printable } from '../report/document.ts'
import { MEGABYTE, readInput, Unreadable } from '../wire/read-input.ts'
import { columns } from './flags.ts'

export function add(command: Command): void {
  command
    .argument('<certificate>', 'certificate.zip')
    .option('--key <file>', 'public key that must have signed (PEM)')
    .addHelpText('after', HELP)
    .action((path: string, { key }: { readonly key?: string }) => {
      process.exitCode = verify(path, key)
    })
}

const HELP = `
Checks the signature and the digests, judges the log again, and compares the result with the report. It sends nothing.

Example:
  npx --no-install store-conformance verify certificate.zip --key PUBLIC.pem

Exit: 0 conformant, and signed by that key · 1 changed, or signed by another key · 2 wrong usage, or no such file
      3 not conformant, no --key, or judged by another version of the suite`

function verify(path: string, keyFile: string | undefined): number {
  const key = keyFile === undefined ? undefined : readKey('public', keyFile)
  try {
    const verified = verifyCertificate(unzip(readInput(path, MAX_CONTENT * MEGABYTE)), key)
    process.stdout.write(verifiedText(path, verified, columns()))
    return verified.report.verdict === 'conformant' && key ? exitCodes.conformant : exitCodes.incomplete
  } catch (error) {
    if (error instanceof Unreadable) throw new Misconfigured(`${path} ${error.message}`)
    if (!(error instanceof Refused || error instanceof NotCheckable)) throw error
    const isRefused = error instanceof Refused
    const text = `${path}: ${isRefused ? 'REFUSED' : 'NOT CHECKED'}. ${error.message}.`
    process.stdout.write(`${printable(text)}\n`)
    return isRefused ? exitCodes.nonconformant : exitCodes.incomplete
  }
}

const kinds = { private: createPrivateKey, public: createPublicKey }

/** @throws {Misconfigured} that quotes nothing of the file */
export function readKey(kind: keyof typeof kinds, file: string): KeyObject {
  const refuse = (problem: string): never => {
    throw new Misconfigured(`${file} ${problem}`)
  }
  try {
    const text = readInput(file, MEGABYTE).toString('utf8')
    if (kind === 'public' && text.includes('PRIVATE KEY'))
      refuse(`is a private key. Give the public one: openssl pkey -in ${file} -pubout`)
    // OpenSSL and Node read only the first one, so nobody would notice the other.
    if (/-----BEGIN.*-----BEGIN/s.test(text)) refuse('contains more than one key or certificate')
    const key = kinds[kind](text)
    return isUsableKey(key) ? key : refuse('is a key of another kind. Use Ed25519 or ECDSA P-256.')
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    return refuse(
      error instanceof Unreadable ? error.message : `is not a ${kind} key in PEM without a passphrase`,
    )
  }
}
