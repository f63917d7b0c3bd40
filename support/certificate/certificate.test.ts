import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type Zippable, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { itemCalled } from '../cli/flags.ts'
import { type JudgeOptions, openFor } from '../embed/judge.ts'
import { namedIn, withStore } from '../selfcheck/prove.ts'
import * as archive from './archive.ts'
import { type CertificateFiles, LOG, ownJson, REPORT, STATEMENT, unzip } from './archive.ts'
import { certificateOf, NotCheckable, verifyCertificate } from './certificate.ts'
import { fingerprint, signed, statementOf } from './statement.ts'

const vendor = generateKeyPairSync('ed25519').privateKey
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const publicKey = createPublicKey(vendor)

/** With a fault, with named orders and pets or a provider, and with an early end. */
type RunOf = { fault?: string; isNamed?: boolean; settings?: JudgeOptions; key?: KeyObject; isStopped?: true }

/** A run on the reference store in this process, its report and its certificate. */
async function certified({ fault, isNamed = true, settings, key = vendor, isStopped }: RunOf) {
  const changes = fault ? [itemCalled(fault, 'fault', faults)] : []
  return withStore(changes, async (options, store) => {
    const has = isNamed ? namedIn(store) : { states: store.states }
    const stop = new AbortController()
    const run = await openFor({ ...options, ...has, seed: 1, signal: stop.signal, ...settings })
    const report = await run.finish(({ requests }) => isStopped && requests > 300 && stop.abort())
    const certificate = certificateOf(report, run.log, run.configuration, key)
    return { report, certificate, files: unzip(certificate) }
  })
}

const { files } = await certified({ fault: 'shipped-cancelled' })
const readOnly = await certified({ settings: { readOnly: true } })

// biome-ignore lint/suspicious/noExplicitAny: the alterations break the types on purpose
type Loose = any

/** A certificate that is taken apart. */
type Parts = Readonly<Record<'report' | 'log' | 'how', Loose>>

/** Signs files, whatever they are. */
function sealed(given: CertificateFiles, key = vendor, members: object = {}): CertificateFiles {
  const statement = statementOf(given, archive.readJson(given[REPORT]), key)
  const predicate = { ...statement.predicate, ...members }
  return { ...given, [STATEMENT]: signed(Buffer.from(ownJson({ ...statement, predicate })), key) }
}

/** Alters the content, and makes the digests of bodies fit again. */
function altered(given: CertificateFiles, alter: (parts: Parts) => unknown): CertificateFiles {
  const parts: Parts = {
    report: archive.readJson(given[REPORT]),
    ...structuredClone(archive.readLog(given[LOG])),
  }
  alter(parts)
  const log = archive.logFile(parts.log, parts.how)
  return { ...given, [REPORT]: Buffer.from(ownJson(parts.report)), [LOG]: Buffer.from(log) }
}

const replaced = (name: keyof CertificateFiles, from: string | RegExp, to: string): CertificateFiles => ({
  ...files,
  [name]: Buffer.from(Buffer.from(files[name]).toString().replace(from, to)),
})

const RULE = 'cancel-shipped-409'
const failed = (parts: Parts) => parts.report.rules.find(({ id }: Loose) => id === RULE)
/** The exchange that decides the failure. */
const culprit = (parts: Parts) => parts.log.exchanges[failed(parts).exchanges.at(-1)]
const remove = (list: Loose[], item: Loose) => list.splice(list.indexOf(item), 1)
const verified = (given: CertificateFiles) => () => verifyCertificate(zipSync(given as Zippable), publicKey)

const listed = ({ log }: Parts) => log.exchanges.find((each: Loose) => each.ask.operation === 'listOrders')
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
  ['an expected failure added to the report', parts => Object.assign(failed(parts), { expectedFailure: { reason: 'a', owner: 'b', expires: '2999-12-31' } }), /^conformance\.json: expectedFailure of cancel-shipped-409 cancelOrder is \{.*\}, but absent when/],
  ['a selection added to the log', ({ how }) => (how.skip = [RULE]), /^conformance\.json: verdict is "nonconformant", but "incomplete" when/],
  ['a fixture added', ({ log }) => log.fixtures.push({ resource: 'order', id: '77', state: 'pending', origin: 'arranged', since: 1 }), RULES],
  ['an unsent request removed', ({ log }) => log.unsent.splice(0), RULES, readOnly.files],
])('a certificate with %s is refused, also if it is signed again', (_title, alter, place, of = files) => {
  expect(verified(sealed(altered(of, alter)))).toThrow(place)
  expect(verified(altered(of, alter))).toThrow(/^(conformance|log)\.json was changed after it was signed/)
})

