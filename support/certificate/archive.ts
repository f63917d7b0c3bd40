import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { MEGABYTE as MB, readInput } from '../http/read-input.ts'
import { writeWhole } from '../report/write.ts'
import { Refused } from './refused.ts'
import type { CertificateFiles } from './statement.ts'

/** Megabytes of everything in a certificate, and of an archive. */
const MAX_CONTENT = 64
/** Megabytes of a JSON file: it takes many times as much when it is read. */
const MAX_JSON = 8
const MAX_FILES = 20_000

/** Within the folder of a certificate, and with one meaning on every system. */
const SAFE_NAME = /^(?:[a-z]{1,20}\.json|bodies\/[0-9a-f]{64})$/

/** Which limit of a certificate these files exceed, if any. */
export function limitOf(files: readonly Pick<Entry, 'name' | 'size'>[]): string | undefined {
  const content = files.reduce((sum, { size }) => sum + size, 0)
  const large = files.find(({ name, size }) => name.endsWith('.json') && size > MAX_JSON * MB)
  if (files.length > MAX_FILES) return `has more than ${MAX_FILES} files`
  if (content > MAX_CONTENT * MB) return `has more than ${MAX_CONTENT} MB of content`
  return large && `has more than ${MAX_JSON} MB in ${large.name}`
}

/**
 * Reads an archive, or a folder with the same files. Sizes are checked before anything is read.
 * @throws {Refused} for any other content
 * @throws the error of the file system if there is no such file
 */
export function readCertificate(path: string): Map<string, Buffer> {
  const about = statSync(path)
  if (about.isFile() && about.size > MAX_CONTENT * MB)
    throw new Refused('the archive', `has more than ${MAX_CONTENT} MB`)
  const [entries, what] = about.isDirectory()
    ? [inFolder(path), 'the folder']
    : [entriesOf(readInput(path, MAX_CONTENT * MB)), 'the archive']
  for (const { name } of entries)
    if (!SAFE_NAME.test(name))
      throw new Refused(name.slice(0, 100), 'is not the name of a file of a certificate')
  const beyond = limitOf(entries)
  if (beyond !== undefined) throw new Refused(what, beyond)
  return new Map(entries.map(each => [each.name, each.read()]))
}

function inFolder(folder: string): Entry[] {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() && entry.name === 'bodies'
      ? readdirSync(join(folder, 'bodies')).map(below => `bodies/${below}`)
      : [entry.name],
  )
  return names.map(name => {
    const path = join(folder, name)
    const about = lstatSync(path)
    if (!about.isFile()) throw new Refused(name.slice(0, 100), 'is not a regular file')
    return { name, size: about.size, read: () => readInput(path, MAX_CONTENT * MB) }
  })
}

/** Writes one archive, or a new folder. */
export function writeCertificate(files: CertificateFiles, path: string, as: 'archive' | 'folder'): void {
  mkdirSync(dirname(path), { recursive: true })
  if (as === 'archive') {
    writeWhole(dirname(path), basename(path), zip(files))
    return
  }
  // Fails if something is in its place.
  mkdirSync(path)
  mkdirSync(join(path, 'bodies'))
  for (const [name, bytes] of files) writeWhole(join(path, dirname(name)), basename(name), bytes)
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Names are UTF-8. */
const UTF8 = 0x0800
const STORED = 0
const DEFLATED = 8
const REGULAR_FILE = 0o100644
const UNIX = 3

/** A ZIP archive of these files, in their order. The same content gives the same archive. */
export const zip = (files: CertificateFiles): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(files), {
      mtime: new Date(1980, 0, 1),
      os: UNIX,
      attrs: (REGULAR_FILE << 16) >>> 0,
    }),
  )

/** A file of a certificate, before its content is read. */
interface Entry {
  readonly name: string
  readonly size: number
  /** @throws {Refused} if the content does not have this size */
  read(): Buffer
}

/**
 * The files of an archive in which every byte belongs to exactly one file: no comment, no extra field, no gap, nothing before or after.
 * Nothing is unpacked yet.
 * @throws {Refused} for any other archive
 */
function entriesOf(archive: Buffer): Entry[] {
  const refuse = (problem: string, place = 'the archive'): never => {
    throw new Refused(place.slice(0, 100), problem)
  }
  const end = archive.length - END_BYTES
  if (end < 0 || archive.readUInt32LE(end) !== END) refuse('is not a ZIP archive, or has bytes after its end')
  const count = archive.readUInt16LE(end + 10)
  const start = archive.readUInt32LE(end + 16)
  if (archive.readUInt32LE(end + 4) !== 0 || archive.readUInt16LE(end + 8) !== count)
    refuse('has several parts')
  if (start + archive.readUInt32LE(end + 12) !== end || archive.readUInt16LE(end + 20) !== 0)
    refuse('has bytes between its directory and its end, or a comment')
  const entries = new Map<string, Entry>()
  let offset = 0
  let at = start
  for (let nth = 0; nth < count; nth += 1) {
    if (at + CENTRAL_BYTES > end || archive.readUInt32LE(at) !== CENTRAL)
      refuse(`has no entry ${nth + 1} in its directory`)
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength)
    const refuseFile = (problem: string): never => refuse(problem, name)
    if (entries.has(name)) refuseFile('is twice in the archive')
    const type = archive.readUInt32LE(at + 38) >>> 28
    if (type !== REGULAR_FILE >>> 12) refuseFile('is not a regular file')
    if (archive.readUInt32LE(at + 30) !== 0 || archive.readUInt16LE(at + 34) !== 0)
      refuseFile('has an extra field or a comment, or lies in another part')
    if (archive.readUInt32LE(at + 42) !== offset) refuseFile('does not begin where the file before it ends')
    // The header of the file must agree with the directory.
    const own = archive.subarray(offset, offset + LOCAL_BYTES)
    if (own.length < LOCAL_BYTES || own.readUInt32LE(0) !== LOCAL) refuseFile('has no header')
    if (!own.subarray(4).equals(archive.subarray(at + 6, at + 32)))
      refuseFile('has a header that differs from the directory')
    const flags = own.readUInt16LE(6)
    const method = own.readUInt16LE(8)
    if ((flags !== 0 && flags !== UTF8) || (method !== STORED && method !== DEFLATED))
      refuseFile('is encrypted, or packed by another method than deflate')
    const packedSize = own.readUInt32LE(18)
    const size = own.readUInt32LE(22)
    const begin = offset + LOCAL_BYTES + nameLength
    if (begin + packedSize > start) refuseFile('is cut off')
    if (archive.toString('utf8', offset + LOCAL_BYTES, begin) !== name)
      refuseFile('has another name in its header')
    entries.set(name, {
      name,
      size,
      read() {
        const bytes = unpacked(archive.subarray(begin, begin + packedSize), method, size)
        if (!bytes) return refuseFile('does not unpack to its size')
        return crc32(bytes) === own.readUInt32LE(14) ? bytes : refuseFile('does not fit its checksum')
      },
    })
    offset = begin + packedSize
    at += CENTRAL_BYTES + nameLength
  }
  if (offset !== start || at !== end) refuse('has bytes that belong to no file')
  return [...entries.values()]
}

/** Decodes at most the size in the directory, so that a few bytes cannot expand to gigabytes. */
function unpacked(packed: Buffer, method: number, size: number): Buffer | undefined {
  if (method === STORED) return packed.length === size ? packed : undefined
  try {
    const { buffer, engine } = inflateRawSync(packed, {
      maxOutputLength: Math.max(size, 1),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return buffer.length === size && engine.bytesWritten === packed.length ? buffer : undefined
  } catch {
    return undefined
  }
}
