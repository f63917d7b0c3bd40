import { judgement, reportOf } from '../../report/testing/fixtures.ts'
import { predicateOf, type Statement, statementOf } from '../statement.ts'

export const digest = 'ab'.repeat(32)

const hostile = '<b>Acme</b>\u202e'
const rule = 'cancel-shipped-409'
const expectedFailure = { reason: 'known', owner: 'Customer', expires: '2028-01-01' }
const report = reportOf({
  judgements: [
    judgement('a', 'passed'),
    judgement(rule, 'failed', { expectedFailure }),
    judgement('b', 'cantTell', { behind: rule, expectedFailure }),
    judgement('c', 'inapplicable', { message: 'no revoked key was given' }),
  ],
  store: { name: hostile, version: '3.2' },
})
const startedAt = Date.parse(report.startedAt)
const waivers = [{ ...expectedFailure, rule, operation: 'listOrders' }]
const settings = { baseUrl: 'https://store.example/v1', gate: 'implied', runs: 20, waivers } as never
const predicate = predicateOf({
  report,
  recording: { settings, startedAt, challenge: undefined },
  issuedAt: startedAt,
  validUntil: Date.UTC(2027, 10, 21, 10),
})

/** What a page shows of a certificate with a waiver. */
export const shown = (signers: readonly string[], more: Partial<Statement['predicate']> = {}) => ({
  statement: statementOf({ ...predicate, ...more }, new Map()),
  report,
  signers,
})
