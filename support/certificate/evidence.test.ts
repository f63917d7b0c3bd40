import { expect, it } from 'vitest'
import { evidenceOf, issue } from './certify.ts'
import type { CertificateFiles } from './statement.ts'
import { alterContent } from './testing/alter.ts'
import { recorded } from './testing/recorded.ts'
import { isEvidence, verifyCertificate, verifyEvidence } from './verify.ts'

const API_KEY = 'a-Key+of/many=kinds~XyZ.0'
const challenge = 'ab'.repeat(32)
const run = await recorded({
  apiKey: API_KEY,
  changes: ['shipped-cancelled', 'third-cancel-succeeds'],
  named: true,
  challenge,
  settings: { seed: 0, profile: '1.0.0-stable' },
})
const files = evidenceOf(run)

it('evidence of a store that is not conformant is judged again with the same outcomes', async () => {
  const { report } = await verifyEvidence(files, challenge)
  expect(report.verdict).toBe('nonconformant')
  expect(report.rules).toEqual(run.report.rules)
  expect(report.observations).toEqual(run.report.observations)
})

it('evidence contains nothing of the API key', () => {
  const text = [...files.values()].map(each => Buffer.from(each)).join('\n')
  const base64 = Buffer.from(API_KEY).toString('base64').slice(0, -4)
  for (const spelling of [API_KEY, encodeURIComponent(API_KEY), base64]) expect(text).not.toContain(spelling)
})

it.each<[string, CertificateFiles, place: RegExp, challenge?: string]>([
  [
    'another notice',
    alterContent(files, ({ statement }) => (statement.notice = 'certified')),
    /evidence\.json: notice/,
  ],
  [
    'another revision',
    alterContent(files, ({ statement }) => (statement.profile.revision += 1)),
    /evidence\.json: profile/,
  ],
  [
    'a title edited',
    alterContent(files, ({ report }) => (report.rules[0].title = 'x')),
    /report\.json: line/,
  ],
  ['another challenge', files, /evidence\.json: challenge/, 'cd'.repeat(32)],
  [
    'no challenge',
    evidenceOf({ ...run, recording: { ...run.recording, challenge: undefined } }),
    /recording\.json: events/,
  ],
])('evidence with %s is refused', async (_title, made, place, expected) => {
  await expect(verifyEvidence(made, expected)).rejects.toMatchObject({
    name: 'Refused',
    place: expect.stringMatching(place),
  })
})

const now = Date.now()
const { files: certificate } = issue(run, { keys: [], validDays: 1, issuedAt: now })

it.each<[string, CertificateFiles, place: RegExp]>([
  ['as it is', files, /^envelope\.json$/],
  ['with a statement in place of its head', certificate, /^report\.json: /],
  ['with a statement in addition', new Map([...files, ...certificate]), /^evidence\.json$/],
])('evidence is no certificate, %s', async (_title, made, place) => {
  expect(isEvidence(made)).toBe(made === files)
  await expect(verifyCertificate(made, { keys: [], now })).rejects.toMatchObject({
    place: expect.stringMatching(place),
  })
})
