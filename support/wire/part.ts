import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { canonical } from './decimal.ts'
import { isJsonObject, type Json, JsonBeyondReading, JsonNumber, JsonSyntaxError, parseJson } from './json.ts'

interface PartFacts {
  /** How many elements it has. Undefined for a text that is no array. */
  readonly length: number | undefined
  readonly repeatedName: string | undefined
}

/** Bytes of the heap. Beyond it, parts do not keep their elements, and are parsed again for each question. */
const ROOM_FOR_ELEMENTS = 0.2 * Math.min(getHeapStatistics().heap_size_limit, 1024 ** 3)

/** Bytes. To find an equal part takes longer than to parse a shorter one again. */
const SHORTEST_SHARED = 512

/** Bytes of a part. Smaller parts are more often equal to known ones, larger parts take less time each. */
const SIZE = { smallest: 12 * 1024, largest: 64 * 1024 }

/** Bytes after which a part is cut within a value. No honest value is as large. */
const TOO_LARGE = SIZE.largest + 1024 * 1024

/**
 * A part of a JSON text. An array is cut between its elements, so that each part can be read by itself. Most lists of a run differ in
 * a few elements only, and equal parts are one object, so their bytes are held once and parsed once.
 */
export class Part {
  /** The bytes of all parts that are in use. */
  static bytesHeld = 0
  static readonly #known = new Map<string, WeakRef<Part>>()
  static readonly #released = new FinalizationRegistry<{ readonly key: string; readonly size: number }>(
    ({ key, size }) => {
      Part.bytesHeld -= size
      if (!Part.#known.get(key)?.deref()) Part.#known.delete(key)
    },
  )

  readonly bytes: Buffer
  /** What followed it in the last list that it was in. */
  next: WeakRef<Part> | undefined
  readonly #isFirst: boolean
  readonly #isLast: boolean
  #value: Json | undefined
  #facts: PartFacts | JsonSyntaxError | undefined
  readonly #ids = new Map<string, PartIds>()
  readonly #changed = new WeakMap<(text: string) => string, Part>()

  private constructor(bytes: Buffer, isFirst: boolean, isLast: boolean) {
    this.bytes = bytes
    this.#isFirst = isFirst
    this.#isLast = isLast
  }

  static of(bytes: Uint8Array, isFirst: boolean, isLast: boolean): Part {
    if (bytes.length < SHORTEST_SHARED) return new Part(Buffer.from(bytes), isFirst, isLast)
    const key = `${createHash('sha256').update(bytes).digest('base64')} ${isFirst} ${isLast}`
    const known = Part.#known.get(key)?.deref()
    if (known) return known
    const part = new Part(Buffer.from(bytes), isFirst, isLast)
    Part.#known.set(key, new WeakRef(part))
    Part.#released.register(part, { key, size: bytes.length })
    Part.bytesHeld += bytes.length
    return part
  }

