import type { RecordedResponse } from './exchange.ts'
import { JsonSyntaxError, type ParsedJson, parseJson } from './json.ts'

const known = new WeakMap<RecordedResponse, ParsedJson | JsonSyntaxError>()

/** The body of a response as JSON, or what keeps it from being JSON. Read once, however many ask. */
export function tryJson(response: RecordedResponse): ParsedJson | JsonSyntaxError {
  const before = known.get(response)
  if (before) return before
  const now = read(response)
  known.set(response, now)
  return now
}

function read(response: RecordedResponse): ParsedJson | JsonSyntaxError {
  if (response.bodyBase64 !== undefined)
    return new JsonSyntaxError('the bytes are no UTF-8 (RFC 8259 §8.1)', 0)
  try {
    // A byte order mark may be ignored by a reader (RFC 8259 §8.1), so it is no reason to call the text broken.
    return parseJson(response.body.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
}
