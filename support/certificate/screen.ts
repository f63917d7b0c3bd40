import { isGating } from '../interface/verdict.ts'
import type { Part } from '../report/document.ts'
import { type Cause, readingOf } from '../report/reading.ts'
import { terminal } from '../report/terminal.ts'
import { count, firstOf, namesOf, targetText, verdictSentence, verdicts } from '../report/words.ts'
import { shellWord } from '../wire/curl.ts'
import { LOG, REPORT } from './archive.ts'
import type { Verified } from './certificate.ts'

/** Failures, and exchanges of each, that are shown: everything must fit on a screen. */
const SHOWN = 2
const DIFF = 'npx --no-install store-conformance diff certified.json reports'

/** What `verify` prints of a certificate that is what it says. @param path of the certificate */
export function verifiedText(path: string, { report, log, signer, isExpected }: Verified, width?: number) {
  const { profile, gate, seed, startedAt, requests, rules } = report
  const { causes } = readingOf(report)
  const gating = rules.filter(each => isGating(each, gate))
  const open = gating.filter(({ outcome }) => !['passed', 'failed'].includes(outcome))
  const ids = [...new Set(open.map(({ id }) => id))]
  const parts: Part[] = [
    { verdict: verdictSentence(report), standing: verdicts[report.verdict].standing },
    {
      facts: [
        ['signed by', signer],
        ['', isExpected ? 'the key in --key' : 'NOT CHECKED whose key this is'],
        ['store', targetText(report)],
        ['judged', `${rules.length} rules (${gating.length} gating) by ${count(requests)} exchanges`],
        ['', `profile ${profile}, gate ${gate}, seed ${seed}`],
        ['not tested', open.length > 0 && `${count(open.length)} gating: ${firstOf(ids)}`],
        ...causes.slice(0, SHOWN).map(each => ['failed', failureText(each, log.exchanges)] as const),
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

/** A failure, with the exchanges that decide it. */
function failureText({ rules: [rule, ...others] }: Cause, exchanges: Verified['log']['exchanges']): string {
  const shown = rule.exchanges.slice(-SHOWN).flatMap(at => exchanges[at] ?? [])
  const texts = shown.map(({ at, request: { method, url }, response, problem }) => {
    return `${at} (${method} ${url.replace(/^\w+:\/\/[^/]*/, '')}: ${response?.status ?? problem?.kind})`
  })
  return `${namesOf([rule, ...others])}: ${rule.message}. Decided by exchange ${texts.join(', ')} of ${LOG}`
}
