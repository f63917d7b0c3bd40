import { crc32, inflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { Refused } from './refused.ts'

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
export const zip = (files: ReadonlyMap<string, Uint8Array>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(files), {
      mtime: new Date(1980, 0, 1),
      os: UNIX,
      attrs: (REGULAR_FILE << 16) >>> 0,
    }),
  )

/** A file of a certificate, before its content is read. */
export interface Entry {
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
export function entriesOf(archive: Buffer): Entry[] {
  const refuse = (problem: string): never => {
    throw new Refused('the archive', problem)
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
    const refuseFile = (problem: string): never => {
      throw new Refused(printableName(name), problem)
    }
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

export const printableName = (name: string): string =>
  JSON.stringify(name.slice(0, 100)).replace(/[^ -~]/g, '?')
