import { canonical } from './decimal.ts'
import type { RecordedResponse } from './exchange.ts'
import { isJsonObject, type Json, JsonBeyondReading, type JsonObject, JsonSyntaxError } from './json.ts'
import { Cutter, type Part } from './part.ts'

/** An element of a list that is an object, with its index. */
export interface ListEntry {
  readonly at: number
  readonly entry: JsonObject
}

/** Consecutive elements of a list. */
interface Elements {
  readonly part: Part
  /** Index of the first. */
  readonly start: number
}

/** A JSON array of any size. Its elements are parsed part by part. */
export class JsonList {
  readonly parts: readonly Elements[]
  readonly length: number

  constructor(parts: readonly Elements[], length: number) {
    this.parts = parts
    this.length = length
  }

  /** The elements that are objects. */
  *entries(): Generator<ListEntry> {
    for (const { part, start } of this.parts)
      for (const [at, entry] of part.elements.entries())
        if (isJsonObject(entry)) yield { at: start + at, entry }
  }

  /** The first element that has this id, as a number or as a string. */
  find(name: string, id: string): JsonObject | undefined {
    const wanted = canonical(id)
    for (const { part } of this.parts) {
      const ids = part.ids(name)
      const at = Math.min(ids.numbers.get(wanted) ?? Infinity, ids.texts.get(wanted) ?? Infinity)
      if (at !== Infinity) return part.elements[at] as JsonObject
    }
    return undefined
  }

  countIds(name: string): number {
    return this.parts.reduce((sum, { part }) => sum + part.ids(name).numbers.size, 0)
  }

  /** The ids that are numbers, in canonical form. */
  ids(name: string): ReadonlySet<string> {
    const ids = new Set<string>()
    for (const { part } of this.parts) for (const id of part.ids(name).numbers.keys()) ids.add(id)
    return ids
  }

  /** The ids of this list that the other does not have. Most parts are in both lists. */
  missingIn(other: JsonList, name: string): string[] {
    const shared = new Set(other.parts.map(({ part }) => part))
    const own = this.parts.filter(({ part }) => !shared.has(part))
    return other.lacking(
      name,
      own.flatMap(({ part }) => [...part.ids(name).numbers.keys()]),
    )
  }

  /** Those of the ids that no element has as a number. */
  lacking(name: string, ids: readonly string[]): string[] {
    // A few ids are found in less time than it takes to make a set of all.
    const all = ids.length > this.parts.length ? this.ids(name) : undefined
    const isListed = (id: string) =>
      all?.has(id) ?? this.parts.some(({ part }) => part.ids(name).numbers.has(id))
    return ids.filter(id => !isListed(canonical(id)))
  }
}

/** The body of a response, read as JSON. */
export interface JsonBody {
  /** If it is an array. */
  readonly list: JsonList | undefined
  /** The whole value. Undefined for a large array. */
  readonly value: Json | undefined
  /** The first name that occurs twice in one object, as a path: `$[2].id`. */
  readonly repeatedName: string | undefined
}

const known = new WeakMap<RecordedResponse, JsonBody | JsonSyntaxError>()

/** The body of a response as JSON, or why it is not JSON. Read once, however often it is asked for. */
export function readJson(response: RecordedResponse): JsonBody | JsonSyntaxError {
  const read = known.get(response) ?? bodyOf(response)
  known.set(response, read)
  return read
}

/** The list that was answered 200, or undefined if the response is no such list. */
export function listIn(response: RecordedResponse | undefined): JsonList | undefined {
  if (response?.status !== 200) return undefined
  const json = readJson(response)
  return json instanceof JsonSyntaxError ? undefined : json.list
}

function bodyOf({ body, bodyBase64, wholeLength, parts }: RecordedResponse): JsonBody | JsonSyntaxError {
  if (parts) return readParts(parts, true)
  if (wholeLength !== undefined) return new JsonBeyondReading(`the body has ${wholeLength} bytes`)
  const cutter = new Cutter()
  cutter.write(bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64'))
  return readParts(cutter.end(), false)
}

function readParts(all: readonly Part[], isLarge: boolean): JsonBody | JsonSyntaxError {
  const parts: Elements[] = []
  let length = 0
  let bytes = 0
  let repeatedName: string | undefined
  for (const part of all) {
    const { facts } = part
    if (facts instanceof JsonSyntaxError) return facts.after(bytes)
    if (facts.length === undefined)
      return { list: undefined, value: part.value, repeatedName: facts.repeatedName }
    if (facts.length === 0 && bytes > 0) return new JsonSyntaxError('expected a value', bytes)
    const start = length
    parts.push({ part, start })
    repeatedName ??= facts.repeatedName?.replace(/^\$\[(\d+)\]/, (_, index) => `$[${start + Number(index)}]`)
    length += facts.length
    bytes += part.bytes.length
  }
  const list = new JsonList(parts, length)
  return {
    list,
    get value() {
      return isLarge ? undefined : parts.flatMap(({ part }) => part.elements)
    },
    repeatedName,
  }
}
