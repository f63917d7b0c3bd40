import { createPublicKey, type KeyObject } from 'node:crypto'
import { sha256 } from '../bodies.ts'
import { keyId, printEnvelope, readEnvelope, signed } from '../dsse.ts'
import type { RecordingFile } from '../recording.ts'
import type { Statement } from '../statement.ts'
import { zip } from '../zip.ts'
import type { Vector } from './sound.ts'

/** Whatever a member holds: recipes put there what no type allows. */
// biome-ignore lint/suspicious/noExplicitAny: recipes break the types on purpose
type Loose = any

/** The parts of a certificate, to be altered. */
export interface Parts {
  readonly files: Map<string, Buffer>
  statement: Statement & Loose
  report: Loose
  recording: RecordingFile & Loose
}

/** A certificate that every checker has to refuse. */
export interface Hostile {
  readonly name: string
  readonly bytes: Buffer
  readonly keys: readonly KeyObject[]
  readonly challenge?: string
  readonly now: number
  /** Where it has to be refused. */
  readonly place: RegExp
  /** Only judging again shows it. */
  readonly judging: boolean
}

const parse = (bytes: Uint8Array | undefined): Loose => JSON.parse(Buffer.from(bytes ?? '').toString('utf8'))

function partsOf({ files }: Vector): Parts {
  const copied = new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)] as const))
  return {
    files: copied,
    statement: parse(readEnvelope(copied.get('envelope.json') ?? Buffer.of(), 'envelope.json').payload),
    report: parse(copied.get('report.json')),
    recording: parse(copied.get('recording.json')),
  }
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)

/** As somebody would write it who has altered the parts, and mends every digest. */
function mended({ files, statement, report, recording }: Parts): Map<string, Buffer> {
  files.set('report.json', json(report))
  files.set('recording.json', json(recording))
  for (const each of statement.subject as Loose[])
    if (files.has(each.name)) each.digest = { sha256: sha256(files.get(each.name) as Buffer) }
  files.set('envelope.json', Buffer.from(printEnvelope({ payload: json(statement), signatures: [] })))
  return files
}

/** Gives the bodies the names of their digests, in the recording as well. */
export function replaceBody(parts: Parts, digest: string, bytes: Buffer): void {
  const now = sha256(bytes)
  parts.files.delete(`bodies/${digest}`)
  parts.files.set(`bodies/${now}`, bytes)
  for (const { response } of parts.recording.events) if (response?.body === digest) response.body = now
}

export interface Options {
  readonly place: RegExp
  readonly judging?: true
  readonly keys?: readonly KeyObject[]
  readonly challenge?: string
  readonly now?: number
}

const hostile = (name: string, bytes: Buffer, base: Vector, options: Options): Hostile => ({
  name,
  bytes,
  keys: (options.keys ?? []).map(key => createPublicKey(key)),
  ...(options.challenge === undefined ? {} : { challenge: options.challenge }),
  now: options.now ?? base.now,
  place: options.place,
  judging: options.judging ?? false,
})

/** Alters the content, and mends every digest. Nobody has signed the result. */
export function content(
  base: Vector,
  name: string,
  alter: (parts: Parts) => void,
  options: Options,
): Hostile {
  const parts = partsOf(base)
  alter(parts)
  return hostile(name, zip(mended(parts)), base, options)
}

/** Alters the files, and mends nothing. */
export function filed(
  base: Vector,
  name: string,
  alter: (files: Map<string, Buffer>) => void,
  options: Options,
): Hostile {
  const { files } = partsOf(base)
  alter(files)
  return hostile(name, zip(files), base, options)
}

/** Alters the bytes of the archive. */
export function packed(
  base: Vector,
  name: string,
  alter: (archive: Buffer) => Buffer,
  options: Options,
): Hostile {
  return hostile(name, alter(zip(base.files)), base, options)
}

/** Replaces a text in a file. */
export const replacing =
  (file: string, from: string | RegExp, to: string) =>
  (files: Map<string, Buffer>): void => {
    const text = (files.get(file) ?? Buffer.of()).toString('utf8')
    const altered = text.replace(from, () => to)
    if (altered === text) throw new Error(`${file} has no ${from}`)
    files.set(file, Buffer.from(altered))
  }

/** Replaces the payload of the envelope, and gives it the digests as they are. */
export const payload =
  (alter: (text: string) => string, keys: readonly KeyObject[] = []) =>
  (files: Map<string, Buffer>): void => {
    const envelope = readEnvelope(files.get('envelope.json') ?? Buffer.of(), 'envelope.json')
    const altered = { payload: Buffer.from(alter(envelope.payload.toString('utf8'))), signatures: [] }
    files.set('envelope.json', Buffer.from(printEnvelope(keys.reduce(signed, altered))))
  }

/** A key id with the signature of somebody else. */
export const underNameOf = (owner: KeyObject, other: KeyObject) => (files: Map<string, Buffer>) => {
  const envelope = readEnvelope(files.get('envelope.json') ?? Buffer.of(), 'envelope.json')
  const [made] = signed({ ...envelope, signatures: [] }, other).signatures
  if (made)
    files.set(
      'envelope.json',
      Buffer.from(printEnvelope({ ...envelope, signatures: [{ ...made, keyid: keyId(owner) }] })),
    )
}
