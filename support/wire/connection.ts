import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { bodyReceiver } from './body.ts'
import { type ConnectionOptions, dial } from './dial.ts'
import { header, type RecordedResponse } from './exchange.ts'
import { closes, framingOf, incomingOn, NotHttp, readBody, readHead, writeRequest } from './message.ts'
import { NoResponse } from './problems.ts'
import type { Connection, Transport } from './transport.ts'

/** The whole of a response may take this many times the limit of each of its parts. */
const PARTS = 3

/**
 * A server may close an idle connection with 408 (RFC 9110 §15.5.9). It is not a response to the request that is sent at that moment,
 * nor a stray byte after the last response, with which it may come.
 */
const IDLE_TIMEOUT = /^HTTP\/1\.[01] 408\b/
const IDLE_TIMED_OUT =
  'the connection was closed before the response was complete (the store closed the idle connection with 408)'

/**
 * The HTTP/1.1 client over sockets, without redirects, cookies, caches or retries of its own. Clients for applications prevent what a
 * conformance suite has to send, and repair what it has to see.
 */
export function httpTransport(origin: string, options: ConnectionOptions): Transport {
  const { timeoutMs } = options
  const receive = bodyReceiver()
  return {
    limitMs: timeoutMs * PARTS,
    connect: async cut => httpConnection(await dial(new URL(origin), options, cut), timeoutMs, receive),
  }
}

function httpConnection(
  socket: Socket,
  timeoutMs: number,
  receive: ReturnType<typeof bodyReceiver>,
): Connection {
  const incoming = incomingOn(socket)
  let isKept = false
  let isStray = false
  /** Whether it waits for a request, or has served its last one. */
  let isIdle = false
  /** Whether something came after the last response, except an empty line, which some servers add. */
  const hasMore = (): boolean => {
    const left = isIdle ? incoming.left().toString('latin1').trimStart() : ''
    isStray ||= left !== '' && !IDLE_TIMEOUT.test(left)
    return left !== ''
  }
  let idleMs = 0
  return {
    async exchange(request, begun) {
      isIdle = false
      try {
        const written = writeRequest(socket.setTimeout(timeoutMs), request)
        const head = await readHead(incoming)
        begun()
        const { status, headers } = head
        if (isKept && status === 408) throw new NoResponse('dropped', IDLE_TIMED_OUT)
        const framing = framingOf(head, request.method)
        const response = { status, headers, ...(await receive(readBody(incoming, framing), head)) }
        await written
        idleMs = closes(request, head, framing) ? 0 : keptMs(response)
        if (idleMs > 0) socket.setTimeout(idleMs)
        isKept = true
        isIdle = true
        // The end of the connection, or stray bytes, often come right behind the response.
        await setImmediate()
        return response
      } catch (error) {
        isStray ||= isKept && error instanceof NotHttp
        throw error
      }
    },
    isReusable: () => !hasMore() && idleMs > 0 && !socket.readableEnded && !socket.destroyed,
    hasStrayBytes() {
      hasMore()
      return isStray
    },
  }
}

/** Milliseconds. Most servers close idle connections later. With a limit of requests per second, one has to wait for its next request. */
const KEEP_ALIVE_MS = 4_000

/** Milliseconds before the time that a server announces (`Keep-Alive: timeout=2`). */
const BEFORE_TIMEOUT_MS = 500

/** How long an idle connection may be used again, so that a request rarely meets a closing one. */
function keptMs(response: RecordedResponse): number {
  const [, seconds] = /\btimeout=([0-9]+)/i.exec(header(response, 'keep-alive') ?? '') ?? []
  return Math.min(KEEP_ALIVE_MS, seconds ? Number(seconds) * 1_000 - BEFORE_TIMEOUT_MS : KEEP_ALIVE_MS)
}
