import type { KeyObject } from 'node:crypto'
import { zip } from '../archive.ts'
import { sha256 } from '../digest.ts'
import { keyId, printEnvelope, readEnvelope, signed } from '../dsse.ts'
import { type CertificateFiles, ENVELOPE, EVIDENCE } from '../statement.ts'
import type { Vector } from './sound.ts'

// biome-ignore lint/suspicious/noExplicitAny: the alterations break the types on purpose
export type Loose = any

/** The parts of a certificate or of evidence, to be altered. */
export interface Parts {
  readonly files: Map<string, Buffer>
  /** The content of `evidence.json`, if it is evidence. */
  statement: Loose
  report: Loose
  recording: Loose
}

/** How a certificate is checked, and where it has to be refused. */
export interface Options {
  readonly place: RegExp
  /** It is detected only by judging again. */
  readonly judging?: true
  readonly keys?: readonly KeyObject[]
  readonly challenge?: string
  readonly now?: number
}

/** A certificate that every checker has to refuse. */
export type Hostile = Options & {
  readonly name: string
  readonly bytes: Buffer
  readonly keys: readonly KeyObject[]
  readonly now: number
}

const envelopeIn = (files: ReadonlyMap<string, Uint8Array>) =>
  readEnvelope(files.get(ENVELOPE) ?? Buffer.of(), ENVELOPE)

const parse = (bytes: Uint8Array | undefined): Loose => JSON.parse(Buffer.from(bytes ?? '').toString('utf8'))

export function partsOf(files: CertificateFiles): Parts {
  const copied = new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)] as const))
  return {
    files: copied,
    statement: parse(copied.get(EVIDENCE) ?? envelopeIn(copied).payload),
    report: parse(copied.get('report.json')),
    recording: parse(copied.get('recording.json')),
  }
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)

/** The files of the altered parts, with every digest recomputed as an attacker would do. */
export function withDigests({ files, statement, report, recording }: Parts): Map<string, Buffer> {
  files.set('report.json', json(report))
  files.set('recording.json', Buffer.from(JSON.stringify(recording)))
  for (const each of statement.subject)
    if (files.has(each.name)) each.digest = { sha256: sha256(files.get(each.name) as Buffer) }
  if (files.has(EVIDENCE)) files.set(EVIDENCE, json(statement))
  else files.set(ENVELOPE, Buffer.from(printEnvelope({ payload: json(statement), signatures: [] })))
  return files
}

/** Replaces a body, and its digest in its name and in the recording. */
export function replaceBody(parts: Parts, digest: string, bytes: Buffer): void {
  const now = sha256(bytes)
  parts.files.delete(`bodies/${digest}`)
  parts.files.set(`bodies/${now}`, bytes)
  for (const { response } of parts.recording.events) if (response?.body === digest) response.body = now
}

export const hostile = (name: string, bytes: Buffer, base: Vector, options: Options): Hostile => ({
  keys: [],
  now: base.now,
  ...options,
  name,
  bytes,
})

/** Alters the content, and recomputes every digest. The result is unsigned. */
export function content(
  base: Vector,
  name: string,
  alter: (parts: Parts) => void,
  options: Options,
): Hostile {
  const parts = partsOf(base.files)
  alter(parts)
  return hostile(name, zip(withDigests(parts)), base, options)
}

/** Alters the files, and leaves the digests unchanged. */
export function filed(
  base: Vector,
  name: string,
  alter: (files: Map<string, Buffer>) => void,
  options: Options,
): Hostile {
  const { files } = partsOf(base.files)
  alter(files)
  return hostile(name, zip(files), base, options)
}

/** Replaces a text in a file. */
export const replacing =
  (file: string, from: string | RegExp, to: string) =>
  (files: Map<string, Buffer>): void => {
    const text = (files.get(file) ?? Buffer.of()).toString('utf8')
    const altered = text.replace(from, to)
    if (altered === text) throw new Error(`${file} has no ${from}`)
    files.set(file, Buffer.from(altered))
  }

/** Replaces the payload of the envelope, and signs it with these keys. */
export const payload =
  (alter: (text: string) => string, keys: readonly KeyObject[] = []) =>
  (files: Map<string, Buffer>): void => {
    const altered = { payload: Buffer.from(alter(envelopeIn(files).payload.toString())), signatures: [] }
    files.set(ENVELOPE, Buffer.from(printEnvelope(keys.reduce(signed, altered))))
  }

/** Signs with one key under the id of another. */
export const underNameOf = (owner: KeyObject, other: KeyObject) => (files: Map<string, Buffer>) => {
  const made = signed({ ...envelopeIn(files), signatures: [] }, other)
  const signatures = made.signatures.map(each => ({ ...each, keyid: keyId(owner) }))
  files.set(ENVELOPE, Buffer.from(printEnvelope({ ...made, signatures })))
}
