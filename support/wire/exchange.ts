import type { Part } from './part.ts'

export type Header = readonly [name: string, value: string]

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly Header[]
  readonly body?: string
  /** The same request for a shell, with `$STORE_API_KEY` where the key stands. */
  readonly curl: string
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: readonly Header[]
  /** The body, the content codings that the suite knows undone. Bytes that are not UTF-8 are shown as U+FFFD. */
  readonly body: string
  /** The bytes of a body that is not UTF-8. */
  readonly bodyBase64?: string
  /** Length of the whole body in bytes (in reports in characters), if `body` is only its beginning, followed by `…`. */
  readonly wholeLength?: number
  /** The whole body, if `body` is only its beginning. Equal parts of two bodies are one object. */
  readonly parts?: readonly Part[]
}

/**
 * Why there is no response. `dropped`: the connection ended before the response was complete; `malformed`: the bytes are not HTTP,
 * or the content coding cannot be undone; `too-large`: above the limit.
 */
export const problemKinds = [
  'timeout',
  'refused',
  'dns',
  'tls',
  'no-tls',
  'dropped',
  'malformed',
  'too-large',
  'aborted',
  'busy',
] as const
export type ProblemKind = (typeof problemKinds)[number]

export interface Problem {
  readonly kind: ProblemKind
  readonly message: string
}

/** One request and what came of it, as it was on the wire. Plain data: it survives JSON and structured clone. */
export interface Exchange {
  /** Position in the run's record. */
  readonly index: number
  /** The scenario that sent it, and what the scenario was doing. */
  readonly scenario: string
  readonly step: string
  /** Undefined for a request outside the operations of the interface. */
  readonly operation: string | undefined
  readonly request: RecordedRequest
  readonly response?: RecordedResponse
  /** The response holds a secret that the suite was given. Exchanges that leave the suite show its variable there. */
  readonly echoesSecret?: true
  /** Set if there is no `response`. */
  readonly problem?: Problem
  /** `pool`: any idle connection; `fresh`: a new one; `kept`: verifiably the one that served the exchange before. */
  readonly connection: 'pool' | 'fresh' | 'kept'
  /** Why it was sent a second time. The other members are of that attempt. Only safe requests are repeated (RFC 9110 §9.2.2). */
  readonly repeatedAfter?: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds until the last byte, or until the problem. */
  readonly durationMs: number
  /** Milliseconds until the response's headers. */
  readonly waitedMs: number
}

/** The value of a header, its occurrences joined (RFC 9110 §5.3); names are compared without case. */
export function header(of: { readonly headers: readonly Header[] }, name: string): string | undefined {
  const values = of.headers
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
  return values.length > 0 ? values.join(', ') : undefined
}

/**
 * Type and subtype of `Content-Type`, lower case, without parameters (RFC 9110 §8.3.1). A gateway may add the header again: the same type
 * is named once, and different types are joined.
 */
export function mediaType({ headers }: { readonly headers: readonly Header[] }): string | undefined {
  const types = headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'content-type' ? [value.split(';')[0]?.trim().toLowerCase()] : [],
  )
  return types.length > 0 ? [...new Set(types)].join(', ') : undefined
}
