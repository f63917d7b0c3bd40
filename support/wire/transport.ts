import type { Exchange, Header, Problem, RecordedResponse } from './exchange.ts'

/** What goes on the wire. The path is sent unchanged: neither normalised nor encoded. */
export interface WireRequest {
  readonly method: string
  /** Origin-form target (RFC 9112 §3.2.1), with the prefix of the base URL and the query. */
  readonly target: string
  /** All headers in order, spelled as they are sent, `Host` and `Content-Length` included. */
  readonly headers: readonly Header[]
  readonly body?: string | Uint8Array
  /** Default 1.1. */
  readonly version?: '1.0' | undefined
  /** How the body is written. Default: at once. `split`: in two parts. `late`: a moment after the head. `chunked`: RFC 9112 §7.1. */
  readonly writing?: 'split' | 'late' | 'chunked' | undefined
  /**
   * May be sent again if a kept connection turns out to be closed, as it may be at any time (RFC 9112 §9.5). Never true for a
   * request that must act once.
   */
  readonly repeatable: boolean
}

export interface WireResult {
  readonly response?: RecordedResponse
  readonly problem?: Problem
  readonly connection: Exchange['connection']
  /** Milliseconds until the headers of the response. */
  readonly waitedMs: number
  /** Why the request was sent a second time. */
  readonly repeatedAfter?: string
}

/** One connection, opened with its first request, and opened again if the store closed it. One request at a time. */
export interface Connection {
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** Whether bytes came after a complete response. Bytes that come late are known once the connection has ended. */
  readonly strayBytes: boolean
  close(): Promise<void>
}

/** Opens connections to one origin: over a socket, or to a store in this process. */
export interface Transport {
  readonly origin: string
  connect(): Connection
}

export type Connections = ReturnType<typeof connections>

/** The connections of a run. */
export function connections(transport: Transport) {
  const opened = new Set<Connection>()
  const closing: Promise<void>[] = []
  /** The most recently used is the last. */
  const idle: Connection[] = []
  const open = (): Connection => {
    const connection = transport.connect()
    opened.add(connection)
    return connection
  }
  const close = (connection: Connection): void => {
    if (opened.delete(connection)) closing.push(connection.close())
  }
  return {
    /** @param on a connection that the caller has opened, a new one for this request, or (the default) any idle one */
    async send(
      request: WireRequest,
      signal?: AbortSignal,
      on: Connection | 'fresh' | 'any' = 'any',
    ): Promise<WireResult> {
      const own = typeof on === 'object' ? on : ((on === 'any' ? idle.pop() : undefined) ?? open())
      const result = await own.send(request, signal)
      if (on === 'any' && isReusable(request, result)) idle.push(own)
      else if (own !== on) close(own)
      if (!mayRepeat(request, result)) return on === 'any' ? { ...result, connection: 'pool' } : result
      // If one idle connection was closed, others may be as well.
      const other = own === on ? own : open()
      const repeated = await other.send(request, signal)
      if (other !== on) close(other)
      return { ...repeated, ...repeatedAfter(result) }
    },
    /** A connection for the requests that name it, until it is closed. */
    open,
    /** Nobody waits until a connection is closed, except `closeAll`. */
    close,
    async closeAll(): Promise<void> {
      for (const each of opened) close(each)
      await Promise.all(closing)
    },
  }
}

/**
 * Not without a complete response, and not after a refused request with a body: the store may have left the body unread, and would
 * take it for the next request.
 */
const isReusable = ({ body }: WireRequest, { response }: WireResult): boolean =>
  response !== undefined && (body === undefined || response.status < 400)

/** A safe request may be repeated once on a new connection as well (RFC 9110 §9.2.2). */
const mayRepeat = ({ repeatable, method }: WireRequest, { problem, connection }: WireResult): boolean =>
  problem?.kind === 'dropped' && (method === 'GET' || (repeatable && connection !== 'fresh'))

/** Undefined if a store had closed a kept connection in the meantime, because that is usual. */
const repeatedAfter = ({ problem, connection }: WireResult): Pick<WireResult, 'repeatedAfter'> =>
  problem && connection === 'fresh' ? { repeatedAfter: problem.message } : {}
