import { judgement, reportOf } from '../../report/testing/fixtures.ts'
import type { Statement } from '../statement.ts'

export const digest = 'ab'.repeat(32)
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
    runs: 20,
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
        waiting: ['b'],
      },
    ],
    errata: [],
  },
}

const judged = reportOf({
  judgements: [
    judgement('a', 'passed'),
    judgement('b', 'inapplicable', { message: 'no revoked key was given' }),
  ],
  store: { name: '<b>Acme</b>\u202e', version: '3.2' },
})
/** What a page shows of a certificate with a waiver. */
export const shown = (signers: readonly string[], more: Partial<Statement['predicate']> = {}) => ({
  statement: { ...statement, predicate: { ...statement.predicate, ...more } },
  report: judged,
  signers,
})
