/** Bytes. The native parser is faster for larger parts; smaller parts are recognised more often. */
const PART = { smallest: 4 * 1024, largest: 64 * 1024 }

/** Bytes on each side of a cut that decide whether it is one. */
const SEEN = 24

/** One in this many possible cuts is taken. */
const ONE_IN = 128

const BETWEEN_OBJECTS = Buffer.from('},{')

/**
 * The end of a part of a list, if it can be found without reading the list: before a comma between two objects. What the bytes
 * around a cut are decides whether it is taken, so that two lists are cut at the same places where they have the same elements.
 * The cut may be within a string. Then the part cannot be parsed.
 */
export function likelyPartEnd(bytes: Buffer): number | undefined {
  let at = bytes.indexOf(BETWEEN_OBJECTS, PART.smallest)
  while (at >= 0 && at + SEEN < bytes.length) {
    if (at >= PART.largest || isCut(bytes, at)) return at + 1
    at = bytes.indexOf(BETWEEN_OBJECTS, at + 1)
  }
  return undefined
}

function isCut(bytes: Buffer, at: number): boolean {
  let hash = 0
  for (let index = at - SEEN; index < at + SEEN; index += 1)
    hash = (Math.imul(hash, 31) + (bytes[index] as number)) | 0
  return (hash >>> 7) % ONE_IN === 0
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** The end of a part, found by reading: before the last comma between elements in the first 64 KiB, or else before the first one. */
export function exactPartEnd(bytes: Uint8Array): number | undefined {
  let depth = 0
  let isInString = false
  let end: number | undefined
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (isInString) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) depth -= 1
    else if (byte === COMMA && depth === 0) {
      if (end !== undefined && at > PART.largest) break
      end = at
    }
    if (depth < 0) break
  }
  return end
}
