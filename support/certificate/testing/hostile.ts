import {
  content,
  filed,
  type Hostile,
  type Loose,
  type Options,
  type Parts,
  packed,
  payload,
  replaceBody,
  replacing,
  underNameOf,
} from './alter.ts'
import { stranger, type Vector, vendor } from './sound.ts'

const END = 22

/** The directory entry of the nth file, and the offset of its header. */
function entryOf(archive: Buffer, nth: number) {
  let at = archive.readUInt32LE(archive.length - END + 16)
  for (let each = 0; each < nth; each += 1) at += 46 + archive.readUInt16LE(at + 28)
  return { at, header: archive.readUInt32LE(at + 42) }
}

/** Writes a number into the header and the directory entry of the nth file, at this offset from the version. */
const inBoth = (nth: number, offset: number, value: number, bytes: 2 | 4) => (archive: Buffer) => {
  const { at, header } = entryOf(archive, nth)
  for (const start of [at + 6, header + 4]) archive.writeUIntLE(value, start + offset, bytes)
  return archive
}

/** Renames the nth file in its header and in the directory. */
const renamed = (nth: number, name: (old: string) => string) => (archive: Buffer) => {
  const { at, header } = entryOf(archive, nth)
  const length = archive.readUInt16LE(at + 28)
  const old = archive.toString('latin1', at + 46, at + 46 + length)
  for (const start of [at + 46, header + 30])
    archive.write(name(old).padEnd(length, 'a').slice(0, length), start, 'latin1')
  return archive
}

const attributes = (value: number) => (archive: Buffer) => {
  archive.writeUInt32LE((value << 16) >>> 0, entryOf(archive, 1).at + 38)
  return archive
}

const inEnd = (offset: number, value: number) => (archive: Buffer) => {
  archive.writeUInt16LE(value, archive.length - END + offset)
  return archive
}

const isExchange = ({ kind }: Loose): boolean => kind === 'exchange'

const exchange = ({ recording }: Parts, matches: (event: Loose) => boolean = () => true) =>
  recording.events.find((each: Loose) => each.kind === 'exchange' && each.response && matches(each))

/** Removes bodies without an exchange, because they would be refused before the judging. */
function dropUnused({ files, recording }: Parts): void {
  const used = recording.events.map((each: Loose) => `bodies/${each.response?.body}`)
  for (const name of [...files.keys()])
    if (name.startsWith('bodies/') && !used.includes(name)) files.delete(name)
}

const announces = ({ request }: Loose): boolean =>
  request.headers.some(([, value]: [string, string]) => value === 'store-conformance')
const idOf = ({ request }: Loose) => request.headers.find(([name]: [string]) => name === 'X-Request-Id')

/** Writes a member at a path of the parts: `statement.predicate.runs`. */
const put =
  (place: string, value: unknown) =>
  (parts: Parts): void => {
    const names = place.replace(/\[(\d+)\]/g, '.$1').split('.')
    const last = names.pop() ?? ''
    const holder = names.reduce((at: Loose, name) => at[name], parts)
    if (!(last in holder) && value === undefined) throw new Error(`there is no ${place}`)
    holder[last] = value
  }

