import { shellWord } from '../http/curl.ts'
import {
  command,
  dayText,
  definitions,
  type Fragment,
  html,
  mark,
  pageOf,
  plain,
  visible,
} from '../report/html/markup.ts'
import type { Report } from '../report/report.ts'
import { capital, REFERENCE, storeText } from '../report/words.ts'
import type { Statement } from './statement.ts'
import { certificateFacts, claims, keyText, signatureText, signedText } from './text.ts'

export interface Shown {
  readonly statement: Statement
  readonly report: Report
  /** Ids of the keys that have signed. */
  readonly signers: readonly string[]
}

const storeName = ({ statement: { predicate }, report }: Shown): string =>
  predicate.reference ? capital(REFERENCE) : storeText(report.store) || predicate.baseUrl

/** The certificate as a page for people. It prints on one sheet of A4, and proves nothing by itself. */
export function certificatePage(shown: Shown): string {
  const { statement, signers, report } = shown
  const { title, waivers, baseUrl } = statement.predicate
  const { proved, notProved, next } = claims(baseUrl, signers.length, false)
  const { name, version } = report.description
  const facts = [
    ...certificateFacts(statement, report, timeText),
    [
      'signatures',
      signers.length === 0
        ? 'none'
        : `${signedText(signers)}: ${signers.map(id => `key ${keyText(id)}`).join(', ')}`,
    ],
  ] as const
  const body = html`${signers.length === 0 && html`<p class="warnings"><b>${signatureText({ signers, signatures: 0 })}</b></p>`}
<header class="masthead ${waivers.length === 0 ? 'conformant' : 'incomplete'}">
<p class="note">${name} ${version}, certificate of conformance</p>
<h1>${mark(waivers.length === 0 ? 'passed' : 'expected')} <span class="verdict">${capital(title)}:</span> ${visible(storeName(shown))}</h1>
</header>
<main>
${definitions(
  'facts',
  facts.map(([name, text]) => [capital(name), visible(text, { limit: 10_000 })]),
)}
<section aria-labelledby="claims"><h2 id="claims">What it proves</h2>
${definitions('facts', [
  ['Proved', sentences(proved)],
  ['Not proved', sentences(notProved)],
  ['What to do', sentences(next)],
])}</section>
<section aria-labelledby="check"><h2 id="check">How to check it</h2>
<p>This page proves nothing by itself. With certificate.zip and the public key of each signer, anybody can judge the recorded run again, without the store:</p>
${command(verifyCommand(shown), 'command')}
<p>The same with the store that you use, its address and your key:</p>
${command(`STORE_API_KEY=… ${verifyCommand(shown)} --confirm ${shellWord(baseUrl)}`, 'command')}</section>
</main>`
  return pageOf({ title: `Certificate: ${plain(storeName(shown))}`, body })
}

const timeText = (iso: string): string => `${dayText(iso)}, ${iso.slice(11, 16)} UTC`

const sentences = (all: readonly string[]): Fragment =>
  html`${all.map((each, at) => html`${at > 0 && html`<br>`}${visible(each)}`)}`

const verifyCommand = ({ statement: { predicate }, signers }: Shown): string =>
  [
    'npx store-conformance verify certificate.zip',
    ...signers.map((_id, at) => `--key ${at === 0 ? 'signer' : `witness${at > 1 ? `-${at}` : ''}`}.pub.pem`),
    ...(predicate.challenge === undefined ? [] : ['--challenge "$(cat challenge.txt)"']),
  ].join(' ')

/** Characters of the name of a store on the badge. */
const NAME = 60

/** A badge for a web page: store, result, signer and last day. It is grey if nobody signed, and for the reference store. */
export function certificateBadge(shown: Shown): string {
  const { title, profile, reference, validUntil, waivers } = shown.statement.predicate
  const [signer] = shown.signers
  const left = plain(storeName(shown), NAME)
  const by = signer === undefined ? 'unsigned' : `key ${signer.slice(0, 8)}`
  const right = `Store Service Interface ${profile.name} · ${title} · ${by} · until ${dayText(validUntil)}`
  const [leftWidth, rightWidth] = [widthOf(left), widthOf(right)]
  const colour = signer === undefined || reference ? '#57606a' : waivers.length > 0 ? '#7d4e00' : '#116329'
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${leftWidth + rightWidth}" height="22" role="img" aria-label="${left}: ${right}">
<title>${left}: ${right}</title>
<rect width="${leftWidth}" height="22" fill="#24292f"/><rect x="${leftWidth}" width="${rightWidth}" height="22" fill="${colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="8" y="15" textLength="${leftWidth - 16}">${left}</text><text x="${leftWidth + 8}" y="15" textLength="${rightWidth - 16}">${right}</text></g>
</svg>
`.toString()
}

const widthOf = (text: string): number => Math.round(text.length * 6.6 + 16)
