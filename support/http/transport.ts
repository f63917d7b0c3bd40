import type { BodyOptions, ReceivedBody } from './body.ts'
import { type ConnectionOptions, openLane } from './connection.ts'
import type { Exchange, Header, Problem } from './exchange.ts'

/** What goes on the wire. The path is sent as it stands: neither normalised nor encoded. */
export interface WireRequest {
  readonly method: string
  /** Origin-form target (RFC 9112 §3.2.1), with the prefix of the base URL and the query. */
  readonly target: string
  /** All headers in order, spelled as they are sent, `Host` and `Content-Length` included. */
  readonly headers: readonly Header[]
  readonly body?: string | Uint8Array
  /**
   * May be sent again if a kept connection turns out to be closed, as it may be at any time (RFC 9112 §9.5). Never true for a
   * request that must act once.
   */
  readonly repeatable: boolean
  /** How the response is read if it is a large list. */
  readonly list?: BodyOptions['list']
}

export interface WireResult {
  readonly response?: { readonly status: number; readonly headers: readonly Header[] } & ReceivedBody
  readonly problem?: Problem
  readonly connection: Exchange['connection']
  /** Milliseconds until the headers of the response. */
  readonly waitedMs: number
  /** Why the request was sent a second time. */
  readonly repeatedAfter?: string
}

/** One connection at a time, kept from request to request as long as the store keeps it. */
export interface Lane {
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** Whether bytes came after a complete response. Bytes that come late are known once the connection has ended. */
  readonly strayBytes: boolean
  close(): Promise<void>
}

export interface Transport {
  readonly origin: string
  /** Uses an idle connection, or a new one. */
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** A connection of its own, opened with the first request. */
  lane(): Lane
  close(): Promise<void>
}

/** Bytes. Far above any honest response that is not a list. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** The HTTP/1.1 client: undici, without redirects, cookies, caches or retries of its own. */
export function httpTransport(
  origin: string,
  {
    maxBodyBytes = MAX_BODY_BYTES,
    env = {},
    timeoutMs,
  }: Pick<ConnectionOptions, 'timeoutMs'> & Partial<ConnectionOptions>,
): Transport {
  const options = { timeoutMs, maxBodyBytes, env }
  const lane = (): Lane => repeating(openLane(origin, options))
  const open = new Set<Lane>()
  /** The most recently used is the last. */
  const idle: Lane[] = []
  const drop = async (own: Lane): Promise<void> => {
    open.delete(own)
    await own.close()
  }
  return {
    origin,
    async send(request, signal) {
      const own = idle.pop() ?? openLane(origin, options)
      open.add(own)
      const result = await own.send(request, signal)
      if (isReusable(request, result)) idle.push(own)
      else await drop(own)
      // If one idle connection was closed, others may be as well.
      if (mayRepeat(request, result)) return sendOnce(openLane(origin, options), request, signal, result)
      return { ...result, connection: 'pool' }
    },
    lane,
    async close() {
      await Promise.all([...open].map(drop))
    },
  }
}

/**
 * Not if no complete response came. Not after a refusal of a request with a body: the store may have left the body unread, and
 * would take it for the next request.
 */
const isReusable = ({ body }: WireRequest, { response }: WireResult): boolean =>
  response !== undefined && (body === undefined || response.status < 400)

/** A safe request may be repeated once on a new connection as well (RFC 9110 §9.2.2). */
const mayRepeat = ({ repeatable, method }: WireRequest, { problem, connection }: WireResult): boolean =>
  problem?.kind === 'dropped' && (method === 'GET' || (repeatable && connection !== 'fresh'))

/** Opens a connection for one request. */
export const sendOnFreshConnection = (
  { lane }: Pick<Transport, 'lane'>,
  request: WireRequest,
  signal?: AbortSignal,
): Promise<WireResult> => sendOnce(lane(), request, signal)

/** @param before the result of an earlier attempt */
async function sendOnce(
  lane: Lane,
  request: WireRequest,
  signal: AbortSignal | undefined,
  before?: WireResult,
): Promise<WireResult> {
  try {
    const result = await lane.send(request, signal)
    return { ...result, ...repeatedAfter(before) }
  } finally {
    await lane.close()
  }
}

/** The lane, with requests repeated that may be. */
const repeating = (lane: Lane): Lane => ({
  async send(request, signal) {
    const first = await lane.send(request, signal)
    return mayRepeat(request, first)
      ? { ...(await lane.send(request, signal)), ...repeatedAfter(first) }
      : first
  },
  get strayBytes() {
    return lane.strayBytes
  },
  close: () => lane.close(),
})

/** A kept connection that the store has closed in the meantime is usual, and not worth a mention. */
const repeatedAfter = (before: WireResult | undefined): Pick<WireResult, 'repeatedAfter'> =>
  before?.problem && before.connection === 'fresh' ? { repeatedAfter: before.problem.message } : {}