/** Members that have another value elsewhere in the certificate, or another form. */
const MEMBERS: readonly (readonly [place: string, value: unknown])[] = [
  ['statement.predicate.baseUrl', 'http://store.test/v2'],
  ['statement.predicate.reference', true],
  ['statement.predicate.profile.name', '1.0.0'],
  ['statement.predicate.profile.revision', 99],
  ['statement.predicate.profile.digest', 'ab'.repeat(32)],
  ['statement.predicate.suite.name', 'other'],
  ['statement.predicate.suite.version', '9.9.9'],
  ['statement.predicate.suite.version', '0.1.0; reboot'],
  ['statement.predicate.runs', 10_000],
  ['statement.predicate.finishedAt', '2026-01-01T00:00:00.000Z'],
  ['statement.predicate.issuedAt', '2026-11-21T10:00:00Z'],
  ['statement.predicate.challenge', 'AB'.repeat(32)],
  ['statement.predicate.counts.passed', 9_999],
  ['statement.predicate.counts.inapplicable', 0],
  ['statement.predicate.gate', 'required'],
  ['report.gate', 'advisory'],
  ['report.seed', 7],
  ['report.profile', '1.0.0'],
  ['report.revision', 99],
  ['report.requests', 9_999],
  ['report.startedAt', '2026-01-01T00:00:00.000Z'],
  ['report.durationMs', 1],
  ['report.suite.version', '9.9.9'],
  ['report.store', { name: 'Other Store' }],
  ['report.target', { baseUrl: 'http://other.test/v1' }],
  ['report.target', { baseUrl: 'http://store.test/v1', reference: true }],
  ['report.counts.passed', 9_999],
  ['report.expectedFailures', { file: 'waivers', entries: 1, stale: [] }],
  ['report.rules[0].level', 'advisory'],
  ['report.rules[0].expectedFailure', { reason: 'a', owner: 'b', expires: '2099-01-01' }],
  ['recording.startedAt', 1],
  ['recording.settings.seed', 1],
  ['recording.settings.gate', 'advisory'],
  ['recording.settings.profile', '1.0.0'],
  ['recording.settings.reference', true],
  ['recording.settings.storeName', 'Other Store'],
  ['recording.settings.waivers', []],
  ['recording.settings.concurrency', 0],
]

/** Spellings of numbers, of which parsers disagree. */
const NUMBERS = ['1e3', '1.0', '-1', '12345678901234567890', '"5"', 'Infinity']

/** One fact, altered wherever it is. What a challenge binds is detected without judging. */
const ALL_ALIKE: readonly (readonly [name: string, alter: (parts: Parts) => void, judging?: true])[] = [
  ['another store', parts => putAll(parts, 'store', 'storeName', { name: 'Other Store' }, 'Other Store')],
  ['a host that looks like another', parts => putAddress(parts, 'http://stоre.test/v1')],
  ['an address with a password', parts => putAddress(parts, 'http://a:b@store.test/v1')],
  ['another address', parts => putAddress(parts, 'http://other.test/v1')],
  [
    'fewer generated cases than the minimum',
    ({ statement, recording }) => {
      statement.predicate.runs = 1
      recording.settings.runs = 1
    },
  ],
  [
    'more generated cases than the run had',
    ({ statement, recording }) => {
      statement.predicate.runs = 500
      recording.settings.runs = 500
    },
  ],
  ['another challenge', ({ statement }) => (statement.predicate.challenge = 'ab'.repeat(32))],
  [
    'a seed instead of the challenge',
    ({ statement }) => {
      delete statement.predicate.challenge
      statement.predicate.seed = 0
    },
  ],
  [
    'an erratum that the suite does not have',
    ({ statement }) =>
      statement.predicate.errata.push({ rule: 'a', date: '2026-12-31', reason: 'x', change: 'corrected' }),
    true,
  ],
]

function putAll(
  { statement, report, recording }: Parts,
  name: string,
  setting: string,
  is: Loose,
  to: Loose,
) {
  statement.predicate[name] = is
  report[name] = is
  recording.settings[setting] = to
}

function putAddress(parts: Parts, address: string): void {
  parts.statement.predicate.baseUrl = address
  parts.report.target.baseUrl = address
  parts.recording.settings.baseUrl = address
}

