import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageRoot } from '../report/package-root.ts'
import { certificateBadge, certificatePage } from './page.ts'
import { digest, shown } from './testing/shown.ts'
import { claims } from './text.ts'

it('the page begins with UNSIGNED for an unsigned certificate, and lists its waivers', () => {
  const page = certificatePage(shown([]))
  expect(page.indexOf('UNSIGNED')).toBeLessThan(page.indexOf('<h1'))
  expect(page).toContain(
    'cancel-shipped-409 failed. The vendor says: &quot;known&quot;, accepted by &quot;Customer&quot; until 2028-01-01',
  )
  expect(page).toContain('because of cancel-shipped-409: b')
  expect(page).toContain('Conformant with 1 waiver, 1 rule not judged: ')
})

it('the page says what is not applicable and why, the number of cases, and what verify says', async () => {
  const page = certificatePage(shown([digest, 'cd'.repeat(32)], { challenge: digest }))
  for (const part of [
    '1 passed, 1 failed with a waiver, 1 not judged because of a waiver, 1 not applicable',
    '1 × No revoked key was given',
    '20 generated cases',
    '21 November 2027',
    'witnessed: key abababababababab…, key cdcdcdcdcdcdcdcd…',
    '--key signer.pub.pem --key witness.pub.pem --challenge',
    '--confirm https://store.example/v1',
    ...Object.values(claims('https://store.example/v1', 2, false)).flat(),
  ])
    expect(page).toContain(part)
  expect(page).not.toContain(digest)
})

it('the README says the same as verify and the page', () => {
  const plain = (text: string) => text.replace(/\s+/g, ' ')
  const readme = plain(readFileSync(new URL('README.md', packageRoot), 'utf8'))
  for (const sentence of Object.values(claims('https://staging.store.example/v1', 1, true)).flat())
    expect(readme).toContain(`- ${plain(sentence)}`)
})

it('the page escapes markup and hidden characters of the vendor, and quotes the address in its commands', () => {
  const page = certificatePage(shown([digest], { baseUrl: 'https://store.example/$(reboot);/v1' }))
  expect(page).not.toContain('UNSIGNED')
  expect(page).not.toContain('<b>Acme')
  expect(page).not.toContain('\u202e')
  expect(page).toContain('--confirm &#39;https://store.example/$(reboot);/v1&#39;')
})

it('the badge shows store, signer and last day, and is grey without a signer', () => {
  const waived = certificateBadge(shown([digest]))
  expect(waived).toContain(
    'conformant with 1 waiver, 1 rule not judged · key abababab · until 21 November 2027',
  )
  expect(waived).toContain('&lt;b&gt;Acme')
  expect(waived).not.toContain('\u202e')
  const [unsigned, signed, reference] = [
    certificateBadge(shown([])),
    certificateBadge(shown([digest], { waivers: [] })),
    certificateBadge(shown([digest], { waivers: [], reference: true })),
  ]
  const colours = [waived, unsigned, signed, reference].map(
    badge => /fill="(#(?!24292f|fff)\w+)"/.exec(badge)?.[1],
  )
  expect(colours).toEqual(['#7d4e00', '#57606a', '#116329', '#57606a'])
  expect(reference).toContain('The bundled reference store')
})
