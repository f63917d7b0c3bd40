import type { KeyObject } from 'node:crypto'
import { sha256 } from '../digest.ts'
import { keyId, printEnvelope, readEnvelope, signed } from '../dsse.ts'
import { type CertificateFiles, ENVELOPE, EVIDENCE } from '../statement.ts'
import { jsonFile } from '../strict-json.ts'

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

const parse = (bytes: Uint8Array | undefined): Loose => JSON.parse(Buffer.from(bytes ?? '').toString('utf8'))

export function partsOf(files: CertificateFiles): Parts {
  return {
    files: copyOf(files),
    statement: parse(files.get(EVIDENCE) ?? readEnvelope(files).payload),
    report: parse(files.get('report.json')),
    recording: parse(files.get('recording.json')),
  }
}

const copyOf = (files: CertificateFiles) =>
  new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)] as const))

/** Alters the content, and recomputes every digest as an attacker would do. The result is unsigned. */
export function alterContent(of: CertificateFiles, alter: (parts: Parts) => unknown): CertificateFiles {
  const parts = partsOf(of)
  alter(parts)
  const { files, statement, report, recording } = parts
  files.set('report.json', jsonFile(report))
  files.set('recording.json', Buffer.from(JSON.stringify(recording)))
  for (const each of statement.subject)
    if (files.has(each.name)) each.digest = { sha256: sha256(files.get(each.name) as Buffer) }
  if (files.has(EVIDENCE)) files.set(EVIDENCE, jsonFile(statement))
  else files.set(ENVELOPE, printEnvelope({ payload: jsonFile(statement), signatures: [] }))
  return files
}

/** Replaces a body, and its digest in its name and in the recording. */
export function replaceBody(parts: Parts, digest: string, bytes: Buffer): void {
  const now = sha256(bytes)
  parts.files.delete(`bodies/${digest}`)
  parts.files.set(`bodies/${now}`, bytes)
  for (const { response } of parts.recording.events) if (response?.body === digest) response.body = now
}

/** Alters the files, and leaves the digests unchanged. */
export function alterFiles(
  of: CertificateFiles,
  alter: (files: Map<string, Buffer>) => unknown,
): CertificateFiles {
  const files = copyOf(of)
  alter(files)
  return files
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
    const altered = { payload: Buffer.from(alter(readEnvelope(files).payload.toString())), signatures: [] }
    files.set(ENVELOPE, printEnvelope(keys.reduce(signed, altered)))
  }

/** Signs with one key under the id of another. */
export const underNameOf = (owner: KeyObject, other: KeyObject) => (files: Map<string, Buffer>) => {
  const made = signed({ ...readEnvelope(files), signatures: [] }, other)
  const signatures = made.signatures.map(each => ({ ...each, keyid: keyId(owner) }))
  files.set(ENVELOPE, printEnvelope({ ...made, signatures }))
}
