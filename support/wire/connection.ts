import { setImmediate } from 'node:timers/promises'
import { bodyReceiver } from './body.ts'
import { type ConnectionOptions, dial } from './dial.ts'
import { header, type RecordedResponse, type WireRequest } from './exchange.ts'
import { type Incoming, incomingOn } from './incoming.ts'
import { closes, framingOf, NotHttp, readBody, readHead, writeRequest } from './message.ts'
import { NoResponse } from './problems.ts'
import { type Connection, resultOf, type Transport } from './transport.ts'

/** The whole of a response may take this many times the limit of each of its parts. */
const PARTS = 3

/**
 * A server may close an idle connection with 408 (RFC 9110 §15.5.9). It is not a response to the request that is sent at that moment,
 * nor a stray byte after the last response, with which it may come.
 */
const IDLE_TIMEOUT = /^HTTP\/1\.[01] 408\b/
const IDLE_TIMED_OUT =
  'the connection ended before the response did (the store closed the idle connection with 408)'

/**
 * The HTTP/1.1 client over sockets, without redirects, cookies, caches or retries of its own. Clients for applications prevent what a
 * conformance suite has to send, and repair what it has to see.
 */
export function httpTransport(origin: string, options: ConnectionOptions): Transport {
  const receive = bodyReceiver()
  return { origin, connect: () => httpConnection(new URL(origin), options, receive) }
}

function httpConnection(
  store: URL,
  options: ConnectionOptions,
  receive: ReturnType<typeof bodyReceiver>,
): Connection {
  let current: Incoming | undefined
  /** Whether its last response was its last one. */
  let isOver = false
  let hasStrayBytes = false
  let isClosed = false
  /** Ends the connection, or the attempt to open it. */
  let cut = new AbortController()
  /** Resolves when no earlier request waits for a response. */
  let turn: Promise<unknown> = Promise.resolve()

  /** Whether something came after the last response, except an empty line, which some servers add. */
  const hasMore = (): boolean => {
    const left = current?.left().toString('latin1').trimStart() ?? ''
    hasStrayBytes ||= left !== '' && !IDLE_TIMEOUT.test(left)
    return left !== ''
  }
  const drop = (): void => {
    cut.abort()
    if (!isClosed) cut = new AbortController()
    current = undefined
    isOver = false
  }

  const sendAlone = (request: WireRequest, signal: AbortSignal | undefined) => {
    if (hasMore() || isOver || current?.hasEnded()) drop()
    const kept = current
    const answer = async (begun: () => void): Promise<RecordedResponse> => {
      const incoming = kept ?? incomingOn(await dial(store, options, cut.signal))
      current = incoming
      const written = writeRequest(incoming.socket.setTimeout(options.timeoutMs), request)
      const head = await readHead(incoming)
      begun()
      const { status, headers } = head
      if (kept && status === 408) throw new NoResponse('dropped', IDLE_TIMED_OUT)
      const framing = framingOf(head, request.method)
      const response = { status, headers, ...(await receive(readBody(incoming, framing), head)) }
      await written
      const idleMs = closes(request, head, framing) ? 0 : keptMs(response)
      isOver = idleMs <= 0
      if (!isOver) incoming.socket.setTimeout(idleMs)
      // The end of the connection, or stray bytes, often come right behind the response.
      await setImmediate()
      return response
    }
    return resultOf(answer, kept ? 'kept' : 'fresh', options.timeoutMs * PARTS, signal, error => {
      hasStrayBytes ||= kept !== undefined && error instanceof NotHttp
      drop()
    })
  }

  return {
    send(request, signal) {
      const result = turn.then(() => sendAlone(request, signal))
      turn = result
      return result
    },
    get strayBytes() {
      hasMore()
      return hasStrayBytes
    },
    close() {
      hasMore()
      isClosed = true
      cut.abort()
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
