import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import { LOG, MAX_CONTENT, REPORT, Refused } from '../certificate/archive.ts'
import { NotCheckable, type Verified, verifyCertificate } from '../certificate/certificate.ts'
import { isUsableKey } from '../certificate/statement.ts'
import { exitCodes, isGating, Misconfigured } from '../interface/verdict.ts'
import { type Part, printable, terminal } from '../report/document.ts'
import { readingOf } from '../report/reading.ts'
import { count, namesOf, targetText, verdictSentence, verdicts } from '../report/words.ts'
import { shellWord } from '../wire/curl.ts'
import { MEGABYTE, readInput, Unreadable } from '../wire/problems.ts'
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
    const verified = verifyCertificate(readInput(path, MAX_CONTENT * MEGABYTE), key)
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
  try {
    const text = readInput(file, MEGABYTE).toString('utf8')
    if (kind === 'public' && text.includes('PRIVATE KEY'))
      throw new Misconfigured(
        `${file} is a private key. Give the public one: openssl pkey -in ${file} -pubout`,
      )
    const key = kinds[kind](text)
    if (isUsableKey(key)) return key
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    if (error instanceof Unreadable) throw new Misconfigured(`${file} ${error.message}`)
  }
  throw new Misconfigured(`${file} is not a ${kind} key in PEM without a passphrase: Ed25519, or ECDSA P-256`)
}

/** Failures, and exchanges of each, that are shown: everything must fit on a screen. */
const SHOWN = 2
const DIFF = 'npx --no-install store-conformance diff certified.json reports'

/** What `verify` prints of a certificate that is what it says. @param path of the certificate */
function verifiedText(path: string, { report, signer, isExpected }: Verified, width?: number): string {
  const { profile, gate, seed, startedAt, requests, rules } = report
  const gating = rules.filter(rule => isGating(rule, gate))
  const failures = readingOf(report).causes.map(({ rules: [rule, ...others] }) => {
    const deciding = `exchange ${rule.exchanges.slice(-SHOWN).join(', ')} of ${LOG}`
    return `${namesOf([rule, ...others])}: ${rule.message}. Decided by ${deciding}`
  })
  const parts: Part[] = [
    { verdict: verdictSentence(report), standing: verdicts[report.verdict].standing },
    {
      facts: [
        ['signed by', signer],
        ['', isExpected ? 'the key in --key' : 'NOT CHECKED whose key this is'],
        ['store', targetText(report)],
        ['judged', `${rules.length} rules (${gating.length} gating) by ${count(requests)} exchanges`],
        ['', `profile ${profile}, gate ${gate}, seed ${seed}`],
        ...failures.slice(0, SHOWN).map(text => ['failed', text] as const),
        ['checked', 'Signature and digests. The log, judged again, gives every outcome of the report.'],
        ['only stated', `Address and name of the store, what the run left, and times: ${startedAt}.`],
        ['not proven', 'That the log is of that store, and complete: the signer could have written it.'],
      ],
    },
    {
      facts: [
        ['next', !isExpected && 'Get the public key of the vendor in a way that you trust: --key PUB.pem.'],
        ['fresh seed', 'Choose a seed, ask for a run with it (--seed), and look for it in the certificate.'],
        ['by yourself', 'Run the suite on the store that you use, and compare the reports:'],
        ['', { command: `unzip -p ${shellWord(path)} ${REPORT} > certified.json && ${DIFF}` }],
      ],
    },
  ]
  return `${terminal(parts, { width })}\n`
}
