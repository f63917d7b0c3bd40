import { html, verbatim } from '../report/html/template.ts'
import { visible } from '../report/html/text.ts'
import type { Statement } from './statement.ts'

export interface Shown {
  readonly statement: Statement
  /** Ids of the keys that have signed. */
  readonly signers: readonly string[]
}

const STYLE = `
@page { size: A4; margin: 20mm }
body { font: 11pt/1.5 system-ui, sans-serif; max-width: 170mm; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
h1 { font-size: 22pt; line-height: 1.2; margin: 0 0 .25em } h2 { font-size: 12pt; margin: 1.5em 0 .25em }
.verdict { border: 2px solid #1a7f37; padding: .75em 1em; font-size: 14pt } .warned { border-color: #9a6700 }
.unsigned { background: #fff1e5; border: 2px solid #bc4c00; padding: .5em 1em; font-weight: 600 }
table { border-collapse: collapse; width: 100% } th { text-align: left; width: 28%; font-weight: 600 }
th, td { padding: .3em .5em .3em 0; vertical-align: top; border-bottom: 1px solid #d0d7de; overflow-wrap: anywhere }
code { font-size: 9.5pt } @media print { body { margin: 0; max-width: none } }
`

/** The certificate as a page for people. It prints on one sheet of A4, and proves nothing by itself. */
export function certificatePage({ statement: { predicate }, signers }: Shown): string {
  const { title, store, baseUrl, reference, profile, gate, suite, counts, requests, waivers, errata } =
    predicate
  const { startedAt, issuedAt, validUntil, challenge, seed } = predicate
  const row = (name: string, value: string) =>
    html`<tr><th scope="row">${name}</th><td>${visible(value)}</td></tr>`
  const name = [store?.name, store?.version].filter(Boolean).join(' ') || baseUrl
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Certificate: ${visible(name)}</title><style>${verbatim(STYLE)}</style></head>
<body><main>
${signers.length === 0 && html`<p class="unsigned">UNSIGNED: anybody could have made this certificate.</p>`}
<h1>${visible(name)}</h1>
<p class="verdict${waivers.length > 0 ? ' warned' : ''}">Store Service Interface ${profile.name}: <strong>${title}</strong></p>
<table>
${row('Store', `${baseUrl}${reference ? ' (the bundled reference store)' : ''}`)}
${row('Profile', `${profile.name}, revision ${profile.revision}, gate ${gate}`)}
${row('Gating rules', `${counts.passed} passed, ${counts.inapplicable} not applicable`)}
${row('Run', `${startedAt}, ${requests} requests, ${challenge === undefined ? `seed ${seed}` : `challenge ${challenge}`}`)}
${row('Suite', `${suite.name} ${suite.version}, ${suite.digest}`)}
${row('Issued', issuedAt)}
${row('Valid until', validUntil)}
${signers.map((id, at) => row(at === 0 ? 'Signed by key' : 'and by key', id))}
</table>
${waivers.length > 0 && html`<h2>Waivers</h2><table>${waivers.map(({ rule, reason, owner, expires }) => row(rule, `${reason} (accepted by ${owner} until ${expires})`))}</table>`}
${errata.length > 0 && html`<h2>Errata</h2><table>${errata.map(({ rule, change, reason, date }) => row(rule, `${change} on ${date}: ${reason}`))}</table>`}
<h2>How to check it</h2>
<p>This page proves nothing by itself. With the file certificate.zip and the public key of the signer, anybody can judge the recorded run again, without the store:</p>
<p><code>npx store-conformance verify certificate.zip --key signer.pub.pem</code></p>
<p>Only the signers vouch that the recorded exchanges took place with the store.</p>
</main></body></html>
`
  return String(page)
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A badge for a web page. It shows who signed, and until when the certificate is valid. */
export function certificateBadge({ statement: { predicate }, signers }: Shown): string {
  const { title, profile, validUntil, waivers } = predicate
  const signer = signers[0] === undefined ? 'unsigned' : `key ${signers[0].slice(0, 8)}`
  const left = `Store Service Interface ${profile.name}`
  const right = `${title} · ${signer} · until ${validUntil.slice(0, 10)}`
  const [leftWidth, rightWidth] = [left.length * 6.6 + 16, right.length * 6.6 + 16].map(Math.round) as [
    number,
    number,
  ]
  const width = leftWidth + rightWidth
  const colour = signers.length === 0 ? '#57606a' : waivers.length > 0 ? '#7d4e00' : '#116329'
  const safe = (text: string) => text.replace(/[&<>"]/g, each => escapes[each] ?? '')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="22" role="img" aria-label="${safe(`${left}: ${right}`)}">
<title>${safe(`${left}: ${right}`)}</title>
<rect width="${leftWidth}" height="22" fill="#24292f"/><rect x="${leftWidth}" width="${rightWidth}" height="22" fill="${colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="8" y="15" textLength="${leftWidth - 16}">${safe(left)}</text><text x="${leftWidth + 8}" y="15" textLength="${rightWidth - 16}">${safe(right)}</text></g>
</svg>
`
}
