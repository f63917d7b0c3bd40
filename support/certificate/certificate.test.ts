import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { unzip, zip } from './archive.ts'
import { certificateOf } from './certify.ts'
import { keyId } from './dsse.ts'
import { NotCheckable, Refused } from './refused.ts'
import { ENVELOPE } from './statement.ts'
import {
  alterContent,
  alterFiles,
  type Loose,
  type Parts,
  put,
  replaceBody,
  replacing,
} from './testing/alter.ts'
import { type RecordedStore, recordedRun } from './testing/recorded.ts'
import { verifyCertificate } from './verify.ts'

const API_KEY = 'a-Key+of/many=kinds~XyZ.0'
const vendor = generateKeyPairSync('ed25519').privateKey
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const STABLE = { profile: '1.0.0-stable' }
const accepted = {
  rule: 'cancel-shipped-4*',
  operation: 'cancelOrder',
  reason: 'known, “accepted”',
  owner: 'Zoo',
  expires: '2099-12-31',
  lines: [1, 6] as const,
}

/** The runs, with their verdicts. */
const runs: Readonly<Record<string, readonly [verdict: string, store: RecordedStore]>> = {
  'of arranged orders': ['conformant', { settings: STABLE }],
  'of named orders, for a store with a name, with the gate advisory': [
    'conformant',
    {
      named: true,
      settings: { storeName: 'Zoo "Ü" \\ 動物', storeVersion: '1/2', gate: 'advisory', concurrency: 3 },
    },
  ],
  'of a store with faults': [
    'nonconformant',
    {
      apiKey: API_KEY,
      named: true,
      changes: ['shipped-cancelled', 'third-cancel-succeeds'],
      settings: STABLE,
    },
  ],
  'with an expected failure, and without some rules': [
    'partial',
    {
      changes: ['orders-newest-first', 'pretty', 'further-headers', 'shipped-cancelled'],
      expectedFailures: { file: 'expected.yaml', entries: [accepted] },
      settings: { only: 'cancelOrder,listOrders', skip: 'list-orders-*' },
    },
  ],
  'of a run that sent only GET requests': ['incomplete', { settings: { ...STABLE, readOnly: 'true' } }],
}

it.each(Object.entries(runs).map(([name, run], at) => [name, at % 2 ? p256 : vendor, ...run] as const))(
  'a certificate %s is judged again with the same outcomes, and does not contain the key',
  async (_name, key, verdict, store) => {
    const run = await recordedRun(store)
    const files = unzip(zip(certificateOf(run, key)))
    const { report, signer, statement } = await verifyCertificate(files, createPublicKey(key))
    expect([report.verdict, statement.predicate.verdict, signer]).toEqual([verdict, verdict, keyId(key)])
    expect(report.rules).toEqual(run.report.rules)
    expect(report.observations).toEqual(run.report.observations)
    const text = [...files.values()].map(each => Buffer.from(each)).join('\n')
    const base64 = Buffer.from(API_KEY).toString('base64').slice(0, -4)
    for (const spelling of [API_KEY, encodeURIComponent(API_KEY), base64])
      expect(text).not.toContain(spelling)
  },
)

const base = certificateOf(await recordedRun({ named: true, settings: STABLE }), vendor)
const arranged = certificateOf(await recordedRun({ settings: STABLE }), vendor)

const isExchange = ({ kind }: Loose): boolean => kind === 'exchange'
const exchange = ({ recording }: Parts, matches: (event: Loose) => boolean = () => true) =>
  recording.events.find((each: Loose) => isExchange(each) && each.response && matches(each))
const isList = (operation: string) => (each: Loose) =>
  each.response.body && each.operation === operation && each.response.status === 200
const hasId = ({ request }: Loose): boolean =>
  request.headers.some(([name]: [string]) => name === 'X-Request-Id')
const idOf = ({ request }: Loose) => request.headers.find(([name]: [string]) => name === 'X-Request-Id')

