import { setMaxListeners } from 'node:events'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Header } from '../interface/description.ts'
import { type ConnectionOptions, dial } from './dial.ts'
import { listIn, type RecordedResponse, type WireRequest, type WireResult } from './exchange.ts'
import { bodyReceiver, type Head, incomingOn, readBody, readHead, writeRequest } from './message.ts'
import { NoResponse, problemOf, within } from './problems.ts'

/** An open connection. */
export interface Connection {
  exchange(request: WireRequest): Promise<RecordedResponse>
  /** Whether it serves one more request. */
  isReusable(): boolean
  /** Whether bytes follow the last response within a moment: some servers write a body after the head. */
  hasStrayBytes?(): Promise<boolean>
  close?(): void
}

/** Opens connections to one origin: over sockets, or to a store in this process. */
export interface Transport {
  /** Milliseconds that a whole exchange may take. */
  readonly limitMs: number
  /** @param closing closes the connection, or ends the attempt to open it */
  connect(closing: AbortSignal): Promise<Connection>
}

export type Channel = ReturnType<typeof channelTo>

/** A connection that is or will be open, and whether a request waits for its response. */
interface Place {
  isBusy: boolean
  close(): void
}

/**
 * Sends the requests of one caller in turn, on one connection. If it was closed, the next request opens another one.
 * @param taken the places of all connections, the most recently used last
 * @param makeRoom closes one if there are as many as may be
 */
function channelTo(
  { connect, limitMs }: Transport,
  closing: AbortSignal,
  taken: Set<Place>,
  makeRoom: () => void,
) {
  let current: Connection | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const close = (): void => {
    taken.delete(place)
    current?.close?.()
    current = undefined
  }
  const place = { isBusy: false, close }
  const exchange = async (request: WireRequest, signal?: AbortSignal): Promise<WireResult> => {
    if (!current?.isReusable()) close()
    const connection = current ? 'kept' : 'fresh'
    const answer = async () => {
      current ??= await connect(closing)
      return current.exchange(request)
    }
    place.isBusy = true
    taken.delete(place)
    makeRoom()
    taken.add(place)
    try {
      signal?.throwIfAborted()
      return { response: await within(limitMs, answer(), signal), connection }
    } catch (error) {
      close()
      return { problem: problemOf(error, signal), connection }
    } finally {
      place.isBusy = false
    }
  }
  return {
    close,
    hasStrayBytes: async () => (await current?.hasStrayBytes?.()) ?? false,
    send(request: WireRequest, signal?: AbortSignal): Promise<WireResult> {
      const result = turn.then(() => exchange(request, signal))
      turn = result
      return result
    },
  }
}

/** The connections of a run. @param most open at a time. Some servers serve only a few, or one */
export function connections(transport: Transport, most = Infinity) {
  const closing = new AbortController()
  // Each connection listens to it, which are more than Node expects.
  setMaxListeners(0, closing.signal)
  /** The most recently used is the last. */
  const idle: Channel[] = []
  const taken = new Set<Place>()
  const makeRoom = (): void => {
    if (taken.size >= most) (idle.shift() ?? [...taken].find(each => !each.isBusy))?.close()
  }
  /** A channel for the requests that name it, until it is closed. */
  const open = (): Channel => channelTo(transport, closing.signal, taken, makeRoom)
  return {
    open,
    closeAll: () => closing.abort(),
    /** @param on a channel that the caller has opened, a new one for this request, or (the default) any idle one */
    async send(request: WireRequest, signal?: AbortSignal, on: Channel | 'fresh' | 'any' = 'any') {
      if (typeof on === 'object') return on.send(request, signal)
      const channel = (on === 'any' ? idle.pop() : undefined) ?? open()
      const result = await channel.send(request, signal)
      // The store may have left the body of a refused request unread, and would take it for the next request.
      const isSettled = result.response && (request.body === undefined || result.response.status < 400)
      if (on === 'any' && isSettled) idle.push(channel)
      else channel.close()
      return result
    },
  }
}

