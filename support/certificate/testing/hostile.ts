import { createPublicKey } from 'node:crypto'
import { zip } from '../archive.ts'
import type { CertificateFiles } from '../statement.ts'
import {
  alterContent,
  alterFiles,
  type Loose,
  type Parts,
  partsOf,
  payload,
  replaceBody,
  replacing,
  underNameOf,
} from './alter.ts'
import { stranger, type Vector, vendor } from './sound.ts'

/** A certificate that every checker has to refuse. */
export interface Hostile extends Omit<Vector, 'files'> {
  readonly bytes: Buffer
  /** Where it has to be refused. */
  readonly place: RegExp
  /** It is detected only by judging again. */
  readonly judging?: true
}

const END = 22

/** The offset of the directory entry of the nth file, that of its header, and its name. */
function entryOf(archive: Buffer, nth: number) {
  let at = archive.readUInt32LE(archive.length - END + 16)
  for (let each = 0; each < nth; each += 1) at += 46 + archive.readUInt16LE(at + 28)
  const name = archive.toString('latin1', at + 46, at + 46 + archive.readUInt16LE(at + 28))
  return { at, header: archive.readUInt32LE(at + 42), name }
}

/** Renames the nth file in its header and in the directory. */
const renamed = (nth: number, name: (old: string) => string) => (archive: Buffer) => {
  const { at, header, name: old } = entryOf(archive, nth)
  for (const start of [at + 46, header + 30])
    archive.write(name(old).padEnd(old.length, 'a').slice(0, old.length), start, 'latin1')
  return archive
}

/** Bytes of a directory entry that have no meaning for a certificate: who made it, and attributes other than the kind of file. */
const FREE = [4, 5, 36, 37, 38, 39, 40]
/** Of the bytes that a header and the directory have in common: the version that is needed, and the time. */
const FREE_IN_BOTH = [0, 1, 6, 7, 8, 9]

/** Other bytes at each place of the end, of a directory entry, of a header, and of what both have in common. */
function otherBytes(archive: Buffer): Readonly<Record<string, AlterArchive>> {
  const { at, header, name } = entryOf(archive, 1)
  const bytes = (count: number, free: readonly number[] = []) =>
    [...Array(count).keys()].filter(nth => !free.includes(nth))
  const places = [
    ...bytes(END).map(nth => [archive.length - END + nth]),
    ...bytes(46 + name.length, FREE).map(nth => [at + nth]),
    ...bytes(30 + name.length).map(nth => [header + nth]),
    ...bytes(26, FREE_IN_BOTH).map(nth => [header + 4 + nth, at + 6 + nth]),
  ]
  const inverted = (each: readonly number[]) => (altered: Buffer) => {
    for (const place of each) altered.writeUInt8(altered.readUInt8(place) ^ 0xff, place)
    return altered
  }
  return Object.fromEntries(places.map(each => [`other bytes at ${each}`, inverted(each)]))
}

const isExchange = ({ kind }: Loose): boolean => kind === 'exchange'

const exchange = ({ recording }: Parts, matches: (event: Loose) => boolean = () => true) =>
  recording.events.find((each: Loose) => isExchange(each) && each.response && matches(each))

const announces = ({ request }: Loose): boolean =>
  request.headers.some(([, value]: [string, string]) => value === 'store-conformance')
const idOf = ({ request }: Loose) => request.headers.find(([name]: [string]) => name === 'X-Request-Id')

/** Writes members at paths of the parts, such as `statement.predicate.runs`. Undefined removes one. */
const put =
  (members: Readonly<Record<string, unknown>>) =>
  (parts: Parts): void => {
    for (const [path, value] of Object.entries(members)) {
      const names = path.replace(/\[(\d+)\]/g, '.$1').split('.')
      const last = names.pop() ?? ''
      const holder = names.reduce((at: Loose, name) => at[name], parts)
      if (value === undefined) delete holder[last]
      else holder[last] = value
    }
  }

/** What an attacker alters, where the certificate must be refused, and how it is checked. */
type Row<Altered> = readonly [
  alter: (altered: Altered) => unknown,
  place?: RegExp,
  options?: Partial<Hostile>,
]
type Table<Altered> = Readonly<Record<string, Row<Altered>>>
type Files = Map<string, Buffer>
type AlterArchive = (archive: Buffer) => Buffer

