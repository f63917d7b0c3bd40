import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { canonical } from './decimal.ts'
import { isJsonObject, type Json, JsonNumber, JsonSyntaxError, parseJson } from './json.ts'

interface PartFacts {
  /** How many elements it has. Undefined for a text that is no array. */
  readonly length: number | undefined
  readonly repeatedName: string | undefined
}

/** Bytes of the heap. Beyond it, parts do not keep their elements, and are parsed again for each question. */
const ROOM_FOR_ELEMENTS = 0.2 * Math.min(getHeapStatistics().heap_size_limit, 1024 ** 3)

/** Bytes. To find an equal part takes longer than to parse a shorter one again. */
const SHORTEST_SHARED = 512

const COMMA = 0x2c

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
  readonly isLast: boolean
  readonly #isFirst: boolean
  #value: Json | undefined
  #facts: PartFacts | JsonSyntaxError | undefined
  readonly #ids = new Map<string, PartIds>()

  private constructor(bytes: Buffer, isFirst: boolean, isLast: boolean) {
    this.bytes = bytes
    this.#isFirst = isFirst
    this.isLast = isLast
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

  /** What it contains, or why it cannot be read. */
  get facts(): PartFacts | JsonSyntaxError {
    if (!this.#facts) this.#read()
    return this.#facts as PartFacts | JsonSyntaxError
  }

  /** Whether it ends within an element. */
  get isCut(): boolean {
    if (this.isLast) return false
    if (this.bytes.at(-1) !== COMMA) return true
    const { facts } = this
    // The last character is the bracket that stands for the elements after it.
    return facts instanceof JsonSyntaxError && (facts.offset ?? 0) >= this.#text.length - 1
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

  /** The elements as an array. */
  get #text(): string {
    const text = this.bytes.toString('utf8', 0, this.bytes.length - (this.isLast ? 0 : 1))
    return (this.#isFirst ? text : `[${text}`) + (this.isLast ? '' : ']')
  }

  #read(): Json | undefined {
    try {
      if (!isUtf8(this.bytes)) throw new JsonSyntaxError('the bytes are not UTF-8 (RFC 8259 §8.1)')
      // A sender must not add one, and many parsers refuse it.
      if (this.#text.startsWith('\uFEFF'))
        throw new JsonSyntaxError('it begins with a byte order mark (RFC 8259 §8.1)')
      const { value, repeatedName } = parseJson(this.#text)
      this.#facts = { length: Array.isArray(value) ? value.length : undefined, repeatedName }
      if (getHeapStatistics().used_heap_size < ROOM_FOR_ELEMENTS) this.#value = value
      return value
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      this.#facts = error
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

/** Bytes of a part. Smaller parts are more often equal to known ones, larger parts take less time each. */
const SIZE = { smallest: 12 * 1024, largest: 64 * 1024, withoutComma: 128 * 1024 }

/** Bytes on each side of a cut that decide whether it is one. */
const SEEN = 24

/** One in this many possible cuts is taken. */
const ONE_IN = 64

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
  let at = bytes.indexOf(BETWEEN, SIZE.smallest)
  while (at >= 0 && at < SIZE.largest && at + 2 * SEEN < bytes.length) {
    if (isCut(bytes, at)) return at + 2
    at = bytes.indexOf(BETWEEN, at + 1)
  }
  if (bytes.length <= SIZE.largest + 2 * SEEN) return undefined
  const comma = bytes.indexOf(COMMA, SIZE.largest)
  if (comma >= 0 && comma < SIZE.withoutComma) return comma + 1
  return bytes.length > SIZE.withoutComma ? SIZE.withoutComma : undefined
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
