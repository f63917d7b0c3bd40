import type { RecordedResponse } from './exchange.ts'
import {
  isJsonObject,
  type Json,
  JsonBeyondReading,
  JsonSyntaxError,
  type ParsedJson,
  parseJson,
} from './json.ts'
import { digestPart, ListDigest, type ListEntry } from './list-digest.ts'

type Read = ParsedJson | JsonSyntaxError

/** Small bodies keep their parsed form as long as they are kept themselves. */
const known = new WeakMap<RecordedResponse, Read>()

/** Characters. The parsed form of a larger body takes too much room to keep for every response. */
const LARGE = 64 * 1024

/** The bodies that were read last, because many lists of a run are equal. */
let recent: readonly { readonly body: string; readonly read: Read }[] = []
const VALUES_KEPT = 4_000_000
const BODIES_KEPT = 32

/** The body of a response as JSON, or why it is not JSON. Parsed once, however often it is asked for. */
export function tryJson(response: RecordedResponse): Read {
  if (response.wholeLength !== undefined)
    return response.listProblem ?? new JsonBeyondReading(`the body has ${response.wholeLength} bytes`, 0)
  if (response.bodyBase64 !== undefined)
    return new JsonSyntaxError('the bytes are not UTF-8 (RFC 8259 §8.1)', 0)
  const before = known.get(response)
  if (before) return before
  const now = readOnce(response.body)
  if (response.body.length <= LARGE) known.set(response, now)
  return now
}

/** The elements of a list that was answered 200, or undefined if the response is no such list. */
export function listElements(response: RecordedResponse | undefined): readonly Json[] | undefined {
  if (response?.status !== 200) return undefined
  const json = tryJson(response)
  return 'value' in json && Array.isArray(json.value) ? json.value : undefined
}

/** Of lists that are kept, by the member that identifies an element. */
const digests = new WeakMap<readonly Json[], Map<string, ListDigest>>()

/** What is known of the list: the digest of a large one, or the same of one that is kept. */
export function listDigest(response: RecordedResponse | undefined, idName: string): ListDigest | undefined {
  if (response?.list) return response.list
  const elements = listElements(response)
  if (!elements) return undefined
  const known = digests.get(elements) ?? new Map<string, ListDigest>()
  digests.set(elements, known)
  const digest = known.get(idName) ?? digested(elements, idName)
  known.set(idName, digest)
  return digest
}

function digested(elements: readonly Json[], idName: string): ListDigest {
  const reading = { idName, checks: [], labels: [], isWatched: () => true }
  return new ListDigest([digestPart(elements, reading, undefined)], reading)
}

/** Its elements that are objects; of a large list, those that the run owns. */
export const listEntries = (response: RecordedResponse | undefined): readonly ListEntry[] | undefined =>
  response?.list?.watched ??
  listElements(response)?.flatMap((entry, at) => (isJsonObject(entry) ? [{ at, entry }] : []))

function readOnce(body: string): Read {
  const found = recent.find(each => each.body === body) ?? { body, read: read(body) }
  const others = recent.filter(each => each !== found).slice(0, BODIES_KEPT - 1)
  let room = VALUES_KEPT - valuesOf(found.read)
  recent = [
    found,
    ...others.filter(each => {
      room -= valuesOf(each.read)
      return room >= 0
    }),
  ]
  return found.read
}

const valuesOf = (read: Read): number => ('values' in read ? read.values : 0)

function read(body: string): Read {
  try {
    // A reader may ignore a byte order mark (RFC 8259 §8.1), so it does not make the text invalid.
    return parseJson(body.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
}
