import type { KeyObject } from 'node:crypto'
import { sha256 } from '../digest.ts'
import { readEnvelope, signed } from '../dsse.ts'
import { type CertificateFiles, ENVELOPE } from '../statement.ts'
import { jsonFile } from '../strict-json.ts'

// biome-ignore lint/suspicious/noExplicitAny: the alterations break the types on purpose
export type Loose = any

/** The parts of a certificate, to be altered. */
export interface Parts {
  readonly files: Map<string, Buffer>
  statement: Loose
  report: Loose
  recording: Loose
}

const parse = (bytes: Uint8Array | undefined): Loose => JSON.parse(Buffer.from(bytes ?? '').toString('utf8'))

const copyOf = (files: CertificateFiles) =>
  new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)] as const))

/** Alters the content, recomputes every digest and signs again, as a vendor could do with its own key. */
export function alterContent(
  of: CertificateFiles,
  key: KeyObject,
  alter: (parts: Parts) => unknown,
): CertificateFiles {
  const parts: Parts = {
    files: copyOf(of),
    statement: parse(readEnvelope(of).payload),
    report: parse(of.get('report.json')),
    recording: parse(of.get('recording.json')),
  }
  alter(parts)
  const { files, statement, report, recording } = parts
  files.set('report.json', jsonFile(report))
  files.set('recording.json', Buffer.from(JSON.stringify(recording)))
  for (const each of statement.subject)
    if (files.has(each.name)) each.digest = { sha256: sha256(files.get(each.name) as Buffer) }
  files.set(ENVELOPE, signed(jsonFile(statement), key))
  return files
}

/** Alters the files, and leaves digests and signature unchanged. */
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

/** Replaces a body, and its digest in its name and in the recording. */
export function replaceBody(parts: Parts, digest: string, bytes: Buffer): void {
  const now = sha256(bytes)
  parts.files.delete(`bodies/${digest}`)
  parts.files.set(`bodies/${now}`, bytes)
  for (const { response } of parts.recording.events) if (response?.body === digest) response.body = now
}

/** Writes members at paths of the parts, such as `statement.predicate.seed`. Undefined removes one. */
export const put =
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
