import type { RecordedResponse, WireRequest, WireResult } from './exchange.ts'
import { problemOf, within } from './problems.ts'

/** An open connection. */
export interface Connection {
  /** Sends one request, and calls `begun` with the head of its response. */
  exchange(request: WireRequest, begun: () => void): Promise<RecordedResponse>
  /** Whether it serves one more request. */
  isReusable(): boolean
  /** Whether bytes came after a complete response. Bytes that come late are known once the connection has ended. */
  hasStrayBytes(): boolean
}

/** Opens connections to one origin: over sockets, or to a store in this process. */
export interface Transport {
  /** Milliseconds that a whole exchange may take. */
  readonly limitMs: number
  /** @param cut ends the connection, or the attempt to open it */
  connect(cut: AbortSignal): Promise<Connection>
}

export type Channel = ReturnType<typeof channelTo>

/** Sends the requests of one caller in turn, on one connection. If the store closed it, the next request opens another one. */
export function channelTo({ connect, limitMs }: Transport) {
  let current: Connection | undefined
  let cut = new AbortController()
  let [hadStrayBytes, isClosed] = [false, false]
  let turn: Promise<unknown> = Promise.resolve()
  const hasStrayBytes = (): boolean => {
    hadStrayBytes ||= current?.hasStrayBytes() ?? false
    return hadStrayBytes
  }
  const drop = (): void => {
    hasStrayBytes()
    cut.abort()
    if (!isClosed) cut = new AbortController()
    current = undefined
  }

  const sendAlone = async (request: WireRequest, signal?: AbortSignal): Promise<WireResult> => {
    if (!current?.isReusable()) drop()
    const connection = current ? 'kept' : 'fresh'
    const started = performance.now()
    let waitedMs: number | undefined
    const begun = () => {
      waitedMs = performance.now() - started
    }
    const answer = async () => {
      current ??= await connect(cut.signal)
      return current.exchange(request, begun)
    }
    try {
      signal?.throwIfAborted()
      const response = await within(limitMs, answer(), signal)
      return { response, connection, waitedMs: waitedMs ?? 0 }
    } catch (error) {
      drop()
      begun()
      return { problem: problemOf(error, signal), connection, waitedMs: waitedMs ?? 0 }
    }
  }

  return {
    hasStrayBytes,
    send(request: WireRequest, signal?: AbortSignal): Promise<WireResult> {
      const result = turn.then(() => sendAlone(request, signal))
      turn = result
      return result
    },
    close(): void {
      isClosed = true
      drop()
    },
  }
}

export type Connections = ReturnType<typeof connections>

/** The connections of a run. */
export function connections(transport: Transport) {
  const opened = new Set<Channel>()
  /** The most recently used is the last. */
  const idle: Channel[] = []
  const open = (): Channel => {
    const channel = channelTo(transport)
    opened.add(channel)
    return channel
  }
  const close = (channel: Channel): void => {
    opened.delete(channel)
    channel.close()
  }
  return {
    /** @param on a channel that the caller has opened, a new one for this request, or (the default) any idle one */
    async send(
      request: WireRequest,
      signal?: AbortSignal,
      on: Channel | 'fresh' | 'any' = 'any',
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
      return repeated
    },
    /** A channel for the requests that name it, until it is closed. */
    open,
    close,
    closeAll: (): void => opened.forEach(close),
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