/** The whole of an exchange may take this many times the limit of each of its parts. */
const PARTS = 3

/** Milliseconds in which stray bytes are awaited. */
const STRAY_MS = 2

/**
 * The HTTP/1.1 client over sockets, without redirects, cookies, caches or retries of its own. Clients for applications prevent what a
 * conformance suite has to send, and repair what it has to see.
 */
export function httpTransport(origin: string, options: ConnectionOptions): Transport {
  const receive = bodyReceiver()
  const connect: Transport['connect'] = async closing => {
    const socket = await dial(new URL(origin), options, closing)
    const incoming = incomingOn(socket)
    /** Until when it may be used again, on the clock of `performance`. 0 while a response is awaited. */
    let usableUntil = Infinity
    return {
      async exchange(request) {
        const isKept = usableUntil !== Infinity
        usableUntil = 0
        const written = writeRequest(socket, request)
        const head = await readHead(incoming)
        // A server may close an idle connection with 408 (RFC 9110 §15.5.9). It does not respond to the request that is sent at that moment.
        if (isKept && head.status === 408) throw new NoResponse('dropped')
        const body = await receive(readBody(incoming, head), head)
        await written
        usableUntil = performance.now() + (isLast(request, head) ? 0 : KEPT_MS)
        // The end of the connection often comes right behind the response.
        await setImmediate()
        return { status: head.status, headers: head.headers, body }
      },
      isReusable: () => performance.now() < usableUntil && incoming.left() === '' && socket.readable,
      async hasStrayBytes() {
        await setTimeout(STRAY_MS)
        return usableUntil > 0 && incoming.left() !== ''
      },
      close: () => socket.destroy(),
    }
  }
  return { limitMs: options.timeoutMs * PARTS, connect }
}

/** Milliseconds for which an idle connection may be used again. Most servers close it later. */
const KEPT_MS = 4_000

/** Whether the connection serves no further request (RFC 9112 §9.3). */
function isLast(request: WireRequest, response: Head): boolean {
  const options = listIn(response, 'connection')
  if (response.status === 101 || [...options, ...listIn(request, 'connection')].includes('close')) return true
  return (response.minor === '0' || request.version === '1.0') && !options.includes('keep-alive')
}

/** A response of a store in this process: that of the Fetch standard, or a simpler one. */
export interface DirectResponse {
  readonly status: number
  readonly headers: Iterable<Header>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | null | undefined
}

/** A store as a function. The object stands for a connection: requests that have the same one are sent on it. */
export type Handler = (request: WireRequest, connection: object) => Promise<DirectResponse>

/** A store as a function of the Fetch standard, or an adapter around `inject`. */
export const fetchHandler =
  (fetch: (request: Request) => Response | Promise<Response>, origin: string): Handler =>
  async ({ method, target, headers, body }) => {
    // The Fetch standard allows no body with GET.
    const content = body === undefined || method === 'GET' ? {} : { body }
    const sent = { method, headers: headers.map(([...each]) => each), ...content }
    return (await fetch(new Request(origin + target, sent))) as DirectResponse
  }

/**
 * Calls a store in this process. Faults in the bytes on a socket do not show: a wrong length, a dropped connection, a path that a
 * server would not accept. All others do.
 */
export function inProcess(handler: Handler, limitMs = 10_000): Transport {
  const receive = bodyReceiver()
  const connect: Transport['connect'] = async () => {
    const connection = {}
    let isReusable = true
    return {
      async exchange(request) {
        const { status, headers: sent, body } = await handler(request, connection)
        const headers = [...sent]
        // Such responses have no body (RFC 9110 §6.4.1), whatever the store returns.
        const chunks = !body || [204, 304].includes(status) ? [] : body instanceof Uint8Array ? [body] : body
        isReusable = !listIn({ headers }, 'connection').includes('close')
        return { status, headers, body: await receive(chunks, { headers }) }
      },
      isReusable: () => isReusable,
    }
  }
  return { limitMs, connect }
}
