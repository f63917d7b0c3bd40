import { shellWord } from '../http/curl.ts'
import { command, facts, paragraph, section, title, warnings } from '../report/document.ts'
import { dayText, html, plain } from '../report/html/markup.ts'
import { pageOf } from '../report/html/page.ts'
import type { Report } from '../report/report.ts'
import { capital, REFERENCE, storeText } from '../report/words.ts'
import type { Statement } from './statement.ts'
import { certificateFacts, claimSections, claims, keyText, signatureText, signedText } from './text.ts'

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
  const { title: result, waivers, baseUrl } = statement.predicate
  const { name, version } = report.description
  const keys = signers.map(id => `key ${keyText(id)}`).join(', ')
  return pageOf(`Certificate: ${storeName(shown)}`, [
    ...warnings(signers.length === 0 ? [signatureText({ signers, signatures: 0 })] : []),
    title(`${capital(result)}: ${storeName(shown)}`, waivers.length === 0 ? 'passed' : 'expected'),
    ...paragraph(`Certificate of conformance to the ${name} ${version}`),
    ...facts([
      ...certificateFacts(statement, report, timeText),
      ['signatures', signers.length === 0 ? 'none' : `${signedText(signers)}: ${keys}`],
    ]),
    ...claimSections(claims(baseUrl, signers.length, false)),
    ...section('How to check it', [
      ...paragraph(
        'This page proves nothing by itself. With certificate.zip and the public key of each signer, anybody can judge the recorded run again, without the store:',
      ),
      ...paragraph(command(verifyCommand(shown))),
      ...paragraph('The same with the store that you use, its address and your key:'),
      ...paragraph(command(`STORE_API_KEY=… ${verifyCommand(shown)} --confirm ${shellWord(baseUrl)}`)),
    ]),
  ])
}

const timeText = (iso: string): string => `${dayText(iso)}, ${iso.slice(11, 16)} UTC`

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
