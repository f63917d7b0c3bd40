import type { Problem } from './problems.ts'

export type Header = readonly [name: string, value: string]

/** What goes on the wire, byte for byte: nothing is normalised, encoded or added. */
export interface WireRequest {
  readonly method: string
  /** In origin form (RFC 9112 §3.2.1), with the prefix of the base URL and the query. */
  readonly target: string
  /** In order, spelled as they are sent, `Host` and `Content-Length` included. */
  readonly headers: readonly Header[]
  readonly body?: string | Uint8Array
  readonly version?: '1.0' | undefined
  /** `split head`: the head in two parts. `split`: the body. `late`: the body after a moment. `chunked`: RFC 9112 §7.1. Default: at once. */
  readonly writing?: 'split head' | 'split' | 'late' | 'chunked' | undefined
  /** May be sent again if a kept connection turns out to be closed, as it may be at any time (RFC 9112 §9.5). */
  readonly repeatable: boolean
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: readonly Header[]
  /** The whole body, its content codings undone. Bytes that are not UTF-8 are shown as U+FFFD. */
  readonly body: string
  /** The bytes of a body that is not UTF-8. */
  readonly bodyBase64?: string
}

export interface WireResult {
  readonly response?: RecordedResponse
  /** Set if there is no `response`. */
  readonly problem?: Problem
  /** `pool`: any idle connection; `fresh`: a new one; `kept`: verifiably the one that served the exchange before. */
  readonly connection: 'pool' | 'fresh' | 'kept'
  /** Milliseconds until the headers of the response. */
  readonly waitedMs: number
  /** Why the request was sent a second time. */
  readonly repeatedAfter?: string
}

export type Headed = Pick<RecordedResponse, 'headers'>

/** The value of a header, its occurrences joined (RFC 9110 §5.3); names are compared without case. */
export function header({ headers }: Headed, name: string): string | undefined {
  const fields = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase())
  return fields.length > 0 ? fields.map(([, value]) => value).join(', ') : undefined
}

/** The elements of a header that is a list, in lower case (RFC 9110 §5.6.1). */
export const listIn = (headed: Headed, name: string): string[] =>
  (header(headed, name) ?? '').toLowerCase().match(/[^\s,][^,]*(?<!\s)/g) ?? []
