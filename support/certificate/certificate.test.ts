import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type Zippable, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { itemCalled } from '../cli/flags.ts'
import { openFor } from '../embed/judge.ts'
import { cellKey } from '../interface/description.ts'
import { namedIn, withStore } from '../selfcheck/prove.ts'
import * as archive from './archive.ts'
import { type CertificateFiles, LOG, ownJson, REPORT, STATEMENT, unzip, zip } from './archive.ts'
import { certificateOf, verifyCertificate } from './certificate.ts'
import { fingerprint, signed, statementOf } from './statement.ts'

const vendor = generateKeyPairSync('ed25519').privateKey
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const publicKey = createPublicKey(vendor)

interface RunOf {
  /** Ids of faults of the store. */
  readonly changes?: readonly string[]
  /** Orders and pets are named, or a provider arranges them. */
  readonly isNamed?: boolean
  readonly settings?: Parameters<typeof openFor>[0]
  readonly key?: KeyObject
  /** It ends early. */
  readonly isStopped?: true
}

/** A run on the reference store in this process, its report and its certificate. */
async function certified({ changes = [], isNamed = true, settings = {}, key = vendor, isStopped }: RunOf) {
  const own = changes.map(id => itemCalled(id, 'fault', faults))
  return withStore(own, async (options, store) => {
    const has = isNamed ? namedIn(store) : { states: store.states }
    const stop = new AbortController()
    const run = await openFor({ ...options, ...has, seed: 1, signal: stop.signal, ...settings })
    const report = await run.finish(({ requests }) => isStopped && requests > 300 && stop.abort())
    return { report, files: certificateOf(report, run.log, run.configuration, key) }
  })
}

const broken = await certified({ changes: ['shipped-cancelled'] })
const readOnly = await certified({ settings: { readOnly: true } })

// biome-ignore lint/suspicious/noExplicitAny: the alterations break the types on purpose
type Loose = any

