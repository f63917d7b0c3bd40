import type { Header } from '../interface/description.ts'
import type { WireProblem } from './problems.ts'

/** What goes on the wire, byte for byte: nothing is normalised, encoded or added. */
export interface WireRequest {
  readonly method: string
  /** In origin form (RFC 9112 §3.2.1), with the prefix of the base URL and the query. */
  readonly target: string
  /** In order, spelled as they are sent, `Host` and `Content-Length` included. */
  readonly headers: readonly Header[]
  readonly body?: string
  /** Default 1.1. */
  readonly version?: '1.0' | undefined
  /** `split`: the body in two parts. `late`: the body after a moment. `chunked`: RFC 9112 §7.1. Default: at once. */
  readonly writing?: 'split' | 'late' | 'chunked' | undefined
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: readonly Header[]
  /** The body, the content codings that the suite knows undone. Bytes that are not UTF-8 are U+FFFD. */
  readonly body: string
  /** Characters of the whole body, if `body` is only its beginning. */
  readonly wholeLength?: number
}

export interface WireResult {
  readonly response?: RecordedResponse
  /** Set if there is no `response`. */
  readonly problem?: WireProblem
  /** Whether it was a new one, or has served an exchange before. */
  readonly connection: 'fresh' | 'kept'
}

/** An exchange as reports show it, without secrets. Plain data: it survives JSON and structured clone. */
export interface ReportedExchange extends WireResult {
  /** Position in the run's record. */
  readonly index: number
  /** What the run was doing. */
  readonly step: string
  readonly operation: string
  readonly request: Pick<WireRequest, 'method' | 'headers' | 'body'> & {
    readonly url: string
    /** For a shell, with what was sent before on the same connection, and `$STORE_API_KEY` in place of the key. */
    readonly curl: string
  }
  /** The response holds a secret that the suite was given. Exchanges that leave the suite show its variable there. */
  readonly echoesSecret?: true
  /** Milliseconds since the epoch, of the last attempt: without any waits that the store asked for. */
  readonly startedAt: number
  /** Milliseconds until the last byte, or until the problem. */
  readonly durationMs: number
}

type Head = Pick<RecordedResponse, 'headers'>

/** The value of a header, its occurrences joined (RFC 9110 §5.3); names are compared without case. */
export function header({ headers }: Head, name: string): string | undefined {
  const fields = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase())
  return fields.length > 0 ? fields.map(([, value]) => value).join(', ') : undefined
}

/** The elements of a header that is a list, in lower case (RFC 9110 §5.6.1). */
export const listIn = (head: Head, name: string): string[] =>
  (header(head, name) ?? '').toLowerCase().match(/[^\s,][^,]*(?<!\s)/g) ?? []