const zippable = { ...files } as Zippable
const bomb = Buffer.from(zipSync({ ...zippable, [LOG]: [new Uint8Array(201_000_000), { level: 1 }] }))
// fflate writes no name twice.
const renamed = Buffer.from(zipSync({ ...zippable, 'loh.json': Buffer.of(1) })).toString('latin1')
const twice = Buffer.from(renamed.replaceAll('loh.json', LOG), 'latin1')

// biome-ignore format: a table
it.each<[string, CertificateFiles | Uint8Array, RegExp | typeof NotCheckable]>([
  ['no signature', replaced(STATEMENT, /\[[^\]]*\]/, '[]'), /^statement\.json does not have a valid/],
  ['a wrong signature', replaced(STATEMENT, /(?<="sig": ")..../, 'AAAA'), /^statement\.json does not have/],
  ['a statement for other digests', { ...files, [STATEMENT]: readOnly.files[STATEMENT] }, /^conformance\.json was/],
  ['a statement of something else', sealed(files, vendor, { verdict: 'conformant' }), /^statement\.json does not say what conf/],
  ['a statement that is empty', { ...files, [STATEMENT]: Buffer.of() }, /^The certificate cannot be judged: /],
  ['a member twice', sealed(replaced(LOG, '{', '{"how":{},')), /^log\.json is not JSON as the suite writes/],
  ['a member twice in the report', sealed(replaced(REPORT, '{', '{"seed":1,')), /^conformance\.json is not JSON as the/],
  ['a text without its digest', sealed(replaced(LOG, /(?<=\["e3b0\w+",")/, 'x')), /^log\.json is not JSON as/],
  ['what is no exchange', sealed(replaced(LOG, /^\{"at":3,.*\},$/m, 'null,')), /^The certificate cannot be judged: /],
  ['a version that another suite judged', sealed(altered(files, each => (each.report.suite.version = '9.9.9'))), NotCheckable],
  ['a bomb', bomb, /^log\.json makes the content larger than 200/],
  ['a path that leaves the folder', zipSync({ ...zippable, '../x': Buffer.of() }), /^The archive has the files \.\.\/x, conf/],
  ['a file less', zipSync({ [REPORT]: Buffer.of(), [LOG]: Buffer.of() }), /^The archive has the files conformance.json, log.json, not /],
  ['a file twice', twice, /^The archive has the files conformance.json, log.json, log.json, statement.json, not /],
])('a certificate with %s is refused', (_name, given, place) => {
  const bytes = given instanceof Uint8Array ? given : zipSync({ ...given } as Zippable)
  expect(() => verifyCertificate(bytes, publicKey)).toThrow(place)
})

// biome-ignore format: a table
it.each<[string, string, RunOf]>([
  ['arranged orders, signed with P-256', 'conformant', { isNamed: false, key: other, settings: { gate: 'advisory' } }],
  ['a store with an odd name', 'conformant', { settings: { storeName: 'Zoo "Ü" \\ 動物', seed: 77 } }],
  ['requests without an answer', 'nonconformant', { isNamed: false, fault: 'odd-key-dropped' }],
  ['a cancellation that succeeds at the third time', 'nonconformant', { fault: 'third-cancel-succeeds' }],
  ['GET requests alone', 'incomplete', { settings: { readOnly: true } }],
  ['some rules', 'partial', { settings: { only: ['cancelOrder', 'listOrders'], skip: ['list-orders-*'] } }],
  ['a run that was stopped', 'incomplete', { isNamed: false, isStopped: true }],
])('a certificate of %s is judged again with the same result', async (_of, verdict, of) => {
  const { report, certificate } = await certified(of)
  const { key = vendor } = of
  const { signer, ...again } = verifyCertificate(certificate, createPublicKey(key))
  expect([report.verdict, again.report.verdict, signer]).toEqual([verdict, verdict, fingerprint(key)])
})
