import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type ConnectionOptions, dial } from './dial.ts'
import { header, listIn, type RecordedResponse, type WireRequest, type WireResult } from './exchange.ts'
import { bodyReceiver, framingOf, incomingOn, readBody, readHead, writeRequest } from './message.ts'
import { NoResponse, problemOf, within } from './problems.ts'

/** An open connection. */
export interface Connection {
  exchange(request: WireRequest): Promise<RecordedResponse>
  /** Whether it serves one more request. */
  isReusable(): boolean
  /** Whether bytes follow the last response within a moment: some servers write a body after the head. */
  hasStrayBytes(): Promise<boolean>
  close(): void
}

/** Opens connections to one origin: over sockets, or to a store in this process. */
export interface Transport {
  /** Milliseconds that a whole exchange may take. */
  readonly limitMs: number
  /** @param closing closes the connection, or ends the attempt to open it */
  connect(closing: AbortSignal): Promise<Connection>
}

export type Channel = ReturnType<typeof channelTo>

/** Sends the requests of one caller in turn, on one connection. If the store closed it, the next request opens another one. */
function channelTo({ connect, limitMs }: Transport, closing: AbortSignal) {
  let current: Connection | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const close = (): void => {
    current?.close()
    current = undefined
  }
  const exchange = async (request: WireRequest, signal?: AbortSignal): Promise<WireResult> => {
    if (!current?.isReusable()) close()
    const connection = current ? 'kept' : 'fresh'
    const answer = async () => {
      current ??= await connect(closing)
      return current.exchange(request)
    }
    try {
      signal?.throwIfAborted()
      return { response: await within(limitMs, answer(), signal), connection }
    } catch (error) {
      close()
      return { problem: problemOf(error, signal), connection }
    }
  }
  return {
    close,
    hasStrayBytes: async () => (await current?.hasStrayBytes()) ?? false,
    send(request: WireRequest, signal?: AbortSignal): Promise<WireResult> {
      const result = turn.then(() => exchange(request, signal))
      turn = result
      return result
    },
  }
}

export type Connections = ReturnType<typeof connections>

/** The connections of a run. */
export function connections(transport: Transport) {
  const closing = new AbortController()
  // Each connection listens to it, which are more than Node expects.
  setMaxListeners(0, closing.signal)
  /** The most recently used is the last. */
  const idle: Channel[] = []
  /** A channel for the requests that name it, until it is closed. */
  const open = (): Channel => channelTo(transport, closing.signal)
  /** @param on a channel that the caller has opened, a new one for this request, or (the default) any idle one */
  const send = async (
    request: WireRequest,
    signal?: AbortSignal,
    on: Channel | 'fresh' | 'any' = 'any',
    isRepeated = false,
  ): Promise<WireResult> => {
    const channel = typeof on === 'object' ? on : ((on === 'any' ? idle.pop() : undefined) ?? open())
    const result = await channel.send(request, signal)
    if (on === 'any' && isReusable(request, result)) idle.push(channel)
    else if (channel !== on) channel.close()
    // If one idle connection was closed, others may be as well.
    if (!isRepeated && mayRepeat(request, result))
      return send(request, signal, on === 'any' ? 'fresh' : on, true)
    return on === 'any' ? { ...result, connection: 'pool' } : result
  }
  return { open, send, closeAll: () => closing.abort() }
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

/** The whole of a response may take this many times the limit of each of its parts. */
const PARTS = 3

/** Milliseconds. Most servers close idle connections later. With a limit of requests per second, one has to wait for its next request. */
const KEPT_MS = 4_000

/** Milliseconds in which stray bytes are awaited. */
const STRAY_MS = 5

/**
 * The HTTP/1.1 client over sockets, without redirects, cookies, caches or retries of its own. Clients for applications prevent what a
 * conformance suite has to send, and repair what it has to see.
 */
export function httpTransport(origin: string, options: ConnectionOptions): Transport {
  const { timeoutMs } = options
  const receive = bodyReceiver()
  return {
    limitMs: timeoutMs * PARTS,
    connect: async closing =>
      httpConnection(await dial(new URL(origin), options, closing), timeoutMs, receive),
  }
}

function httpConnection(
  socket: Socket,
  timeoutMs: number,
  receive: ReturnType<typeof bodyReceiver>,
): Connection {
  const incoming = incomingOn(socket)
  let [isKept, isIdle, isLast] = [false, true, false]
  return {
    async exchange(request) {
      isIdle = false
      const written = writeRequest(socket.setTimeout(timeoutMs), request)
      const head = await readHead(incoming)
      // A server may close an idle connection with 408 (RFC 9110 §15.5.9). It does not respond to the request that is sent at that moment.
      if (isKept && head.status === 408) throw new NoResponse('dropped')
      const framing = framingOf(head)
      const { minor, ...response } = { ...head, body: await receive(readBody(incoming, framing), head) }
      await written
      const keptMs = keptMsAfter(response)
      isLast = framing === Infinity || keptMs <= 0 || closes(request, response, minor)
      isKept = true
      isIdle = true
      socket.setTimeout(Math.max(1, keptMs))
      // The end of the connection often comes right behind the response.
      await setImmediate()
      return response
    },
    isReusable: () => !isLast && incoming.left() === '' && !socket.readableEnded && !socket.destroyed,
    async hasStrayBytes() {
      await setTimeout(STRAY_MS)
      return isIdle && incoming.left() !== ''
    },
    close: () => void socket.destroy(),
  }
}

/** Milliseconds before the time that a server announces (`Keep-Alive: timeout=2`). */
const BEFORE_TIMEOUT_MS = 500

/** How long an idle connection may be used again, so that a request rarely meets a closing one. */
function keptMsAfter(response: RecordedResponse): number {
  const [, seconds] = /\btimeout=([0-9]+)/i.exec(header(response, 'keep-alive') ?? '') ?? []
  return Math.min(KEPT_MS, seconds ? Number(seconds) * 1_000 - BEFORE_TIMEOUT_MS : KEPT_MS)
}

/** Whether the connection serves no further request (RFC 9112 §9.3). */
function closes(request: WireRequest, response: RecordedResponse, minor: string): boolean {
  const options = listIn(response, 'connection')
  if (response.status === 101 || [...options, ...listIn(request, 'connection')].includes('close')) return true
  return (minor === '0' || request.version === '1.0') && !options.includes('keep-alive')
}
