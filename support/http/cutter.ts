import { Part } from './part.ts'

/** Bytes. Smaller parts are more often equal to known ones, larger parts take less time each. */
const PART = { smallest: 12 * 1024, largest: 64 * 1024, withoutComma: 128 * 1024 }

/** Bytes on each side of a cut that decide whether it is one. */
const SEEN = 24

/** One in this many possible cuts is taken. */
const ONE_IN = 64

const COMMA = 0x2c
const BETWEEN = Buffer.from('},')
const OPENING = 0x7b

/**
 * Cuts the bytes of a JSON text into parts as they arrive. What the bytes around a comma are decides whether there is a cut, so that
 * two lists are cut at the same places where they have the same elements, however they arrive. A cut may be within an element, or
 * within a string.
 */
export class Cutter {
  readonly #parts: Part[] = []
  #rest: Buffer = Buffer.alloc(0)

  /** @returns the parts that are complete with these bytes */
  write(bytes: Uint8Array): readonly Part[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    const before = this.#parts.length
    let from = 0
    for (let end = cutIn(this.#rest); end !== undefined; end = cutIn(this.#rest.subarray(from))) {
      this.#take(this.#rest.subarray(from, from + end), false)
      from += end
    }
    this.#rest = this.#rest.subarray(from)
    return this.#parts.slice(before)
  }

  /** @returns all parts */
  end(): readonly Part[] {
    this.#take(this.#rest, true)
    return this.#parts
  }

  #take(bytes: Uint8Array, isLast: boolean): void {
    this.#parts.push(Part.of(bytes, this.#parts.length === 0, isLast))
  }
}

/** The end of the first part. Undefined if more bytes must be seen. */
function cutIn(bytes: Buffer): number | undefined {
  let at = bytes.indexOf(BETWEEN, PART.smallest)
  while (at >= 0 && at < PART.largest && at + 2 * SEEN < bytes.length) {
    if (isCut(bytes, at)) return at + 2
    at = bytes.indexOf(BETWEEN, at + 1)
  }
  if (bytes.length <= PART.largest + 2 * SEEN) return undefined
  const comma = bytes.indexOf(COMMA, PART.largest)
  if (comma >= 0 && comma < PART.withoutComma) return comma + 1
  return bytes.length > PART.withoutComma ? PART.withoutComma : undefined
}

/** Objects follow each other in lists. Within objects, names follow objects. */
function isCut(bytes: Buffer, at: number): boolean {
  let next = at + 2
  while (next < at + SEEN && (bytes[next] as number) <= 0x20) next += 1
  if (bytes[next] !== OPENING) return false
  let hash = 0
  for (let index = at - SEEN; index < at + 2 * SEEN; index += 1)
    hash = (Math.imul(hash, 31) + (bytes[index] as number)) | 0
  return (hash >>> 7) % ONE_IN === 0
}