type Files = Map<string, Buffer>
const firstBody = (files: Files): string => [...files.keys()].find(name => name.startsWith('bodies/')) ?? ''

/** Files in which no digest was recomputed. */
const FILES: Readonly<Record<string, readonly [alter: (files: Files) => unknown, place: RegExp]>> = {
  'without the envelope': [files => files.delete(ENVELOPE), /^envelope\.json$/],
  'without the report': [files => files.delete('report.json'), /^report\.json$/],
  'without the recording': [files => files.delete('recording.json'), /^recording\.json$/],
  'with a further file': [files => files.set('notes.json', Buffer.from('{}')), /notes/],
  'without a body': [files => files.delete(firstBody(files)), /bodies/],
  'with a body edited': [files => files.set(firstBody(files), Buffer.from('[]')), /bodies/],
  'with the report edited': [replacing('report.json', '"passed"', '"failed"'), /report/],
  'with the recording edited': [replacing('recording.json', '"GET"', '"PUT"'), /recording/],
  'with a byte order mark': [replacing(ENVELOPE, /^/, '\ufeff'), /envelope/],
  'with a member twice': [replacing(ENVELOPE, '{', '{"signatures":[],'), /envelope/],
  'with text after the JSON': [replacing(ENVELOPE, /$/, '{}'), /envelope/],
  'with a file that is not UTF-8': [files => files.set(ENVELOPE, Buffer.of(0xff, 0x7b)), /envelope/],
  'with another payload type': [replacing(ENVELOPE, 'in-toto+json', 'in-toto+JSON'), /envelope/],
  'with a line break in base64': [replacing(ENVELOPE, '"payload": "', '"payload": "\\n'), /payload/],
  'with an unknown member': [replacing(ENVELOPE, '{', '{"verified":true,'), /envelope/],
  'with another payload': [
    replacing(ENVELOPE, /"payload": "[^"]*"/, `"payload": "${Buffer.from('{}').toString('base64')}"`),
    /payload/,
  ],
  'with a signature edited': [replacing(ENVELOPE, /"sig": "..../, '"sig": "AAAA'), /signatures/],
  'with two signatures': [
    replacing(ENVELOPE, /"signatures": \[\s*(\{[^}]*\})/, '"signatures": [$1, $1'),
    /signatures/,
  ],
}

const everywhere =
  (...paths: readonly string[]) =>
  (value: unknown) =>
    put(Object.fromEntries(paths.map(path => [path, value])))
const putAddress = everywhere(
  'statement.predicate.baseUrl',
  'report.target.baseUrl',
  'recording.settings.baseUrl',
)
const dropRule = (level: string) => (parts: Parts) => {
  const dropped = parts.report.rules.find((rule: Loose) => rule.level === level)
  parts.report.rules = parts.report.rules.filter((rule: Loose) => rule !== dropped)
}

/** Content with every digest recomputed and signed again: what a vendor with its own key can write. */
const CONTENT: Readonly<Record<string, readonly [alter: (parts: Parts) => unknown, place: RegExp]>> = {
  ...Object.fromEntries(
    [
      ['verdict', 'incomplete'],
      ['seed', 2],
      ['requests', 1],
      ['requests', -1],
      ['requests', '5'],
      ['gate', 'advisory'],
      ['store', { name: 'Other Store' }],
      ['reference', true],
      ['baseUrl', 'http://other.test/v1'],
      ['startedAt', '2020-01-01T00:00:00.000Z'],
      ['counts.passed', 1],
      ['profile.digest', 'ab'.repeat(32)],
      ['profile.name', '1.0.0'],
      ['suite.version', '9.9.9'],
      ['assurance', 'high'],
    ].map(([path, value]) => [
      `with ${path} ${JSON.stringify(value)}`,
      [put({ [`statement.predicate.${path}`]: value }), /predicate/] as const,
    ]),
  ),
  'with one subject': [({ statement }) => statement.subject.pop(), /subject/],
  'with subjects in another order': [({ statement }) => statement.subject.reverse(), /subject/],
  'with a host that looks like another': [putAddress('http://stоre.test/v1'), /baseUrl/],
  'with a password in the address': [putAddress('http://a:b@store.test/v1'), /baseUrl/],
  'with another address': [putAddress('http://other.test/v1'), /recording\.json: events/],
  'with another seed': [
    everywhere('statement.predicate.seed', 'report.seed', 'recording.settings.seed')(2),
    /recording\.json: events/,
  ],
  'with fewer generated cases': [put({ 'recording.settings.runs': 1 }), /settings/],
  'with the gate required': [
    everywhere('statement.predicate.gate', 'report.gate', 'recording.settings.gate')('required'),
    /settings\.gate/,
  ],
  'with more in flight than is possible': [put({ 'recording.settings.concurrency': 0 }), /concurrency/],
  'with a selection': [put({ 'recording.settings.only': ['listOrders'] }), /recording|report/],
  'with an unknown selection': [put({ 'recording.settings.only': ['nothing'] }), /^recording\.json$/],
  'with an expected failure': [
    put({ 'recording.settings.expectedFailures': { file: 'x', entries: [accepted] } }),
    /^report\.json: line/,
  ],
  'with a body without an exchange': [
    parts => replaceBody(parts, '', Buffer.from('nobody sent it')),
    /bodies/,
  ],
  'with a missing body': [parts => (exchange(parts).response.body = 'ab'.repeat(32)), /bodies/],
  'with a response and a problem': [
    parts => (exchange(parts).problem = { kind: 'timeout', message: '' }),
    /events/,
  ],
  'with neither a response nor a problem': [parts => delete exchange(parts).response, /events/],
  'with a number twice': [parts => (exchange(parts, each => each.nth === 1).nth = 0), /events/],
  'with a status that HTTP does not have': [parts => (exchange(parts).response.status = 99), /events/],
  'with an input of another kind': [parts => (exchange(parts).kind = 'exchanged'), /events/],
  'with the id of a request edited': [parts => (idOf(exchange(parts, hasId))[1] = 'ab'.repeat(16)), /events/],
  'without a gating rule': [dropRule('required'), /predicate|report/],
  'without a rule that does not gate': [dropRule('advisory'), /predicate\.profile$/],
  'with a rule twice': [({ report }) => report.rules.push(report.rules[0]), /predicate|report/],
  'with a rule that does not exist': [({ report }) => (report.rules[0].id = 'x'), /predicate|report/],
  'with another outcome': [put({ 'report.rules[0].outcome': 'failed' }), /^report\.json: line/],
  'with another title': [put({ 'report.rules[0].title': 'The store is perfect' }), /^report\.json: line/],
  'with another observation': [put({ 'report.observations[0].saw': 'nothing' }), /^report\.json: line/],
  'with a response edited': [
    parts => replaceBody(parts, exchange(parts, isList('listOrders')).response.body, Buffer.from('[]')),
    /recording|report/,
  ],
  'with a body cut': [
    parts => {
      const { body } = exchange(parts, isList('listInventory')).response
      replaceBody(parts, body, (parts.files.get(`bodies/${body}`) ?? Buffer.of()).subarray(0, -5))
    },
    /recording|report/,
  ],
  'with a status edited': [
    parts =>
      (exchange(parts, each => each.step === 'with a key that was never issued').response.status = 404),
    /^report\.json: line/,
  ],
  'with a request edited': [parts => exchange(parts).request.headers.push(['X-Real', 'yes']), /request/],
  'with a step edited': [parts => (exchange(parts).step = 'another'), /step/],
  'with two exchanges swapped': [
    ({ recording: { events } }) => {
      // The second is sent only after the first was answered.
      const [one, other] = ['a pending order', 'the same order again'].map(step =>
        events.findIndex((each: Loose) => each.step === step),
      )
      ;[events[one], events[other]] = [events[other], events[one]]
    },
    /cancelled twice/,
  ],
  'with an exchange that the run does not send': [
    ({ recording: { events }, report, statement }) => {
      const last = events.findLast(isExchange)
      const nth = events.filter((each: Loose) => isExchange(each) && each.scenario === last.scenario).length
      events.push({ ...last, nth, request: { method: 'GET', target: '/v1/inventory', headers: [] } })
      report.requests += 1
      statement.predicate.requests += 1
    },
    /events/,
  ],
}

describe('a certificate is refused', () => {
  const publicKey = createPublicKey(vendor)
  const placeOf = (files: Parameters<typeof verifyCertificate>[0], key: KeyObject = publicKey) =>
    verifyCertificate(files, key).then(
      () => 'accepted',
      error => {
        if (!(error instanceof Refused)) throw error
        return error.place
      },
    )

  it('unless it is the one that was signed, by this key', async () => {
    expect(await placeOf(base)).toBe('accepted')
    expect(await placeOf(base, createPublicKey(p256))).toMatch(/signatures/)
    expect(await placeOf(alterContent(base, p256, () => undefined))).toMatch(/signatures/)
  })

  it.each(Object.entries(FILES))('%s', async (_name, [alter, place]) => {
    expect(await placeOf(alterFiles(base, alter))).toMatch(place)
  })

  it.each(Object.entries(CONTENT))('%s, signed again', async (_name, [alter, place]) => {
    expect(await placeOf(alterContent(base, vendor, alter))).toMatch(place)
  })

  it('without an answer of the provider, signed again', async () => {
    const without = alterContent(arranged, vendor, ({ recording }) => {
      const last = recording.events.findLast(({ kind }: Loose) => kind === 'state')
      recording.events = recording.events.filter((each: Loose) => each !== last)
    })
    expect(await placeOf(without)).toMatch(/events/)
  })

  it.each<[string, (archive: Buffer) => Uint8Array, problem: RegExp]>([
    ['that is empty', () => Buffer.of(), /not a ZIP/],
    ['that is cut off', archive => archive.subarray(0, archive.length - 100), /not a ZIP/],
    [
      'with a path that leaves the folder',
      () => zip(new Map([['../a.json', Buffer.of()]])),
      /name of a file/,
    ],
    ['with an absolute path', () => zip(new Map([['/a.json', Buffer.of()]])), /name of a file/],
    ['with a name in capitals', () => zip(new Map([['A.json', Buffer.of()]])), /name of a file/],
    [
      'with a name twice',
      () => {
        const files = { 'a.json': Buffer.of(1), 'b.json': Buffer.of(2) }
        return Buffer.from(zip(new Map(Object.entries(files)))).map((byte, at, all) =>
          byte === 0x62 && all[at + 1] === 0x2e ? 0x61 : byte,
        )
      },
      /twice/,
    ],
    ['of 9 MB in a JSON file', () => zip(new Map([['a.json', Buffer.alloc(9_000_000)]])), /more than 8 MB/],
    [
      'of 70 MB',
      () => zip(new Map([...'0123456'].map(each => [`bodies/${each.repeat(64)}`, Buffer.alloc(10_000_000)]))),
      /more than 64 MB/,
    ],
  ])('as an archive %s', (_name, alter, problem) => {
    const made = alter(Buffer.from(zip(base)))
    expect(() => unzip(made)).toThrow(Refused)
    expect(() => unzip(made)).toThrow(problem)
  })
})

it.each<[string, (parts: Parts) => void]>([
  ['as it is', () => undefined],
  ['with a member that it does not know', ({ recording }) => (recording.settings.limit = 5)],
])('a certificate of another version of the suite is not checked, %s', async (_name, alter) => {
  const files = alterContent(base, vendor, parts => {
    parts.statement.predicate.suite.digest = '0'.repeat(64)
    alter(parts)
  })
  const error = await verifyCertificate(files, createPublicKey(vendor)).catch(each => each)
  expect(error).toBeInstanceOf(NotCheckable)
  expect(error.message).toContain('judged by another version of the suite')
})
