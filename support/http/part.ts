import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { canonical, INT64_MIN, isInt64, toInteger } from './decimal.ts'
import { isJsonObject, type Json, JsonNumber, JsonSyntaxError, parseJson } from './json.ts'

interface PartFacts {
  /** How many elements it has. Undefined for a text that is no array. */
  readonly length: number | undefined
  readonly repeatedName: string | undefined
}

/** Bytes of the heap. Beyond it, parts do not keep their elements, and are parsed again for each question. */
const ROOM_FOR_ELEMENTS = 0.2 * Math.min(getHeapStatistics().heap_size_limit, 1024 ** 3)

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

  readonly #bytes: Buffer
  readonly #isFirst: boolean
  readonly #isLast: boolean
  #value: Json | undefined
  #facts: PartFacts | JsonSyntaxError | undefined
  readonly #ids = new Map<string, PartIds>()

  private constructor(bytes: Buffer, isFirst: boolean, isLast: boolean) {
    this.#bytes = bytes
    this.#isFirst = isFirst
    this.#isLast = isLast
  }

  static of(bytes: Uint8Array, isFirst: boolean, isLast: boolean): Part {
    const key = `${createHash('sha256').update(bytes).digest('base64')} ${isFirst} ${isLast}`
    const known = Part.#known.get(key)?.deref()
    if (known) return known
    const part = new Part(Buffer.from(bytes), isFirst, isLast)
    Part.#known.set(key, new WeakRef(part))
    Part.#released.register(part, { key, size: bytes.length })
    Part.bytesHeld += bytes.length
    return part
  }

  static joined(parts: readonly Part[]): Part {
    const bytes = Buffer.concat(parts.map(part => part.#bytes))
    return Part.of(
      bytes,
      parts.some(part => part.#isFirst),
      parts.some(part => part.#isLast),
    )
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** What it contains, or why it cannot be read. */
  get facts(): PartFacts | JsonSyntaxError {
    if (!this.#facts) this.#read()
    return this.#facts as PartFacts | JsonSyntaxError
  }

  /** Whether it ends within an element. */
  get isCut(): boolean {
    if (this.#isLast) return false
    if (this.#bytes.at(-1) !== COMMA) return true
    const { facts } = this
    // The last character is the bracket that stands for the elements after it.
    return facts instanceof JsonSyntaxError && facts.offset >= this.#text.length - 1
  }

  /** The value of a text that is one part and can be read. */
  get value(): Json {
    return this.#value ?? (this.#read() as Json)
  }

  get elements(): readonly Json[] {
    return this.value as readonly Json[]
  }

  ids(name: string): PartIds {
    const ids = this.#ids.get(name) ?? new PartIds(this.elements, name)
    this.#ids.set(name, ids)
    return ids
  }

  /** The elements as an array. */
  get #text(): string {
    const text = this.#bytes.toString('utf8', 0, this.#bytes.length - (this.#isLast ? 0 : 1))
    // A reader may ignore a byte order mark (RFC 8259 §8.1), so it does not make the text invalid.
    return (this.#isFirst ? text.replace(/^\uFEFF/, '') : `[${text}`) + (this.#isLast ? '' : ']')
  }

  #read(): Json | undefined {
    try {
      if (!isUtf8(this.#bytes)) throw new JsonSyntaxError(() => 'the bytes are not UTF-8 (RFC 8259 §8.1)', 0)
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

/** Stands for an element without an integer of 64 bits as its id. An element with this id is among the others. */
const NONE = INT64_MIN

/** The ids of consecutive elements of a list. Integers of 64 bits take eight bytes each. */
class PartIds {
  /** How many different numbers there are. */
  readonly size: number
  /** Elements whose number an earlier one has as well. */
  readonly repeated: readonly { readonly at: number; readonly id: string }[]
  /** How many elements have no id: the member is absent, or an object or array. */
  readonly without: number
  /** Ids that are strings, and literals such as null, each with the index of its first element. */
  readonly texts: ReadonlyMap<string, number>
  /** By element. */
  readonly #integers: BigInt64Array
  /** Numbers that are not integers of 64 bits, each with the index of its first element. */
  readonly others: ReadonlyMap<string, number>

  constructor(elements: readonly Json[], name: string) {
    const seen = new Set<bigint>()
    const repeated: { at: number; id: string }[] = []
    const texts = new Map<string, number>()
    const others = new Map<string, number>()
    let without = 0
    this.#integers = new BigInt64Array(elements.length).fill(NONE)
    elements.forEach((entry, at) => {
      const id = isJsonObject(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined
      if (id === undefined || (typeof id === 'object' && id !== null && !(id instanceof JsonNumber))) {
        without += 1
        return
      }
      const key = canonical(String(id))
      if (!(id instanceof JsonNumber)) {
        if (!texts.has(key)) texts.set(key, at)
        return
      }
      const integer = int64(key)
      if (integer === undefined ? others.has(key) : seen.has(integer)) repeated.push({ at, id: key })
      else if (integer === undefined) others.set(key, at)
      else {
        seen.add(integer)
        this.#integers[at] = integer
      }
    })
    this.size = seen.size + others.size
    this.repeated = repeated
    this.without = without
    this.others = others
    this.texts = texts
  }

  /** The different numbers, in canonical form, each with the index of its first element. */
  *numbers(): Generator<readonly [id: string, at: number]> {
    for (const [at, integer] of this.#integers.entries()) if (integer !== NONE) yield [String(integer), at]
    yield* this.others
  }

  /** The index of the first element with this number. @param number in canonical form */
  indexOf(number: string): number | undefined {
    const integer = int64(number)
    if (integer === undefined) return this.others.get(number)
    const at = this.#integers.indexOf(integer)
    return at < 0 ? undefined : at
  }

  /** The integers of 64 bits. */
  get integers(): BigInt64Array {
    return this.#integers.filter(each => each !== NONE)
  }
}

function int64(number: string): bigint | undefined {
  const integer = toInteger(number)
  return integer !== undefined && isInt64(integer) && integer !== NONE ? integer : undefined
}
