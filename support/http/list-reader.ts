import { JsonBeyondReading, JsonSyntaxError } from './json.ts'
import { exactPartEnd, likelyPartEnd } from './list-cuts.ts'
import { ListDigest, type ListReading, type PartDigest } from './list-digest.ts'
import { type PartMemory, readPart } from './list-parts.ts'

/** The body is not an array. */
export class NotAList {}

/**
 * Reads a JSON array while its bytes arrive, and keeps a digest instead of the elements. Memory is bounded by the largest element.
 * A part that an earlier list had as well is recognised by its hash and not read again, because most lists of a run differ in a
 * few elements only.
 */
export interface ListReader {
  write(chunk: Uint8Array): void
  /** @returns the digest, or why the body cannot be read as a list */
  end(): ListDigest | JsonSyntaxError | NotAList
}

/** Bytes. Reading an element takes a multiple of its size, and no honest element is larger. */
export const LARGEST_ELEMENT = 1024 * 1024

/** Bytes that are collected before a part is looked for. */
const COLLECTED = 128 * 1024

const OPENING = 0x5b
const CLOSING = 0x5d

export function listReader(reading: ListReading, memory: PartMemory): ListReader {
  const parts: PartDigest[] = []
  let failure: JsonSyntaxError | NotAList | undefined
  let isWithin = false
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of the body before `rest`. */
  let offset = 0

  const fail = (why: JsonSyntaxError | NotAList): void => {
    failure = why
    rest = Buffer.alloc(0)
  }

  const skip = (bytes: number): void => {
    offset += bytes
    rest = rest.subarray(bytes)
  }

  const begin = (): void => {
    const at = firstAfterSpace(rest)
    if (at === undefined) skip(rest.length)
    else if (rest[at] !== OPENING) fail(new NotAList())
    else {
      skip(at + 1)
      isWithin = true
    }
  }

  /** @returns why the bytes are not a part */
  const take = (end: number): JsonSyntaxError | undefined => {
    const part = readPart(rest.subarray(0, end), reading, memory)
    if (part instanceof JsonSyntaxError) return part
    parts.push(part)
    memory.expect(parts.length)
    skip(Math.min(end + 1, rest.length))
    return undefined
  }

  /** Takes a part that ends before a comma. @returns whether there was one */
  const takePart = (): boolean => {
    const likely = likelyPartEnd(rest)
    if (likely !== undefined && take(likely) === undefined) return true
    // The likely end was within a string or a nested array, or the elements are written in another way.
    const end = exactPartEnd(rest)
    if (end === undefined) {
      if (rest.length > LARGEST_ELEMENT) fail(new JsonBeyondReading('an element of more than 1 MiB', offset))
      return false
    }
    const problem = take(end)
    if (problem) fail(movedBy(problem, offset))
    return !problem
  }

  /** The last part, up to the closing bracket. */
  const takeLast = (): void => {
    const close = rest.lastIndexOf(CLOSING)
    const end = close < 0 || firstAfterSpace(rest.subarray(close + 1)) !== undefined ? rest.length : close
    const isEmptyList = parts.length === 0 && firstAfterSpace(rest.subarray(0, end)) === undefined
    if (end === close && isEmptyList) return
    const before = offset
    const problem = take(end)
    if (problem) fail(movedBy(problem, before))
    else if (end !== close) {
      const at = before + end
      fail(new JsonSyntaxError(`expected ',' or ']' at offset ${at}, found the end`, at))
    }
  }

  return {
    write(chunk) {
      if (failure) return
      rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
      if (!isWithin) begin()
      while (isWithin && rest.length >= COLLECTED && takePart());
    },
    end() {
      while (isWithin && rest.length >= COLLECTED && takePart());
      if (isWithin && !failure) takeLast()
      if (failure) return failure
      return isWithin ? new ListDigest(parts, reading) : new NotAList()
    },
  }
}

/** The error, counted from the beginning of the body. */
const movedBy = (error: JsonSyntaxError, bytes: number): JsonSyntaxError =>
  error instanceof JsonBeyondReading
    ? new JsonBeyondReading(error.message, error.offset + bytes)
    : new JsonSyntaxError(
        error.message.replace(/offset \d+/, `offset ${error.offset + bytes}`),
        error.offset + bytes,
      )

const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])

/** Index of the first byte that is neither white space nor part of a byte order mark. */
function firstAfterSpace(bytes: Uint8Array): number | undefined {
  const at = bytes.findIndex(byte => !SPACE.has(byte) && !BYTE_ORDER_MARK.has(byte))
  return at < 0 ? undefined : at
}
