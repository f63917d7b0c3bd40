/**
 * JSON without loss. `JSON.parse` makes 9007199254740993 into …992 and cannot tell `5` from `5.0`; libraries that keep
 * numbers (lossless-json) refuse some repeated names and overlook others, and do not limit the depth. Here a number keeps its text, repeated
 * names are noted, and depth is bounded, because nothing that a store sends is trusted (RFC 8259 §4, §6, §9).
 */
export class JsonNumber {
  /** The number exactly as it was written. */
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toString(): string {
    return this.source
  }
}

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

export interface ParsedJson {
  /** How many values it has, each element and member included. */
  readonly values: number
  readonly value: Json
  /** The first name that occurs twice in one object, as a path: `$[2].id`. */
  readonly repeatedName: string | undefined
}

export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  readonly #problem: string
  /** Zero-based offset of the first character that does not belong there, if there is one. */
  readonly offset: number | undefined

  constructor(problem: string, offset?: number) {
    super(offset === undefined ? problem : `${problem} at offset ${offset}`)
    this.#problem = problem
    this.offset = offset
  }

  /** The same error in a text that has this many characters before. */
  after(characters: number): JsonSyntaxError {
    return this.offset === undefined ? this : new JsonSyntaxError(this.#problem, this.offset + characters)
  }
}

/** A text that may be JSON but is not read to its end: no ordinary response is as large or as deep, and it could exhaust the memory. */
export class JsonBeyondReading extends JsonSyntaxError {
  override name = 'JsonBeyondReading'
}

const DEPTH_LIMIT = 200
const VALUES_LIMIT = 2_000_000

/** V8 keeps the whole text in memory as long as a slice of it that has 13 characters or more. */
const LONGEST_SLICE = 12

/** Codes of the characters that JSON is written with. */
const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, PLUS, POINT] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2b, 0x2e]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [ZERO, NINE, SMALL_E, LARGE_E, FIRST_PRINTABLE] = [0x30, 0x39, 0x65, 0x45, 0x20]
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

/**
 * Reads one JSON text (RFC 8259). Of a name that is repeated, the last value counts.
 * @throws {JsonBeyondReading} if it nests deeper than 200 levels, or holds more than two million values
 * @throws {JsonSyntaxError} if the text is not JSON
 */
export function parseJson(text: string): ParsedJson {
  let at = 0
  let values = 0
  let repeatedName: string | undefined
  /** The names and indexes that lead to the value that is being read, by depth. */
  const path: (string | number)[] = []

  const wrong = (wanted: string): JsonSyntaxError => {
    const met =
      at >= text.length ? 'the end' : JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))
    return new JsonSyntaxError(`expected ${wanted}, found ${met}`, at)
  }

  /** Skips white space. @returns the code of the next character, NaN at the end */
  const next = (): number => {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
      at += 1
    }
  }

  const skip = (wanted: number, name: string): void => {
    if (next() !== wanted) throw wrong(name)
    at += 1
  }

  const readString = (): string => {
    const start = at
    let isPlain = true
    for (at += 1; ; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        isPlain = false
        at += 1
      } else if (!(code >= FIRST_PRINTABLE)) throw wrong('a well-formed string')
    }
    at += 1
    if (isPlain && at - start - 2 <= LONGEST_SLICE) return text.slice(start + 1, at - 1)
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      at = start
      throw wrong('a well-formed string')
    }
  }

  const readObject = (depth: number): JsonObject => {
    const members: JsonObject = {}
    at += 1
    if (next() === CLOSE_OBJECT) {
      at += 1
      return members
    }
    for (;;) {
      if (next() !== QUOTE) throw wrong('a member name')
      const name = readString()
      path[depth] = name
      if (repeatedName === undefined && Object.hasOwn(members, name))
        repeatedName = pathText(path.slice(0, depth + 1))
      skip(COLON, "':'")
      const value = readValue(depth + 1)
      // An assignment to it would set the prototype instead of a member.
      if (name === '__proto__')
        Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
      else members[name] = value
      if (next() !== COMMA) break
      at += 1
    }
    skip(CLOSE_OBJECT, "',' or '}'")
    return members
  }

  const readArray = (depth: number): Json[] => {
    const items: Json[] = []
    at += 1
    if (next() === CLOSE_ARRAY) {
      at += 1
      return items
    }
    for (;;) {
      path[depth] = items.length
      items.push(readValue(depth + 1))
      if (next() !== COMMA) break
      at += 1
    }
    skip(CLOSE_ARRAY, "',' or ']'")
    return items
  }

  const skipDigits = (): void => {
    const start = at
    for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at += 1
    if (at === start) throw wrong('a digit')
  }

  const readNumber = (): JsonNumber => {
    const start = at
    if (text.charCodeAt(at) === MINUS) at += 1
    if (text.charCodeAt(at) === ZERO) at += 1
    else skipDigits()
    if (text.charCodeAt(at) === POINT) {
      at += 1
      skipDigits()
    }
    const code = text.charCodeAt(at)
    if (code === SMALL_E || code === LARGE_E) {
      at += 1
      const sign = text.charCodeAt(at)
      if (sign === PLUS || sign === MINUS) at += 1
      skipDigits()
    }
    const source = text.slice(start, at)
    return new JsonNumber(source.length <= LONGEST_SLICE ? source : (JSON.parse(`"${source}"`) as string))
  }

  const readValue = (depth: number): Json => {
    values += 1
    if (depth > DEPTH_LIMIT) throw new JsonBeyondReading(`nested deeper than ${DEPTH_LIMIT} levels`)
    if (values > VALUES_LIMIT) throw new JsonBeyondReading(`more than ${VALUES_LIMIT} values`)
    const code = next()
    if (code === QUOTE) return readString()
    if (code === OPEN_OBJECT) return readObject(depth)
    if (code === OPEN_ARRAY) return readArray(depth)
    if (code === MINUS || (code >= ZERO && code <= NINE)) return readNumber()
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return value
    }
    throw wrong('a value')
  }

  const value = readValue(0)
  if (!Number.isNaN(next())) throw wrong('the end of the text')
  return { value, values, repeatedName }
}

const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, each) => text + (typeof each === 'number' ? `[${each}]` : `.${each}`), '$')

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** Writes JSON with every number as it was read. */
export function printJson(value: Json): string {
  if (value instanceof JsonNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${printJson(item)}`)
  return `{${members.join(',')}}`
}
