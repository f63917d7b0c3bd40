/**
 * JSON without loss. `JSON.parse` makes 9007199254740993 into …992 and cannot tell `5` from `5.0`; libraries that keep
 * numbers either refuse repeated names or overlook those with equal values. Here a number keeps its text, repeated
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
  readonly value: Json
  /** Names that occur more than once in one object, as paths: `$[2].id`. */
  readonly duplicates: readonly string[]
  /** How many values there are in it, itself included. */
  readonly values: number
}

export class JsonSyntaxError extends Error {
  /** Zero-based offset of the first character that does not belong there. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'JsonSyntaxError'
    this.offset = offset
  }
}

/** A text that may be JSON but is not read to its end: no ordinary response is as large or as deep, and it could exhaust the memory. */
export class JsonBeyondReading extends JsonSyntaxError {
  override name = 'JsonBeyondReading'
}

const DEPTH_LIMIT = 200
/** A list of tens of thousands of orders has a tenth as many values. */
const VALUES_LIMIT = 2_000_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 keeps just these out of strings
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const SPACE = /[ \t\n\r]*/y
const WORD = /true|false|null/y
const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

/**
 * Reads one JSON text (RFC 8259). Of a name that is repeated, the last value counts.
 * @throws {JsonBeyondReading} if it nests deeper than 200 levels, or holds more than two million values
 * @throws {JsonSyntaxError} if the text is not JSON
 */
export const parseJson = (text: string): ParsedJson =>
  (INEXACT.test(text) ? undefined : parseNatively(text)) ?? parseExactly(text)

/** A number that the native parser would change: a fraction, an exponent, or 17 digits and more. It finds some in strings, too. */
const INEXACT = /(?:"\s*:|[,[]|^)\s*-?(?:[0-9]+[.eE]|[0-9]{17})/
const NAME = /"\s*:/g

/** @returns undefined if only the exact parser can tell: what is wrong, which name is repeated */
function parseNatively(text: string): ParsedJson | undefined {
  const count = { names: 0, values: 0 }
  let value: Json | undefined
  try {
    value = withNumberSources(JSON.parse(text), count, 0)
  } catch {
    return undefined
  }
  // The native parser drops repeated names: then the text has more names than the objects.
  const names = text.match(NAME)?.length ?? 0
  if (value === undefined || names !== count.names || count.values > VALUES_LIMIT) return undefined
  return { value, duplicates: [], values: count.values }
}

/**
 * The same value with every number as it was written, which is known because it is a plain integer below 2^53: one above is never
 * rounded to one below.
 * @returns undefined if it nests too deep, or holds a larger integer
 */
function withNumberSources(
  value: unknown,
  count: { names: number; values: number },
  depth: number,
): Json | undefined {
  count.values += 1
  if (typeof value === 'number')
    return Number.isSafeInteger(value)
      ? new JsonNumber(Object.is(value, -0) ? '-0' : String(value))
      : undefined
  if (typeof value !== 'object' || value === null) return value as Json
  if (depth >= DEPTH_LIMIT) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item = withNumberSources(value[at], count, depth + 1)
      if (item === undefined) return undefined
      value[at] = item
    }
    return value
  }
  const members = value as JsonObject
  for (const name of Object.keys(members)) {
    count.names += 1
    const member = withNumberSources(members[name], count, depth + 1)
    if (member === undefined) return undefined
    members[name] = member
  }
  return members
}

function parseExactly(text: string): ParsedJson {
  const duplicates: string[] = []
  let at = 0
  let values = 0

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const skipSpace = (): void => {
    match(SPACE)
  }
  const wrong = (wanted: string): JsonSyntaxError => {
    const met =
      at >= text.length ? 'the end' : JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))
    return new JsonSyntaxError(`expected ${wanted} at offset ${at}, found ${met}`, at)
  }
  const eat = (character: string): boolean => {
    if (text[at] !== character) return false
    at += 1
    return true
  }

  const readString = (): string | undefined => {
    if (text[at] !== '"') return undefined
    const token = match(STRING)
    if (token === undefined) throw wrong('a well-formed string')
    return JSON.parse(token) as string
  }

  const readObject = (path: string, depth: number): JsonObject => {
    const members: JsonObject = {}
    skipSpace()
    if (eat('}')) return members
    do {
      skipSpace()
      const name = readString()
      if (name === undefined) throw wrong('a member name')
      if (Object.hasOwn(members, name)) duplicates.push(`${path}.${name}`)
      skipSpace()
      if (!eat(':')) throw wrong("':'")
      const value = readValue(`${path}.${name}`, depth + 1)
      // An assignment to it would set the prototype instead of a member.
      if (name === '__proto__')
        Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
      else members[name] = value
      skipSpace()
    } while (eat(','))
    if (!eat('}')) throw wrong("',' or '}'")
    return members
  }

  const readArray = (path: string, depth: number): Json[] => {
    const items: Json[] = []
    skipSpace()
    if (eat(']')) return items
    do {
      items.push(readValue(`${path}[${items.length}]`, depth + 1))
      skipSpace()
    } while (eat(','))
    if (!eat(']')) throw wrong("',' or ']'")
    return items
  }

  const readValue = (path: string, depth: number): Json => {
    values += 1
    if (depth > DEPTH_LIMIT) throw new JsonBeyondReading(`nested deeper than ${DEPTH_LIMIT} levels`, at)
    if (values > VALUES_LIMIT) throw new JsonBeyondReading(`more than ${VALUES_LIMIT} values`, at)
    skipSpace()
    if (eat('{')) return readObject(path, depth)
    if (eat('[')) return readArray(path, depth)
    const string = readString()
    if (string !== undefined) return string
    const word = match(WORD)
    if (word !== undefined) return words[word] as Json
    const number = match(NUMBER)
    if (number !== undefined) return new JsonNumber(number)
    throw wrong('a value')
  }

  const value = readValue('$', 0)
  skipSpace()
  if (at < text.length) throw wrong('the end of the text')
  return { value, duplicates, values }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** Writes JSON with every number as it was read; a bigint becomes an integer of any size. */
export function printJson(value: Json | bigint): string {
  if (typeof value === 'bigint' || value instanceof JsonNumber) return String(value)
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${printJson(item)}`)
  return `{${members.join(',')}}`
}