  /** This part with its text changed, or itself if nothing is. A part is changed once, because it may be in many lists. */
  with(change: (text: string) => string): Part {
    const known = this.#changed.get(change)
    if (known) return known
    const text = this.bytes.toString('latin1')
    const changed = change(text)
    const part =
      changed === text ? this : Part.of(Buffer.from(changed, 'latin1'), this.#isFirst, this.#isLast)
    this.#changed.set(change, part)
    return part
  }

  /** What it contains, or why it cannot be read. */
  get facts(): PartFacts | JsonSyntaxError {
    if (!this.#facts) this.#read()
    return this.#facts as PartFacts | JsonSyntaxError
  }

  /** The value of a text that is one part and can be read. */
  get value(): Json {
    return this.#value ?? (this.#read() as Json)
  }

  get elements(): readonly Json[] {
    return this.value as readonly Json[]
  }

  ids(name: string): PartIds {
    const ids = this.#ids.get(name) ?? idsOf(this.elements, name)
    this.#ids.set(name, ids)
    return ids
  }

  #read(): Json | undefined {
    try {
      if (this.bytes.length === TOO_LARGE) throw new JsonBeyondReading('a value in it has more than 1 MiB')
      if (!isUtf8(this.bytes)) throw new JsonSyntaxError('the bytes are not UTF-8 (RFC 8259 §8.1)')
      const text = this.bytes.toString()
      // A sender must not add one, and many parsers refuse it.
      if (this.#isFirst && text.startsWith('\uFEFF'))
        throw new JsonSyntaxError('it begins with a byte order mark (RFC 8259 §8.1)')
      // The 0 stands for the elements after the last comma.
      const { value, repeatedName } = parseJson(
        `${this.#isFirst ? '' : '['}${text}${this.#isLast ? '' : '0]'}`,
      )
      if (Array.isArray(value) && !this.#isLast) value.pop()
      this.#facts = { length: Array.isArray(value) ? value.length : undefined, repeatedName }
      if (getHeapStatistics().used_heap_size < ROOM_FOR_ELEMENTS) this.#value = value
      return value
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      this.#facts = this.#isFirst ? error : error.after(-1)
      return undefined
    }
  }
}

/** The ids of consecutive elements of a list. */
interface PartIds {
  /** Those that are numbers, in canonical form, each with the index of its first element. */
  readonly numbers: ReadonlyMap<string, number>
  /** Elements whose number an earlier one has as well. */
  readonly repeated: readonly { readonly at: number; readonly id: string }[]
  /** Strings, and literals such as null, each with the index of its first element. */
  readonly texts: ReadonlyMap<string, number>
  /** How many elements have no id: the member is absent, or an object or array. */
  readonly without: number
}

function idsOf(elements: readonly Json[], name: string): PartIds {
  const numbers = new Map<string, number>()
  const texts = new Map<string, number>()
  const repeated: { at: number; id: string }[] = []
  let without = 0
  elements.forEach((entry, at) => {
    const value = isJsonObject(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined
    const isNumber = value instanceof JsonNumber
    if (value === undefined || (typeof value === 'object' && value !== null && !isNumber)) {
      without += 1
      return
    }
    const id = canonical(String(value))
    const known = isNumber ? numbers : texts
    if (!known.has(id)) known.set(id, at)
    else if (isNumber) repeated.push({ at, id })
  })
  return { numbers, repeated, texts, without }
}

/** A part ends after one in this many elements. */
const ONE_IN = 64

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Cuts the bytes of a JSON text into parts as they arrive. The bytes of an element decide whether a part ends with it, so that two
 * lists are cut at the same places where they have the same elements, however they arrive. A text that is no list is one part.
 */
export class Cutter {
  readonly #parts: Part[] = []
  /** The bytes after the last cut. */
  #rest: Buffer = Buffer.alloc(0)
  /** How many of them were looked at, where the last element begins, and what the next byte is in. */
  #place = { seen: 0, element: 0, brackets: 0, isList: false, isText: false }
  /** Whether a value was too large. What comes after it is not looked at. */
  #isTooLarge = false

  /** @returns the parts that are complete with these bytes */
  write(bytes: Uint8Array): readonly Part[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const before = this.#parts.length
    for (let end = this.#nextEnd(); end !== undefined; end = this.#nextEnd()) this.#take(end, false)
    return this.#parts.slice(before)
  }

  /** @returns all parts */
  end(): readonly Part[] {
    this.#take(this.#rest.length, true)
    return this.#parts
  }

  #take(end: number, isLast: boolean): void {
    this.#isTooLarge ||= end === TOO_LARGE
    const last = this.#parts.at(-1)
    const part = Part.of(this.#rest.subarray(0, end), last === undefined, isLast)
    if (last && !isLast) last.next = new WeakRef(part)
    this.#parts.push(part)
    this.#rest = this.#rest.subarray(end)
    this.#place = { ...this.#place, seen: 0, element: 0 }
  }

  /**
   * The end of the next part. Undefined if more bytes must be seen. Most lists of a run are alike, so what followed the last part
   * before is expected to follow it again.
   */
  #nextEnd(): number | undefined {
    if (this.#isTooLarge) return this.#rest.length < SIZE.largest ? undefined : SIZE.largest
    const expected = this.#place.seen === 0 ? this.#parts.at(-1)?.next?.deref()?.bytes : undefined
    const common = Math.min(expected?.length ?? 0, this.#rest.length)
    if (!expected?.subarray(0, common).equals(this.#rest.subarray(0, common))) return this.#endInList()
    return common === expected.length ? common : undefined
  }

  /** Only quotes and brackets say where an element ends, because it may have objects in it, and text that looks like objects. */
  #endInList(): number | undefined {
    const bytes = this.#rest
    let { seen, element, brackets, isList, isText } = this.#place
    let end: number | undefined
    while (end === undefined && seen < bytes.length) {
      const byte = bytes[seen] as number
      seen += 1
      if (byte === QUOTE) isText = !isText
      else if (isText) seen += byte === BACKSLASH ? 1 : 0
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        isList ||= byte === OPEN_ARRAY && brackets === 0
        brackets += 1
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) brackets -= 1
      else if (byte === COMMA && brackets <= (isList ? 1 : 0)) {
        if (seen >= SIZE.largest || (seen >= SIZE.smallest && isLastOfPart(bytes.subarray(element, seen))))
          end = seen
        element = seen
      }
      if (seen >= TOO_LARGE) end = TOO_LARGE
    }
    this.#place = { seen, element, brackets, isList, isText }
    return end
  }
}

function isLastOfPart(element: Uint8Array): boolean {
  let hash = 0
  for (const byte of element) hash = (Math.imul(hash, 31) + byte) | 0
  return (hash >>> 7) % ONE_IN === 0
}
