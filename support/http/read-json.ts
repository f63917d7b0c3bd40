import type { RecordedResponse } from './exchange.ts'
import { JsonSyntaxError, type ParsedJson, parseJson } from './json.ts'

type Read = ParsedJson | JsonSyntaxError

/** Of small bodies what was read stays as long as they do. */
const known = new WeakMap<RecordedResponse, Read>()

/** From here on what was read takes too much room to be kept of every answer: the last ones stay, by their text. */
const LARGE = 64 * 1024
const VALUES_KEPT = 4_000_000
const BODIES_KEPT = 32
let recent: readonly { readonly body: string; readonly read: Read }[] = []

/** The body of a response as JSON, or what keeps it from being JSON. However many ask, it is read once, or seldom where it is large. */
export function tryJson(response: RecordedResponse): Read {
  if (response.bodyBase64 !== undefined)
    return new JsonSyntaxError('the bytes are no UTF-8 (RFC 8259 §8.1)', 0)
  if (response.body.length > LARGE) return readLarge(response.body)
  const now = known.get(response) ?? read(response.body)
  known.set(response, now)
  return now
}

function readLarge(body: string): Read {
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
    // A byte order mark may be ignored by a reader (RFC 8259 §8.1), so it is no reason to call the text broken.
    return parseJson(body.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
}