/** Alterations of a certificate with waivers. */
const WAIVED: readonly (readonly [name: string, alter: (parts: Parts) => void])[] = [
  ['a waiver dropped from the statement', ({ statement }) => statement.predicate.waivers.pop()],
  ['rules that wait dropped', ({ statement }) => (statement.predicate.waivers[1].waiting = [])],
  ['another owner', ({ statement }) => (statement.predicate.waivers[0].owner = 'Nobody')],
  ['a title without the rules that wait', put('statement.predicate.title', 'conformant with 2 waivers')],
  ['valid longer than a waiver', put('statement.predicate.validUntil', '2098-01-01T00:00:00.000Z')],
  ['a verdict without waivers', put('report.verdict', 'conformant')],
  ['a waiver that is out of date', put('report.expectedFailures.stale', [{}])],
  ['an excuse without a waiver', ({ report }) => (waitingRule(report).behind = report.rules.at(-1).id)],
  ['an excused rule that counts', ({ report }) => delete waitingRule(report).expectedFailure],
  [
    'a glob',
    ({ statement, recording }) => {
      for (const { waivers } of [statement.predicate, recording.settings]) waivers[0].rule = 'cancel-*'
    },
  ],
  [
    'a waiver of another operation',
    ({ statement, recording }) => {
      for (const { waivers } of [statement.predicate, recording.settings]) waivers[0].operation = 'listOrders'
    },
  ],
  [
    'a rule with two waivers',
    ({ statement, recording }) => {
      for (const { waivers } of [statement.predicate, recording.settings]) waivers.push(waivers[0])
    },
  ],
  [
    'a waiver that covers nothing',
    ({ statement, recording, report }) => {
      for (const { waivers } of [statement.predicate, recording.settings])
        waivers.push({ ...waivers[0], rule: report.rules.find(passes).id, waiting: [] })
      delete recording.settings.waivers.at(-1).waiting
      report.expectedFailures.entries += 1
      statement.predicate.title = statement.predicate.title.replace('2 waivers', '3 waivers')
    },
  ],
  [
    'a reason of 5 kB',
    ({ statement, recording }) => {
      for (const { waivers } of [statement.predicate, recording.settings])
        waivers[0].reason = 'é'.repeat(2_500)
    },
  ],
  [
    'more than 1,000 waivers',
    ({ statement, recording }) => {
      for (const { waivers } of [statement.predicate, recording.settings])
        waivers.push(...Array(1_000).fill(waivers[0]))
    },
  ],
]

/** The counts show a rule that gates, and the digest of the profile any rule. */
const dropRule =
  (level: string) =>
  ({ report: { rules } }: Parts): void =>
    void rules.splice(
      rules.findIndex((rule: Loose) => rule.level === level),
      1,
    )

const passes = ({ outcome }: Loose): boolean => outcome === 'passed'
const waitingRule = ({ rules }: Loose): Loose =>
  rules.find(({ outcome, expectedFailure }: Loose) => expectedFailure && outcome !== 'failed')