const ARCHIVES: Readonly<Record<string, AlterArchive>> = {
  'a byte after the end': archive => Buffer.concat([archive, Buffer.of(0)]),
  'a byte before the beginning': archive => Buffer.concat([Buffer.of(0), archive]),
  'cut off': archive => archive.subarray(0, archive.length - 100),
  empty: () => Buffer.of(),
  'a comment': archive => {
    archive.writeUInt16LE(2, archive.length - 2)
    return Buffer.concat([archive, Buffer.from('hi')])
  },
  'a name twice': renamed(4, () => 'report.json'),
  'the name of another body': archive => renamed(4, () => entryOf(archive, 3).name)(archive),
  'a path that leaves the folder': renamed(3, old => `../${old}`),
  'an absolute path': renamed(3, old => `/${old}`),
  'a Windows path': renamed(3, old => old.replace('/', '\\')),
  'a name in capitals': renamed(3, old => old.toUpperCase()),
}

const firstBody = (files: Files): string => [...files.keys()].find(name => name.startsWith('bodies/')) ?? ''
/** Replaces the payload, without a signature. */
const said = (alter: (text: string) => string): Row<Files> => [payload(alter), /payload/]
const keys = [createPublicKey(vendor)]

/** Files in which no digest was recomputed. */
const FILES: Table<Files> = {
  ...Object.fromEntries(
    ['envelope.json', 'report.json', 'recording.json'].map(name => [
      `without ${name}`,
      [files => files.delete(name), RegExp(name)] satisfies Row<Files>,
    ]),
  ),
  'a further file': [files => files.set('notes.json', Buffer.from('{}')), /notes/],
  'without a body': [files => files.delete(firstBody(files)), /bodies/],
  'a body edited': [files => files.set(firstBody(files), Buffer.from('[]')), /bodies/],
  'the report edited': [replacing('report.json', '"passed"', '"failed"'), /report/],
  'the recording edited': [replacing('recording.json', '"GET"', '"PUT"'), /recording/],
  'a byte order mark': [replacing('envelope.json', /^/, '\ufeff'), /envelope/],
  'a member twice': [replacing('envelope.json', '{', '{"signatures":[],'), /envelope/],
  'text after the JSON': [replacing('envelope.json', /$/, '{}'), /envelope/],
  'no UTF-8': [files => files.set('envelope.json', Buffer.of(0xff, ...Buffer.from('{}'))), /envelope/],
  NaN: [replacing('envelope.json', '{', '{"a":NaN,'), /envelope/],
  'another payload type': [replacing('envelope.json', 'in-toto+json', 'in-toto+JSON'), /envelope/],
  'base64 with a line break': [replacing('envelope.json', '"payload": "', '"payload": "\\n'), /payload/],
  'an unknown member': [replacing('envelope.json', '{', '{"verified":true,'), /envelope/],
  'a payload that nests without end': said(() => '['.repeat(100_000)),
  'a member __proto__': said(text => text.replace('{', '{"__proto__":{},')),
  'a member twice in the statement': said(text => text.replace('{', '{"_type":"x",')),
  'a member too many': said(text => text.replace('"title"', '"assurance": "high", "title"')),
  // Parsers disagree about these spellings of numbers.
  ...Object.fromEntries(
    ['9007199254740993', '1e3', '1.0', '-1', '12345678901234567890', '"5"', 'Infinity'].map(number => [
      `the number ${number}`,
      said(text => text.replace(/"requests": [0-9]+/, `"requests": ${number}`)),
    ]),
  ),
  unsigned: [payload(text => text), /signatures/, { keys }],
  'signed by a stranger': [payload(text => text, [stranger]), /signatures/, { keys }],
  'signed by a stranger in the name of the vendor': [underNameOf(vendor, stranger), /signatures/, { keys }],
  'one signature of two': [() => undefined, /signatures/, { keys: [vendor, stranger].map(createPublicKey) }],
  'a signature of other bytes': [
    replacing('envelope.json', /"payload": "[^"]*"/, '"payload": "e30="'),
    /payload/,
    { keys },
  ],
  'a signature edited': [replacing('envelope.json', /"sig": "..../, '"sig": "AAAA'), /signatures/, { keys }],
  'two signatures of one key': [
    replacing('envelope.json', /"signatures": \[\s*(\{[^}]*\})/, '"signatures": [$1, $1'),
    /envelope/,
    { keys },
  ],
}

/** Another value of the same kind. */
const another = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string') return undefined
  if (/^[0-9a-f]{64}$/.test(value)) return 'ab'.repeat(32)
  return /^\d{4}-/.test(value) ? '2020-01-01T00:00:00.000Z' : `${value}1`
}

type Member = readonly [path: string, value: unknown]

/** All texts and numbers below a member. */
const leavesOf = (holder: Loose, path = ''): Member[] =>
  Object.entries(holder).flatMap(([name, value]): Member[] =>
    typeof value === 'object' ? leavesOf(value, `${path}${name}.`) : [[path + name, value]],
  )

/**
 * Facts that are in the certificate twice, or have one value only. With another digest of the suite, the certificate is not checked.
 * Another challenge is a case of its own.
 */
const FACT =
  /^(statement\.(?!subject|predicate\.(challenge|suite\.digest))|report\.(format|verdict|profile|gate|seed|revision|requests|startedAt|durationMs|suite|target|counts)|recording\.settings\.(baseUrl|profile|gate|seed|runs))/

/** Every fact with another value. */
const factsOf = ({ statement, report, recording }: Parts): Member[] =>
  leavesOf({ statement, report, recording })
    .filter(([path]) => FACT.test(path))
    .map(([path, value]) => [path, another(value)])

/** Values that look right, are of another form, or belong to another certificate. */
const MEMBERS: readonly Member[] = [
  ['statement.predicateType', 'https://store-conformance.example/certificate/v12'],
  ['statement.predicate.store', { name: 'Other Store' }],
  ['statement.predicate.reference', true],
  ['statement.predicate.suite.version', '0.1.0; reboot'],
  ['statement.predicate.issuedAt', '2026-11-21T10:00:00Z'],
  ['statement.predicate.challenge', 'AB'.repeat(32)],
  ['statement.predicate.seed', 1],
  ['statement.predicate.gate', 'required'],
  ['statement.predicate.gate', 'advisory'],
  [
    'statement.predicate.waivers',
    [{ rule: 'a', operation: 'b', reason: 'c', owner: 'd', expires: '2099-01-01' }],
  ],
  ['report.store', { name: 'Other Store' }],
  ['report.target.reference', true],
  ['report.expectedFailures', { file: 'waivers', entries: 1, stale: [] }],
  ['report.rules[0].level', 'advisory'],
  ['report.rules[0].outcome', 'failed'],
  ['report.rules[0].expectedFailure', { reason: 'a', owner: 'b', expires: '2099-01-01' }],
  ['recording.startedAt', 1],
  ['recording.settings.reference', true],
  ['recording.settings.storeName', 'Other Store'],
  ['recording.settings.waivers', []],
  ['recording.settings.concurrency', 0],
  ['recording.settings.timeoutMs', 1e9],
]

/** One fact, altered wherever it is. */
const putAddress = (address: string) =>
  put({
    'statement.predicate.baseUrl': address,
    'report.target.baseUrl': address,
    'recording.settings.baseUrl': address,
  })
const putRuns = (runs: number) => put({ 'statement.predicate.runs': runs, 'recording.settings.runs': runs })
const putStore = put({
  'statement.predicate.store': { name: 'Other Store' },
  'report.store': { name: 'Other Store' },
  'recording.settings.storeName': 'Other Store',
})

/** The counts show a rule that gates, and the digest of the profile any rule. */
const dropRule = (level: string) => (parts: Parts) => {
  const dropped = parts.report.rules.find((rule: Loose) => rule.level === level)
  parts.report.rules = parts.report.rules.filter((rule: Loose) => rule !== dropped)
}

/** Facts that contradict each other are reported in one place or the other, and a time that is out of order as that of the end. */
const placeOf = (path: string): RegExp =>
  path.startsWith('statement')
    ? RegExp(`${path.split('.').slice(1, 3).join('.')}|validUntil|predicate$`)
    : /report|recording|predicate/

const rowsOf = (members: readonly Member[]): Table<Parts> =>
  Object.fromEntries(
    members.map(([path, value]) => [
      `${path} ${value === undefined ? 'removed' : `is ${JSON.stringify(value)}`}`,
      [put({ [path]: value }), placeOf(path)],
    ]),
  )

/** Content with every digest recomputed. A second checker finds each of them without judging. */
const CONTENT: Table<Parts> = {
  ...rowsOf(MEMBERS),
  'one subject': [({ statement }) => statement.subject.pop(), /subject/],
  'subjects in another order': [({ statement }) => statement.subject.reverse(), /subject/],
  'another store in every place': [putStore],
  'a host that looks like another in every place': [putAddress('http://stоre.test/v1'), /baseUrl/],
  'an address with a password in every place': [putAddress('http://a:b@store.test/v1'), /baseUrl/],
  'another address in every place': [putAddress('http://other.test/v1')],
  'fewer generated cases than the minimum in every place': [putRuns(1), /runs/],
  'more generated cases than the run had in every place': [putRuns(500), /events/],
  'another challenge in the certificate': [put({ 'statement.predicate.challenge': 'ab'.repeat(32) })],
  'a seed instead of the challenge': [
    put({ 'statement.predicate.challenge': undefined, 'statement.predicate.seed': 0 }),
  ],
  'a body without an exchange': [parts => replaceBody(parts, '', Buffer.from('nobody sent this')), /bodies/],
  'a missing body': [parts => (exchange(parts).response.body = 'ab'.repeat(32)), /bodies/],
  'a response and a problem': [
    parts => (exchange(parts).problem = { kind: 'timeout', message: '' }),
    /events/,
  ],
  'neither a response nor a problem': [parts => delete exchange(parts).response, /events/],
  'a number twice': [parts => (exchange(parts, each => each.nth === 1).nth = 0), /events/],
  'a status outside the range of HTTP': [parts => (exchange(parts).response.status = 99), /events/],
  'an input of another kind': [parts => (exchange(parts).kind = 'exchanged'), /events/],
  'an id of a request edited': [parts => (idOf(exchange(parts, announces))[1] = 'ab'.repeat(16)), /events/],
  'an id of a request removed': [
    parts => {
      const { request } = exchange(parts, announces)
      request.headers = request.headers.filter(([name]: [string]) => name !== 'X-Request-Id')
    },
    /events/,
  ],
  'a request that does not announce the suite with an id': [
    parts => exchange(parts, each => !announces(each)).request.headers.push(['X-Request-Id', 'a']),
    /events/,
  ],
  'a gating rule dropped': [dropRule('required')],
  'a rule that does not gate dropped': [dropRule('advisory'), /predicate\.profile$/],
  'a rule twice': [({ report }) => report.rules.push(report.rules[0])],
  'evidence that does not exist': [({ report }) => report.rules[0].exchanges.push(99_999), /report/],
}

const waiting = ({ report: { rules } }: Parts): Loose =>
  rules.find(({ outcome, expectedFailure }: Loose) => expectedFailure && outcome !== 'failed')
/** Alters the waivers in the statement and in the recording. */
const waivers =
  (alter: (waivers: Loose[]) => unknown) =>
  ({ statement, recording }: Parts) =>
    [statement.predicate, recording.settings].map(holder => alter(holder.waivers))
const firstWaiver = (members: object) => waivers(([first]) => Object.assign(first, members))

/** Content of a certificate with waivers. */
const WAIVED: Table<Parts> = {
  'a waiver dropped from the statement': [({ statement }) => statement.predicate.waivers.pop(), /waivers/],
  'rules that wait dropped': [put({ 'statement.predicate.waivers[1].waiting': [] }), /waivers/],
  'another owner': [put({ 'statement.predicate.waivers[0].owner': 'Nobody' }), /waivers/],
  'a title without the rules that wait': [put({ 'statement.predicate.title': 'conformant with 2 waivers' })],
  'valid longer than a waiver': [put({ 'statement.predicate.validUntil': '2098-01-01T00:00:00.000Z' })],
  'a verdict without waivers': [put({ 'report.verdict': 'conformant' }), /verdict/],
  'a waiver that is out of date': [put({ 'report.expectedFailures.stale': [{}] }), /stale/],
  'an excuse without a waiver': [parts => (waiting(parts).behind = parts.report.rules.at(-1).id)],
  'an excused rule that counts': [parts => delete waiting(parts).expectedFailure],
  'a glob': [firstWaiver({ rule: 'cancel-*' }), /rule/],
  'a waiver of another operation': [firstWaiver({ operation: 'listOrders' }), /^report\.json: rules$/],
  'a reason of 5 kB': [firstWaiver({ reason: 'é'.repeat(2_500) }), /reason/],
  'a rule with two waivers': [waivers(all => all.push(all[0]))],
  'more than 1,000 waivers': [waivers(all => all.push(...Array(1_000).fill(all[0]))), /waivers/],
  'a waiver that covers nothing': [
    parts => {
      const { statement, recording, report } = parts
      const { id } = report.rules.find(({ outcome }: Loose) => outcome === 'passed')
      const { waiting: _waiting, ...waiver } = { ...statement.predicate.waivers[0], rule: id }
      statement.predicate.waivers.push({ ...waiver, waiting: [] })
      recording.settings.waivers.push(waiver)
      report.expectedFailures.entries += 1
      statement.predicate.title = statement.predicate.title.replace('2 waivers', '3 waivers')
    },
    /^report\.json: rules$/,
  ],
}

const isList = (operation: string) => (each: Loose) =>
  each.response.body && each.operation === operation && each.response.status === 200

/** Content that is consistent, and that no run leads to. */
const JUDGED: Table<Parts> = {
  'a response edited': [
    parts => replaceBody(parts, exchange(parts, isList('listOrders')).response.body, Buffer.from('[]')),
  ],
  'a body cut': [
    parts => {
      const { body } = exchange(parts, isList('listInventory')).response
      const whole = parts.files.get(`bodies/${body}`) ?? Buffer.of()
      replaceBody(parts, body, whole.subarray(0, whole.length - 5))
    },
  ],
  'a status edited': [
    parts =>
      (exchange(parts, each => each.step === 'with a key that was never issued').response.status = 403),
    /^report\.json: line/,
  ],
  'a request edited': [parts => exchange(parts).request.headers.push(['X-Real', 'yes']), /request/],
  'a step edited': [parts => (exchange(parts).step = 'another'), /step/],
  'two exchanges of a scenario swapped': [
    ({ recording: { events } }) => {
      // The second is sent only after the first was answered.
      const [one, other] = ['a pending order', 'the same order again'].map(step =>
        events.findIndex((each: Loose) => each.step === step),
      )
      ;[events[one], events[other]] = [events[other], events[one]]
    },
    /cancelled twice/,
  ],
  'an exchange that the run does not send': [
    ({ recording: { events }, report, statement }) => {
      const last = events.findLast(isExchange)
      const nth = events.filter((each: Loose) => isExchange(each) && each.scenario === last.scenario).length
      // It does not announce the suite, so it needs no id.
      events.push({ ...last, nth, request: { method: 'GET', target: '/v1/inventory', headers: [] } })
      report.requests += 1
      statement.predicate.requests += 1
    },
    /events/,
  ],
  'an erratum that the suite does not have': [
    put({
      'statement.predicate.errata': [{ rule: 'a', date: '2026-12-31', reason: 'x', change: 'corrected' }],
    }),
    /errata/,
  ],
  'a sentence of the report edited': [put({ 'report.rules[0].title': 'The store is perfect' }), /report/],
  'an observation edited': [put({ 'report.observations[0].saw': 'nothing' }), /report/],
}

/** The same of a certificate of arranged orders, with a seed. */
const JUDGED_SEEDED: Table<Parts> = {
  'a provider state removed': [
    ({ recording }) => {
      const last = recording.events.findLast(({ kind }: Loose) => kind === 'state')
      recording.events = recording.events.filter((each: Loose) => each !== last)
    },
    /events/,
  ],
  // A few more cases might by chance be those that were sent.
  'fewer generated cases than the statement says': [putRuns(70)],
}

/** Each certificate is a valid one with one change. */
export function hostileVectors(base: Vector, seeded: Vector, signed: Vector, waived: Vector): Hostile[] {
  const hostile = (of: Vector, name: string, bytes: Buffer, options: Partial<Hostile> = {}): Hostile => ({
    ...{ name, bytes, keys: [], now: of.now, place: /./ },
    ...options,
  })
  const made = <Altered>(
    of: Vector,
    table: Table<Altered>,
    make: (files: CertificateFiles, alter: Row<Altered>[0]) => CertificateFiles,
    more: Partial<Hostile> = {},
  ) =>
    Object.entries(table).map(([name, [alter, place = /./, options]]) =>
      hostile(of, name, zip(make(of.files, alter)), { place, ...more, ...options }),
    )
  const archive = zip(base.files)
  const other = { place: /challenge/, challenge: 'ab'.repeat(32) }
  const later = (days: number) => ({ now: signed.now + days * 86_400_000 })
  return [
    ...Object.entries({ ...ARCHIVES, ...otherBytes(archive) }).map(([name, alter]) =>
      hostile(base, name, alter(Buffer.from(archive))),
    ),
    ...made(signed, FILES, alterFiles),
    hostile(signed, 'expired', zip(signed.files), { place: /validUntil/, ...later(40) }),
    hostile(signed, 'issued in the future', zip(signed.files), { place: /issuedAt/, ...later(-2) }),
    hostile(base, 'another challenge', archive, other),
    hostile(seeded, 'no challenge', zip(seeded.files), other),
    ...made(base, rowsOf(factsOf(partsOf(base.files))), alterContent),
    ...made(base, CONTENT, alterContent),
    ...made(waived, WAIVED, alterContent),
    ...made(base, JUDGED, alterContent, { judging: true }),
    ...made(seeded, JUDGED_SEEDED, alterContent, { judging: true }),
  ]
}
