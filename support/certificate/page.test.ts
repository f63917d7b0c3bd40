import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageRoot } from '../report/package-root.ts'
import { certificateBadge, certificatePage } from './page.ts'
import type { Statement } from './statement.ts'
import { digest, shown } from './testing/shown.ts'
import { claims } from './text.ts'

it('the page begins with UNSIGNED for an unsigned certificate, and lists its waivers', () => {
  const page = certificatePage(shown([]))
  expect(page.indexOf('UNSIGNED')).toBeLessThan(page.indexOf('<h1'))
  expect(page).toContain(
    'cancel-shipped-409 failed. The vendor says: &quot;known&quot;, accepted by &quot;Customer&quot; until 2027-01-01',
  )
  expect(page).toContain('because of cancel-shipped-409: b')
  expect(page).toContain('Conformant with 1 waiver: ')
})

it('the page says what is not applicable and why, the number of cases, and what verify says', async () => {
  const page = certificatePage(shown([digest, 'cd'.repeat(32)], { challenge: digest }))
  for (const part of [
    '190 passed, 1 failed with a waiver, 1 not judged because of a waiver, 2 not applicable',
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

it.each<[string[], Partial<Statement['predicate']>, string, string]>([
  [[], {}, 'unsigned', '#57606a'],
  [[digest], {}, 'key abababab', '#7d4e00'],
  [[digest], { waivers: [] }, 'key abababab', '#116329'],
  [[digest], { waivers: [], reference: true }, 'key abababab', '#57606a'],
])('the badge shows store, signer and last day (%j, %j)', (signers, more, who, colour) => {
  const badge = certificateBadge(shown(signers, more))
  expect(badge).toContain(`conformant with 1 waiver · ${who} · until 21 November 2027`)
  expect(badge).toContain(`fill="${colour}"`)
  expect(badge).toContain('reference' in more ? 'The bundled reference store' : '&lt;b&gt;Acme')
  expect(badge).not.toContain('\u202e')
})
