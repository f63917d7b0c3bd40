import { expect, it } from 'vitest'
import { certificateBadge, certificatePage } from './page.ts'
import type { Statement } from './statement.ts'

const digest = 'ab'.repeat(32)
const statement: Statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [],
  predicateType: 'https://store-conformance.example/certificate/v1',
  predicate: {
    title: 'conformant with 1 waiver',
    store: { name: '<b>Acme</b>\u202e' },
    baseUrl: 'https://store.example/v1',
    profile: { name: '1.0.0', revision: 1, digest },
    gate: 'implied',
    suite: { name: 'store-conformance', version: '0.1.0', digest },
    seed: 1,
    startedAt: '2026-11-21T10:00:00.000Z',
    finishedAt: '2026-11-21T10:00:01.000Z',
    issuedAt: '2026-11-21T10:00:02.000Z',
    validUntil: '2027-11-21T10:00:02.000Z',
    counts: { passed: 190, failed: 0, cantTell: 0, inapplicable: 2, untested: 0 },
    requests: 700,
    waivers: [
      {
        rule: 'cancel-shipped-409',
        operation: 'cancelOrder',
        reason: 'known',
        owner: 'Customer',
        expires: '2027-01-01',
      },
    ],
    errata: [],
  },
}

it('the page begins with UNSIGNED for an unsigned certificate, and lists its waivers', () => {
  const page = certificatePage({ statement, signers: [] })
  expect(page.indexOf('UNSIGNED')).toBeLessThan(page.indexOf('<h1>'))
  expect(page).toContain('accepted by Customer until 2027-01-01')
  expect(page).toContain('<strong>conformant with 1 waiver</strong>')
})

it('the page escapes markup and hidden characters of the vendor', () => {
  const page = certificatePage({ statement, signers: [digest] })
  expect(page).not.toContain('UNSIGNED')
  expect(page).not.toContain('<b>Acme')
  expect(page).not.toContain('\u202e')
})

it.each([
  [[], 'unsigned'],
  [[digest], 'key abababab'],
] as const)('the badge shows the signers and the last valid day (%j)', (signers, who) => {
  expect(certificateBadge({ statement, signers })).toContain(
    `conformant with 1 waiver · ${who} · until 2027-11-21`,
  )
})
