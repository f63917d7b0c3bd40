import { shellWord } from '../http/curl.ts'
import {
  code,
  command,
  dateView,
  dayText,
  definitions,
  type Fragment,
  html,
  mark,
  pageOf,
  plain,
  visible,
} from '../report/html/markup.ts'
import { readingOf } from '../report/reading.ts'
import type { Report } from '../report/report.ts'
import { capital, causeText, plural, REFERENCE, storeText } from '../report/words.ts'
import type { Statement } from './statement.ts'
import { claims, countsText, keyText, signatureText, signedText, waitingText, waiverText } from './text.ts'

export interface Shown {
  readonly statement: Statement
  readonly report: Pick<Report, 'gate' | 'rules' | 'store' | 'description'>
  /** Ids of the keys that have signed. */
  readonly signers: readonly string[]
}

const storeName = ({ statement: { predicate }, report }: Shown): string =>
  predicate.reference ? capital(REFERENCE) : storeText(report.store) || predicate.baseUrl

/** The certificate as a page for people. It prints on one sheet of A4, and proves nothing by itself. */
export function certificatePage(shown: Shown): string {
  const { statement, signers, report } = shown
  const { title, waivers, errata, baseUrl } = statement.predicate
  const { proved, notProved, next } = claims(baseUrl, signers.length, false)
  const { name, version } = report.description
  const body = html`${signers.length === 0 && html`<p class="warnings"><b>${signatureText({ signers, signatures: 0 })}</b></p>`}
<header class="masthead ${waivers.length === 0 ? 'conformant' : 'incomplete'}">
<p class="note">${name} ${version}, certificate of conformance</p>
<h1>${mark(waivers.length === 0 ? 'passed' : 'expected')} <span class="verdict">${capital(title)}:</span> ${visible(storeName(shown))}</h1>
</header>
<main>
${definitions('facts', facts(shown))}
${
  waivers.length > 0 &&
  html`<section aria-labelledby="waivers"><h2 id="waivers">Waivers</h2>${definitions(
    'facts',
    waivers.map(each => [
      code(each.rule),
      html`Failed. The vendor says: ${visible(waiverText(each))}${each.waiting.length > 0 && html` <span class="note">${waitingText(each)}</span>`}`,
    ]),
  )}</section>`
}
${
  errata.length > 0 &&
  html`<section aria-labelledby="errata"><h2 id="errata">Errata</h2>${definitions(
    'facts',
    errata.map(({ rule, change, reason, date }) => [
      code(rule),
      html`${change} on ${date}: ${visible(reason)}`,
    ]),
  )}</section>`
}
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

const sentences = (all: readonly string[]): Fragment =>
  html`${all.map((each, at) => html`${at > 0 && html`<br>`}${visible(each)}`)}`

function facts(shown: Shown): [string, Fragment | string][] {
  const { statement, report, signers } = shown
  const { baseUrl, profile, gate, suite, requests, runs } = statement.predicate
  const { startedAt, issuedAt, validUntil, challenge, seed } = statement.predicate
  const aside = readingOf(report).inapplicable.map(
    group => `${group.rules.length} × ${causeText(group).replace(/\.$/, '')}`,
  )
  return [
    ['Address', code(baseUrl)],
    [
      'Gating rules',
      html`${countsText(statement.predicate)}${aside.length > 0 && html` <span class="note">${visible(aside.join('; '))}</span>`}`,
    ],
    ['Profile', `${profile.name}, revision ${profile.revision}, gate ${gate}`],
    [
      'Run',
      html`${dateView(startedAt)}, ${plural(requests, 'request')}, ${plural(runs, 'generated case')} for each property, ${challenge === undefined ? `seed ${seed}, no challenge` : `challenge ${keyText(challenge)}`}`,
    ],
    ['Suite', `${suite.name} ${suite.version}, digest ${keyText(suite.digest)}`],
    ['Issued', dateView(issuedAt)],
    ['Valid until', dateView(validUntil)],
    [
      'Signatures',
      signers.length === 0
        ? 'none'
        : html`${signedText(signers)}: ${signers.map((id, at) => `${at > 0 ? ', ' : ''}key ${keyText(id)}`)}`,
    ],
    ['Confirmed', 'not on this page: a customer confirms it on the store in use'],
  ]
}

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
