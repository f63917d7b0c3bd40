import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readCertificate, writeCertificate } from './archive.ts'
import { evidenceOf, issue } from './certify.ts'
import { sha256 } from './digest.ts'
import { NotCheckable, Refused } from './refused.ts'
import { EVIDENCE, newChallenge } from './statement.ts'
import { recorded } from './testing/recorded.ts'
import { evidenceHead, evidenceText, ruleText } from './text.ts'
import { isEvidence, verifyCertificate, verifyEvidence } from './verify.ts'

const FAILED = 'cancel-shipped-409'
const API_KEY = 'a-Key+of/many=kinds~XyZ.0'
const run = await recorded({
  apiKey: API_KEY,
  changes: ['shipped-cancelled', 'third-cancel-succeeds'],
  named: true,
  settings: { profile: '1.0.0-stable' },
})
const files = evidenceOf(run, undefined)
const sound = await verifyEvidence(files)
const ruleCalled = (id: string) => sound.report.rules.find(each => each.id === id) ?? expect.fail(id)

// biome-ignore lint/suspicious/noExplicitAny: the alterations break the types on purpose
type Loose = any

/** The evidence with one file altered, and every digest recomputed as an attacker would do. */
function altered(name: string, alter: (file: Loose) => void): Map<string, Uint8Array> {
  const made = new Map(files)
  const parse = (each: string) => JSON.parse(Buffer.from(made.get(each) ?? '').toString('utf8'))
  const write = (each: string, value: unknown) =>
    made.set(each, Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`))
  const file = parse(name)
  if (name !== EVIDENCE) {
    alter(file)
    write(name, file)
  }
  const head = parse(EVIDENCE)
  for (const each of head.subject) each.digest.sha256 = sha256(made.get(each.name) ?? expect.fail(each.name))
  if (name === EVIDENCE) alter(head)
  write(EVIDENCE, head)
  return made
}

/** The exchange that shows the violation, in the recording. */
const shown = (recording: Loose) => {
  const exchanges = recording.events.filter(({ kind }: Loose) => kind === 'exchange')
  return exchanges[ruleCalled(FAILED).exchanges.at(-1) ?? 0]
}

describe('evidence of a store that is not conformant', () => {
  it('is judged again with the same outcomes', () => {
    expect(sound.report.verdict).toBe('nonconformant')
    expect(sound.report.rules).toEqual(run.report.rules)
    expect(sound.report.observations).toEqual(run.report.observations)
    expect(ruleCalled(FAILED).outcome).toBe('failed')
    const text = evidenceHead('evidence.zip') + evidenceText(sound)
    expect(text).toContain('evidence.zip: EVIDENCE, NOT A CERTIFICATE')
    expect(text).toContain('it has no statement, so it is evidence, not a certificate')
    expect(text).toMatch(/^✗ Not met: .*\n {2}cancel-shipped-409 · required · /m)
  })

  it('contains nothing of the API key', () => {
    const text = [...files.values()].map(each => Buffer.from(each)).join('\n')
    for (const spelling of [
      API_KEY,
      encodeURIComponent(API_KEY),
      Buffer.from(API_KEY).toString('base64').slice(0, -4),
    ])
      expect(text).not.toContain(spelling)
  })

  it('shows a rule with its statement, and its requests and responses with their places', () => {
    const rule = ruleCalled(FAILED)
    const text = ruleText(rule, sound.report, sound.recording, 'claimed')
    expect(text).toContain(`: ${rule.title}\n  ${FAILED} · required · `)
    expect(text).toContain(sound.report.description.clauses[rule.clause]?.says)
    expect(text).toMatch(/^outcome +failed, judged again; report.json says the same$/m)
    expect(text).toMatch(/^basis +claimed: .*which orders the vendor called pending or shipped$/m)
    expect(text).toContain(`  expected  ${rule.expected}\n  got       ${rule.actual}\n`)
    expect(text).toMatch(/\$ curl .*DELETE.*\n {2}< 204\n(.*\n)*^ {2}events\[\d+\]$/m)
    expect(text.match(/\$ curl/g)).toHaveLength(rule.exchanges.length)
    const escaped = ruleText({ ...rule, expected: '\u001b[2J' }, sound.report, sound.recording, undefined)
    expect(escaped).toContain('\\u001b[2J')
    expect(escaped).not.toContain('\u001b')
  })

  it('is read from an archive and from a folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-conformance-evidence-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    for (const as of ['archive', 'folder'] as const) {
      const path = join(folder, as)
      writeCertificate(files, path, as)
      expect(isEvidence(readCertificate(path))).toBe(true)
      expect(new Set(readCertificate(path).keys())).toEqual(new Set(files.keys()))
    }
  })

  it('needs its challenge: the values follow from it', async () => {
    const challenge = newChallenge()
    const made = await recorded({
      changes: ['shipped-cancelled'],
      named: true,
      challenge,
      settings: { seed: 0, profile: '1.0.0-stable' },
    })
    const own = evidenceOf(made, challenge)
    expect((await verifyEvidence(own, challenge)).report.rules).toEqual(made.report.rules)
    await expect(verifyEvidence(own, newChallenge())).rejects.toMatchObject({
      place: `${EVIDENCE}: challenge`,
    })
    await expect(verifyEvidence(evidenceOf(made, undefined))).rejects.toThrow(Refused)
  })
})

describe('evidence that was altered is refused', () => {
  it.each<[string, () => Map<string, Uint8Array>, place: RegExp]>([
    ['the notice', () => altered(EVIDENCE, file => (file.notice = 'certified')), /evidence\.json: notice/],
    [
      'the revision',
      () => altered(EVIDENCE, file => (file.profile.revision += 1)),
      /evidence\.json: profile/,
    ],
    [
      'a response of the contested rule',
      () => altered('recording.json', file => (shown(file).response.status = 409)),
      /report\.json: line|recording\.json: events/,
    ],
    [
      'a request of the contested rule',
      () => altered('recording.json', file => (shown(file).request.target += '1')),
      /recording\.json: events\[\d+\].*\.request/,
    ],
    [
      'the recorded outcome',
      () =>
        altered('report.json', file => {
          file.rules.find(({ id }: Loose) => id === FAILED).outcome = 'passed'
        }),
      /^report\.json: line/,
    ],
  ])('%s', async (_what, make, place) => {
    const error = await verifyEvidence(make()).catch(each => each)
    expect(error).toBeInstanceOf(Refused)
    expect(error.place).toMatch(place)
  })
})

it('evidence of another version of the suite is not checked, whatever it says', async () => {
  const made = altered(EVIDENCE, file => (file.suite.digest = '0'.repeat(64)))
  await expect(verifyEvidence(made)).rejects.toThrow(NotCheckable)
})

describe('evidence is no certificate', () => {
  const now = Date.now()

  it('as it is', async () => {
    await expect(verifyCertificate(files, { keys: [], now })).rejects.toMatchObject({
      place: 'envelope.json',
    })
  })

  it('with a statement in its place, or in addition', async () => {
    const certificate = issue(run, { keys: [], validDays: 1, issuedAt: now }).files
    await expect(verifyCertificate(certificate, { keys: [], now })).rejects.toMatchObject({
      place: expect.stringMatching(/^report\.json: /),
    })
    const both = new Map([...files, ...certificate])
    expect(isEvidence(both)).toBe(false)
    await expect(verifyCertificate(both, { keys: [], now })).rejects.toMatchObject({ place: EVIDENCE })
  })
})
