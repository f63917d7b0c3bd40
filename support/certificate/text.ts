import { type Block, facts, list, paragraph, section } from '../report/document.ts'
import { documentOf } from '../report/sections.ts'
import { terminal } from '../report/terminal.ts'
import { count, plural } from '../report/words.ts'
import type { Verified } from './verify.ts'

/** The beginning of a digest, as people compare it. */
export const keyText = (digest: string): string => `${digest.slice(0, 16)}…`

/** What `verify` prints of a certificate that is what it says: for a terminal, so nothing of the vendor is a control character. */
export function verifiedText(path: string, { statement, report, signer }: Verified): string {
  const { baseUrl, store, suite, profile, gate, seed, startedAt } = statement.predicate
  const { warnings, findings, judged, verdict } = documentOf(report, 'short')
  const { requests, rules, target } = report
  const name = [store?.name, store?.version, baseUrl].filter(Boolean).join(' ')
  return `${terminal([
    ...paragraph(`${path}: ${report.verdict}`),
    ...facts([
      ['store', `${name}${target.reference ? ' (the bundled reference store)' : ''}`],
      ['profile', `${profile.name}, revision ${profile.revision}, gate ${gate}`],
      ['run', `${startedAt}, ${plural(requests, 'request')}, seed ${seed}`],
      ['suite', `${suite.name} ${suite.version}, digest ${keyText(suite.digest)}`],
    ]),
    ...warnings,
    ...findings,
    ...judged,
    verdict,
    ...sentences('Checked', [
      signer === undefined
        ? 'NOT the signature: give the public key that you trust with --key.'
        : `The signature, by the key ${keyText(signer)}.`,
      `${count(rules.length)} rules were judged again from the recorded requests and responses, each with the same outcome.`,
    ]),
    ...sentences('Only stated by the signer', [
      `That the responses came from ${baseUrl}, at that time, and the name and version of the store.`,
      'Which orders were pending or shipped before the run, and that no response contained the API key.',
    ]),
    ...sentences('What a signature cannot prove', [
      'That the recording was not changed before it was signed, or made with another program in place of the store.',
      'That this was the only run, and that the store behaves in the same way when it is not tested.',
      `To get fresh values, give the vendor a seed. To see for yourself, run the suite on the store that you use, and compare the reports with diff.`,
    ]),
  ])}\n`
}

const sentences = (heading: string, all: readonly string[]): Block[] =>
  section(heading, list(all.map(text => ({ text }))))