/** Each certificate is a valid one with one change. */
export function hostileVectors(
  base: Vector,
  seeded: Vector,
  signed: Vector,
  waived: Vector,
  arranged: Vector,
): Hostile[] {
  const archive = (name: string, alter: (bytes: Buffer) => Buffer, place: RegExp = /./) =>
    packed(base, name, alter, { place })
  const files = (
    name: string,
    alter: Parameters<typeof filed>[2],
    place: RegExp,
    options: Partial<Options> = {},
  ) => filed(signed, name, alter, { place, ...options })
  const made = (name: string, alter: (parts: Parts) => void, place: RegExp, options: Partial<Options> = {}) =>
    content(base, name, alter, { place, ...options })
  const judged = (name: string, alter: (parts: Parts) => void, place: RegExp = /./) =>
    content(base, name, alter, { place, judging: true })
  const predicate = (name: string, member: string, value: unknown) =>
    made(
      `predicate.${member} ${name}`,
      ({ statement }) => (statement.predicate[member] = value),
      RegExp(member),
    )

  return [
    archive('a byte after the end', bytes => Buffer.concat([bytes, Buffer.of(0)])),
    archive('a byte before the beginning', bytes => Buffer.concat([Buffer.of(0), bytes])),
    archive('cut off', bytes => bytes.subarray(0, bytes.length - 100)),
    archive('empty', () => Buffer.of()),
    archive('a comment', bytes => Buffer.concat([inEnd(20, 2)(bytes), Buffer.from('hi')])),
    archive('several parts', inEnd(4, 1)),
    archive('fewer files than entries', bytes => inEnd(10, 3)(inEnd(8, 3)(bytes))),
    archive(
      'a name twice',
      renamed(4, () => 'report.json'),
    ),
    archive('the name of another body', bytes =>
      renamed(4, () => bytes.toString('latin1', entryOf(bytes, 3).at + 46, entryOf(bytes, 3).at + 117))(
        bytes,
      ),
    ),
    archive(
      'a path that leaves the folder',
      renamed(3, old => `../${old}`),
    ),
    archive(
      'an absolute path',
      renamed(3, old => `/${old}`),
    ),
    archive(
      'a Windows path',
      renamed(3, old => old.replace('/', '\\')),
    ),
    archive(
      'a name in capitals',
      renamed(3, old => old.toUpperCase()),
    ),
    archive('a symbolic link', attributes(0o120777)),
    archive('a folder', attributes(0o040755)),
    archive('an encrypted file', inBoth(1, 2, 1, 2)),
    archive('a data descriptor', inBoth(1, 2, 8, 2)),
    archive('another method', inBoth(1, 4, 12, 2)),
    archive('a file larger than its size', inBoth(2, 18, 100, 4)),
    archive('a file smaller than its size', inBoth(2, 18, 900_000_000, 4)),
    archive('a JSON file that is too large', inBoth(1, 18, 9 << 20, 4), /archive/),
    archive('sizes of ZIP64', inBoth(2, 18, 0xffff_ffff, 4)),
    archive('another checksum', inBoth(1, 10, 1, 4)),
    archive('an extra field', inBoth(1, 24, 4, 2)),
    archive('packed bytes left over', bytes =>
      inBoth(1, 14, bytes.readUInt32LE(entryOf(bytes, 1).header + 18) - 1, 4)(bytes),
    ),
    archive('a header that differs from the directory', bytes => {
      bytes.writeUInt16LE(0, entryOf(bytes, 2).header + 8)
      return bytes
    }),
    archive('two files in one place', bytes => {
      bytes.writeUInt32LE(entryOf(bytes, 1).header, entryOf(bytes, 2).at + 42)
      return bytes
    }),

    ...['envelope.json', 'report.json', 'recording.json'].map(name =>
      files(`without ${name}`, all => void all.delete(name), RegExp(name)),
    ),
    files('a further file', all => void all.set('notes.json', Buffer.from('{}')), /notes/),
    files(
      'without a body',
      all => void all.delete([...all.keys()].find(each => each.startsWith('bodies/')) ?? ''),
      /bodies/,
    ),
    files(
      'a body edited',
      all => void all.set([...all.keys()].find(each => each.startsWith('bodies/')) ?? '', Buffer.from('[]')),
      /bodies/,
    ),
    made(
      'a body without an exchange',
      parts => replaceBody(parts, '', Buffer.from('nobody sent this')),
      /bodies/,
    ),
    files('the report edited', replacing('report.json', '"passed"', '"failed"'), /report/),
    files('the recording edited', replacing('recording.json', '"GET"', '"PUT"'), /recording/),
    files('a byte order mark', replacing('envelope.json', /^/, '\ufeff'), /envelope/),
    files('a member twice', replacing('envelope.json', '{', '{"signatures":[],'), /envelope/),
    files('text after the JSON', replacing('envelope.json', /$/, '{}'), /envelope/),
    files(
      'no UTF-8',
      all =>
        void all.set(
          'envelope.json',
          Buffer.concat([Buffer.of(0xff), all.get('envelope.json') ?? Buffer.of()]),
        ),
      /envelope/,
    ),
    files('NaN', replacing('envelope.json', '{', '{"a":NaN,'), /envelope/),
    files('another payload type', replacing('envelope.json', 'in-toto+json', 'in-toto+JSON'), /envelope/),
    files(
      'base64 with a line break',
      replacing('envelope.json', '"payload": "', '"payload": "\\n'),
      /payload/,
    ),
    files('an unknown member', replacing('envelope.json', '{', '{"verified":true,'), /envelope/),
    files(
      'a payload that nests without end',
      payload(() => '['.repeat(100_000)),
      /payload/,
    ),
    files(
      '__proto__',
      payload(text => text.replace('{', '{"__proto__":{},')),
      /payload/,
    ),
    files(
      'a member twice in the statement',
      payload(text => text.replace('{', '{"_type":"x",')),
      /payload/,
    ),
    files(
      'a number that loses digits',
      payload(text => text.replace(/"requests": [0-9]+/, '"requests": 9007199254740993')),
      /payload/,
    ),
    files(
      'a member too many',
      payload(text => text.replace('"title"', '"assurance": "high", "title"')),
      /payload/,
    ),

    files(
      'unsigned',
      payload(text => text),
      /signatures/,
      { keys: [vendor] },
    ),
    files(
      'signed by a stranger',
      payload(text => text, [stranger]),
      /signatures/,
      { keys: [vendor] },
    ),
    files('signed by a stranger in the name of the vendor', underNameOf(vendor, stranger), /signatures/, {
      keys: [vendor],
    }),
    files('one signature of two', () => undefined, /signatures/, { keys: [vendor, stranger] }),
    files(
      'a signature of other bytes',
      replacing(
        'envelope.json',
        /"payload": "[^"]*"/,
        `"payload": "${Buffer.from('{}').toString('base64')}"`,
      ),
      /payload/,
      { keys: [vendor] },
    ),
    files('a signature edited', replacing('envelope.json', /"sig": "..../, '"sig": "AAAA'), /signatures/, {
      keys: [vendor],
    }),
    files(
      'two signatures of one key',
      replacing(
        'envelope.json',
        /"signatures": \[\s*(\{[^}]*\})/,
        '"signatures": [{"keyid":"00","sig":""},{"keyid":"00","sig":""}',
      ),
      /signatures/,
    ),

    made(
      'another type of statement',
      ({ statement }) => (statement._type = 'https://in-toto.io/Statement/v0.1'),
      /_type/,
    ),
    made('another predicate', ({ statement }) => (statement.predicateType += '2'), /predicateType/),
    made('one subject', ({ statement }) => statement.subject.pop(), /subject/),
    made('subjects in another order', ({ statement }) => statement.subject.reverse(), /subject/),
    predicate('that is better', 'title', 'conformant with 1 waiver'),
    predicate('of another store', 'baseUrl', 'https://store.example/v1'),
    predicate('that is stricter', 'gate', 'advisory'),
    predicate('that is higher', 'requests', 9_999),
    predicate('of another vendor', 'store', { name: 'Other Store' }),
    predicate('that is not the run’s', 'startedAt', '2020-01-01T00:00:00.000Z'),
    predicate('before the issue', 'validUntil', '2020-01-01T00:00:00.000Z'),
    made('a seed beside the challenge', ({ statement }) => (statement.predicate.seed = 1), /predicate/),
    predicate('with fewer rules', 'counts', {
      passed: 1,
      failed: 0,
      cantTell: 0,
      inapplicable: 0,
      untested: 0,
    }),
    predicate('that nobody accepted', 'waivers', [
      { rule: 'a', operation: 'b', reason: 'c', owner: 'd', expires: '2099-01-01' },
    ]),
    files('expired', () => undefined, /validUntil/, { now: signed.now + 40 * 86_400_000 }),
    files('issued in the future', () => undefined, /issuedAt/, { now: signed.now - 2 * 86_400_000 }),
    filed(base, 'another challenge', () => undefined, { place: /challenge/, challenge: 'ab'.repeat(32) }),
    filed(seeded, 'no challenge', () => undefined, { place: /challenge/, challenge: 'ab'.repeat(32) }),

    made(
      'a response and a problem',
      parts => (exchange(parts).problem = { kind: 'timeout', message: '' }),
      /events/,
    ),
    made('neither of them', parts => delete exchange(parts).response, /events/),
    made('a number twice', parts => (exchange(parts, each => each.nth === 1).nth = 0), /events/),
    made('a status outside the range of HTTP', parts => (exchange(parts).response.status = 99), /events/),
    made('an input of another kind', parts => (exchange(parts).kind = 'exchanged'), /events/),
    made('a missing body', parts => (exchange(parts).response.body = 'ab'.repeat(32)), /bodies/),
    made(
      'a time limit beyond the settings',
      ({ recording }) => (recording.settings.timeoutMs = 1e9),
      /settings/,
    ),
    made('only announced requests', ({ recording }) => delete recording.settings.unannounced, /settings/),
    ...MEMBERS.map(([place, value]) => made(`${place} altered`, put(place, value), /./)),
    ...NUMBERS.map(number =>
      files(
        `the number ${number}`,
        payload(text => text.replace(/"requests": [0-9]+/, `"requests": ${number}`)),
        /payload/,
      ),
    ),
    ...ALL_ALIKE.map(([name, alter, judging]) =>
      content(base, `${name} in every place`, alter, { place: /./, ...(judging ? { judging } : {}) }),
    ),
    ...WAIVED.map(([name, alter]) => content(waived, name, alter, { place: /./ })),
    made(
      'an id of a request edited',
      parts => (idOf(exchange(parts, announces))[1] = 'ab'.repeat(16)),
      /events/,
    ),
    made(
      'an id of a request removed',
      parts => {
        const { request } = exchange(parts, announces)
        request.headers = request.headers.filter(([name]: [string]) => name !== 'X-Request-Id')
      },
      /events/,
    ),
    made(
      'a request that does not announce the suite with an id',
      parts => exchange(parts, each => !announces(each)).request.headers.push(['X-Request-Id', 'a']),
      /events/,
    ),
    made('another report format', ({ report }) => (report.format = 'store-conformance/2'), /report/),
    made('a gating rule dropped', dropRule('required'), /^report\.json: counts$/),
    made('a rule that does not gate dropped', dropRule('advisory'), /predicate\.profile$/),
    made('a rule twice', ({ report }) => report.rules.push(report.rules[0]), /report/),
    made('a rule that failed', ({ report }) => (report.rules[0].outcome = 'failed'), /report/),
    made('evidence that does not exist', ({ report }) => report.rules[0].exchanges.push(99_999), /report/),
    made('another verdict', ({ report }) => (report.verdict = 'nonconformant'), /report/),

    judged('a response edited', parts => {
      const { response } = exchange(
        parts,
        each => each.response.body && each.operation === 'listOrders' && each.response.status === 200,
      )
      replaceBody(parts, response.body, Buffer.from('[]'))
    }),
    judged('a body cut', parts => {
      const { response } = exchange(
        parts,
        each => each.response.body && each.operation === 'listInventory' && each.response.status === 200,
      )
      const whole = parts.files.get(`bodies/${response.body}`) ?? Buffer.of()
      replaceBody(parts, response.body, whole.subarray(0, whole.length - 5))
    }),
    judged(
      'a status edited',
      parts => (exchange(parts, each => each.response.status === 401).response.status = 403),
    ),
    judged('a request edited', parts => exchange(parts).request.headers.push(['X-Real', 'yes']), /request/),
    judged('a step edited', parts => (exchange(parts).step = 'another'), /step/),
    judged('two exchanges of a scenario swapped', ({ recording: { events } }) => {
      // The second is sent only after the first was answered.
      const [one, other] = ['a pending order', 'the same order again'].map(step =>
        events.findIndex((each: Loose) => each.step === step),
      )
      ;[events[one], events[other]] = [events[other], events[one]]
    }),
    // A few more cases might by chance be those that were sent.
    content(
      seeded,
      'fewer generated cases',
      ({ recording, statement }) => {
        recording.settings.runs += 50
        statement.predicate.runs += 50
      },
      { place: /./, judging: true },
    ),
    judged('an exchange that the run does not send', ({ recording, report, statement }) => {
      const last = recording.events.findLast(isExchange)
      const nth = recording.events.filter(
        (each: Loose) => isExchange(each) && each.scenario === last.scenario,
      )
      // It does not announce the suite, so it needs no id.
      const request = { method: 'GET', target: '/v1/inventory', headers: [] }
      recording.events.push({ ...last, nth: nth.length, request })
      report.requests += 1
      statement.predicate.requests += 1
    }),
    content(
      arranged,
      'a provider state removed',
      ({ recording: { events } }) =>
        void events.splice(
          events.findLastIndex(({ kind }: Loose) => kind === 'state'),
          1,
        ),
      { place: /recording.json: events/, judging: true },
    ),
    judged('the last exchange of the run removed', parts => {
      const { events } = parts.recording
      const at = events.findLastIndex(isExchange)
      const last = events.filter(
        (each: Loose) => each.scenario === events[at].scenario && each.kind === 'exchange',
      )
      last.sort((a: Loose, b: Loose) => a.nth - b.nth)
      parts.recording.events = events.filter((each: Loose) => each !== last.at(-1))
      parts.report.requests -= 1
      for (const rule of parts.report.rules)
        rule.exchanges = rule.exchanges.filter((each: number) => each < parts.report.requests)
      parts.statement.predicate.requests -= 1
      dropUnused(parts)
    }),
    judged(
      'a sentence of the report edited',
      ({ report }) => (report.rules[0].title = 'The store is perfect'),
      /report/,
    ),
    judged('an observation edited', ({ report }) => (report.observations[0].saw = 'nothing'), /report/),
  ]
}