/** A certificate that is taken apart. */
interface Parts {
  report: Loose
  log: Loose
  how: Loose
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

/** Signs files, whatever they are. */
function sealed(files: Omit<CertificateFiles, typeof STATEMENT>, key = vendor): CertificateFiles {
  const statement = statementOf(files as CertificateFiles, JSON.parse(textOf(files[REPORT])), key)
  return { ...files, [STATEMENT]: signed(Buffer.from(ownJson(statement)), key) }
}

/** Alters the content, and makes the digests of bodies fit again. */
function altered(files: CertificateFiles, alter: (parts: Parts) => unknown): CertificateFiles {
  const parts: Parts = {
    report: JSON.parse(textOf(files[REPORT])),
    ...structuredClone(archive.readLog(files[LOG])),
  }
  alter(parts)
  const { report, log, how } = parts
  return { ...files, [REPORT]: Buffer.from(ownJson(report)), [LOG]: Buffer.from(archive.logFile(log, how)) }
}

const replaced = (name: keyof CertificateFiles, from: string | RegExp, to: string): CertificateFiles => {
  const text = textOf(broken.files[name]).replace(from, to)
  return { ...broken.files, [name]: Buffer.from(text) }
}

const RULE = 'cancel-shipped-409'
const failed = ({ report }: Parts) => report.rules.find(({ id }: Loose) => id === RULE)
/** The exchange that decides the failure. */
const culprit = (parts: Parts) => parts.log.exchanges[failed(parts).exchanges.at(-1)]
const remove = (list: Loose[], item: Loose) => list.splice(list.indexOf(item), 1)
const verified = (files: CertificateFiles, key?: KeyObject) => () =>
  verifyCertificate(files, key ?? publicKey)

const listed = ({ log }: Parts) => log.exchanges.find((each: Loose) => each.ask.operation === 'listOrders')
const excuse = { expectedFailure: { reason: 'a', owner: 'b', expires: '2999-12-31' } }
const fixture = { resource: 'order', id: '77', state: 'pending', origin: 'arranged', since: 1 }
const PLACE = /^log\.json: exchange \d+ is not in its place/
const RULES = /^conformance\.json: \w+ of \S+ \w+ is .* but .* when/

/** What is refused even if the signer itself did it, with every digest, and where. Whoever has no key is refused before. */
// biome-ignore format: a table
it.each<[string, alter: (parts: Parts) => unknown, place: RegExp, of?: CertificateFiles]>([
  ['an edited outcome', parts => Object.assign(failed(parts), { outcome: 'passed' }), /^conformance\.json: outcome of cancel-shipped-409 cancelOrder is "passed", but "failed" when/],
  ['an edited response', parts => Object.assign(culprit(parts).response, { status: 409 }), /^conformance\.json: outcome of cancel-shipped-409 cancelOrder is "failed", but "passed"/],
  ['an edited body, with its digest mended', parts => Object.assign(listed(parts).response, { body: '{}' }), /^conformance\.json: \w+ of list-orders-\S+ listOrders is "passed", but "failed"/],
  ['an exchange removed', parts => remove(parts.log.exchanges, culprit(parts)), PLACE],
  ['exchanges reordered', ({ log: { exchanges } }) => exchanges.splice(20, 2, exchanges[21], exchanges[20]), PLACE],
  ['a rule dropped', parts => remove(parts.report.rules, failed(parts)), /^conformance\.json: id of cancel-shipped-409 cancelOrder is absent, but "cancel-shipped-409"/],
  ['another profile', ({ report }) => (report.profile = '1.0.0-stable'), /^conformance\.json: counts is \{.*\}, but \{.*\} when/],
  ['another seed', ({ report }) => (report.seed = 2), /^conformance\.json: seed is 2, but the order id \d+ is not/],
  ['an edited verdict', ({ report }) => (report.verdict = 'conformant'), /^conformance\.json: verdict is "conformant", but "nonconformant" when/],
  ['an edited observation', ({ report }) => (report.observations[0].saw = 'gold'), /^conformance\.json: observations is /],
  ['an expected failure added to the report', parts => Object.assign(failed(parts), excuse), /^conformance\.json: expectedFailure of cancel-shipped-409 cancelOrder is \{.*\}, but absent when/],
  ['a selection added to the log', ({ how }) => (how.skip = [RULE]), /^conformance\.json: verdict is "nonconformant", but "incomplete" when/],
  ['a fixture added', ({ log }) => log.fixtures.push(fixture), RULES],
  ['an unsent request removed', ({ log }) => log.unsent.splice(0), RULES, readOnly.files],
])('a certificate with %s is refused, also if it is signed again', (_title, alter, place, of = broken.files) => {
  const files = altered(of, alter)
  expect(verified(sealed(files))).toThrow(place)
  expect(verified(files)).toThrow(/^(conformance|log)\.json was changed after it was signed/)
})

const { files } = broken
const EMPTY = '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"'

// biome-ignore format: a table
it.each<[string, CertificateFiles, RegExp]>([
  ['another key', sealed(files, other), /^statement\.json is signed by the key [0-9a-f]{64}, not by /],
  ['no signature', replaced(STATEMENT, /\[[^\]]*\]/, '[]'), /^statement\.json does not have a valid/],
  ['a wrong signature', replaced(STATEMENT, /(?<="sig": ")..../, 'AAAA'), /^statement\.json does not have/],
  ['a statement for other digests', { ...files, [STATEMENT]: readOnly.files[STATEMENT] }, /^conformance\.json was/],
  ['a statement of something else', statedBy({ verdict: 'conformant' }), /^statement\.json does not say what conf/],
  ['a member twice', sealed(replaced(LOG, '{', '{"how":{},')), /^log\.json is not JSON as the suite writes/],
  ['a text without its digest', sealed(replaced(LOG, `[${EMPTY},""]`, `[${EMPTY},"x"]`)), /^log\.json: texts/],
  ['what is no exchange', sealed(replaced(LOG, /^\{"at":3,.*\},$/m, 'null,')), /^log\.json cannot be judged: /],
])('a certificate with %s is refused', (_name, altered, place) => expect(verified(altered)).toThrow(place))

/** The statement, with members that do not follow from the files. */
function statedBy(members: object): CertificateFiles {
  const { files, report } = broken
  const statement = statementOf(files, report, vendor)
  const predicate = { ...statement.predicate, ...members }
  return { ...files, [STATEMENT]: signed(Buffer.from(ownJson({ ...statement, predicate })), vendor) }
}

it('a certificate of another version of the suite is not checked', () => {
  const files = altered(broken.files, ({ report }) => (report.suite.version = '9.9.9'))
  expect(verified(sealed(files))).toThrow(archive.NotCheckable)
  expect(verified(sealed(files))).toThrow('Version 9.9.9 of the suite judged it')
})

const zippable = { ...broken.files } as Zippable
const bomb = Buffer.from(zipSync({ ...zippable, [LOG]: [new Uint8Array(201_000_000), { level: 1 }] }))
// Its size in the central directory (APPNOTE 4.3.12) says that it is small.
const lying = Buffer.from(bomb)
lying.writeUInt32LE(9, lying.lastIndexOf(LOG) - 22)
// fflate writes no name twice.
const renamed = Buffer.from(zipSync({ ...zippable, 'loh.json': Buffer.of(1) })).toString('latin1')
const twice = Buffer.from(renamed.replaceAll('loh.json', LOG), 'latin1')

// biome-ignore format: a table
it.each<[string, Uint8Array, RegExp]>([
  ['nothing', Buffer.of(), /^The archive is not a ZIP archive/],
  ['a bomb', bomb, /^log\.json makes the content larger than 200/],
  ['a bomb that says that it is small', lying, /^log\.json was changed after it was signed/],
  ['a path that leaves the folder', zipSync({ ...zippable, '../x': Buffer.of() }), /^\.\.\/x is not the name of a file/],
  ['a file less', zipSync({ [REPORT]: Buffer.of(), [LOG]: Buffer.of() }), /^statement\.json is missing/],
  ['a file twice', twice, /^log\.json is twice in the archive/],
])('an archive with %s is refused', (_name, bytes, place) => expect(() => verified(unzip(bytes))()).toThrow(place))

it('an archive that was packed again verifies', () => {
  const again = zipSync({ ...zippable, [LOG]: [files[LOG], { level: 0 }] }, { level: 9, comment: 'x' })
  expect(verified(unzip(again))().isExpected).toBe(true)
})

// biome-ignore format: a table
it.each<[string, string, RunOf]>([
  ['arranged orders, signed with P-256', 'conformant', { isNamed: false, key: other, settings: { gate: 'advisory' } }],
  ['a store with an odd name', 'conformant', { settings: { storeName: 'Zoo "Ü" \\ 動物', seed: 77 } }],
  ['requests without an answer', 'nonconformant', { isNamed: false, changes: ['odd-key-dropped'] }],
  ['a cancellation that succeeds at the third time', 'nonconformant', { changes: ['third-cancel-succeeds'] }],
  ['GET requests alone', 'incomplete', { settings: { readOnly: true } }],
  ['some rules', 'partial', { settings: { only: ['cancelOrder', 'listOrders'], skip: ['list-orders-*'] } }],
  ['a run that was stopped', 'incomplete', { isNamed: false, isStopped: true }],
  ['a store that refuses the key', 'unreachable', { settings: { apiKey: 'Another-Key-4711' } }],
])('a certificate of %s is judged again with the same result', async (_of, verdict, of) => {
  const { report, files } = await certified(of)
  const { key = vendor } = of
  const { signer, ...again } = verified(unzip(zip(files)), createPublicKey(key))()
  expect([report.verdict, again.report.verdict, signer]).toEqual([verdict, verdict, fingerprint(key)])
  expect(again.report.rules.map(cellKey)).toEqual(report.rules.map(cellKey))
  // Without a key, the same, but nobody knows whose it is.
  expect(verifyCertificate(files).isExpected).toBe(false)
})
