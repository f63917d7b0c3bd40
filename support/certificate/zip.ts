import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { Refused } from './refused.ts'

/** Bytes of an archive, and of everything in it. */
export const MAX_ARCHIVE = 256 * 1024 * 1024
export const MAX_CONTENT = 1024 * 1024 * 1024
export const MAX_ENTRIES = 20_000

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
/** 1980-01-01, so that the same content gives the same archive. */
const DATE = 0x0021
const REGULAR_FILE = 0o100644

/** A ZIP archive of these files, in their order (PKWARE APPNOTE 6.3.3, without ZIP64). */
export function zip(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(UTF8, 2)
    fields.writeUInt16LE(DEFLATED, 4)
    fields.writeUInt16LE(DATE, 8)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([uint32(LOCAL), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((REGULAR_FILE << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    // Made on Unix (3), which gives the external attributes their meaning.
    const made = Buffer.from([20, 3])
    centrals.push(Buffer.concat([uint32(CENTRAL), made, fields, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/**
 * Reads an archive in which every byte belongs to exactly one file: no comment, no extra field, no gap, nothing before or after.
 * @throws {Refused} for any other archive
 */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const refuse = (problem: string): never => {
    throw new Refused('the archive', problem)
  }
  if (archive.length > MAX_ARCHIVE) refuse(`has more than ${MAX_ARCHIVE} bytes`)
  const end = archive.length - END_BYTES
  if (end < 0 || archive.readUInt32LE(end) !== END) refuse('is not a ZIP archive, or has bytes after its end')
  const count = archive.readUInt16LE(end + 10)
  const start = archive.readUInt32LE(end + 16)
  if (archive.readUInt32LE(end + 4) !== 0 || archive.readUInt16LE(end + 8) !== count)
    refuse('has several parts')
  if (start + archive.readUInt32LE(end + 12) !== end || archive.readUInt16LE(end + 20) !== 0)
    refuse('has bytes between its directory and its end, or a comment')
  if (count > MAX_ENTRIES) refuse(`has more than ${MAX_ENTRIES} files`)
  const files = new Map<string, Buffer>()
  let content = 0
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
    if (!isSafeName(name)) refuseFile('is not the name of a file of a certificate')
    if (files.has(name)) refuseFile('is twice in the archive')
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
    content += size
    if (content > MAX_CONTENT) refuseFile(`makes the content larger than ${MAX_CONTENT} bytes`)
    const bytes = unpacked(archive.subarray(begin, begin + packedSize), method, size)
    if (!bytes) return refuseFile('does not unpack to its size')
    if (crc32(bytes) !== own.readUInt32LE(14)) refuseFile('does not fit its checksum')
    files.set(name, bytes)
    offset = begin + packedSize
    at += CENTRAL_BYTES + nameLength
  }
  if (offset !== start || at !== end) refuse('has bytes that belong to no file')
  return files
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

/** Whether it is the name of a file of a certificate: within its folder, and with one meaning on every system. */
export const isSafeName = (name: string): boolean => /^(?:[a-z]{1,20}\.json|bodies\/[0-9a-f]{64})$/.test(name)

export const printableName = (name: string): string =>
  JSON.stringify(name.slice(0, 100)).replace(/[^ -~]/g, '?')
