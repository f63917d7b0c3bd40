import { setImmediate } from 'node:timers/promises'
import { receiveBody } from './body.ts'
import { type ConnectionOptions, dial } from './dial.ts'
import { type Incoming, incomingOn } from './incoming.ts'
import { header, type RecordedResponse, type WireRequest } from './message.ts'
import { NoResponse } from './problems.ts'
import { write } from './request.ts'
import { closes, framingOf, NotHttp, readBody, readHead } from './response.ts'
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

/** The HTTP/1.1 client, without redirects, cookies, caches or retries of its own. */
export function httpTransport(origin: string, options: ConnectionOptions): Transport {
  const store = new URL(origin)
  const open = async (cut: AbortSignal) => incomingOn(await dial(store, options, cut), options.timeoutMs)
  return { origin, connect: () => httpConnection(open, options.timeoutMs * PARTS) }
}

function httpConnection(open: (cut: AbortSignal) => Promise<Incoming>, timeoutMs: number): Connection {
  let incoming: Incoming | undefined
  /** When it is taken for closed. */
  let idleUntil = 0
  let hasStrayBytes = false
  let isClosed = false
  /** Ends the attempt to open it. */
  let cut = new AbortController()
  /** Resolves when no earlier request waits for a response. */
  let turn: Promise<unknown> = Promise.resolve()

  /** Whether something came after the last response, except an empty line, which some servers add. */
  const hasMore = (): boolean => {
    const left = incoming?.left().toString('latin1').trimStart() ?? ''
    hasStrayBytes ||= left !== '' && !IDLE_TIMEOUT.test(left)
    return left !== ''
  }

  const sendAlone = (request: WireRequest, signal: AbortSignal | undefined) => {
    const isOver = hasMore() || incoming?.hasEnded() || performance.now() >= idleUntil
    if (isOver) incoming?.socket.destroy()
    const kept = isOver ? undefined : incoming
    incoming = kept
    if (!isClosed) cut = new AbortController()
    const answer = async (begun: () => void): Promise<RecordedResponse> => {
      const bytes = kept ?? (await open(cut.signal))
      incoming = bytes
      const written = write(bytes.socket, request)
      const head = await readHead(bytes)
      begun()
      const { status, headers } = head
      if (kept && status === 408) throw new NoResponse('dropped', IDLE_TIMED_OUT)
      const framing = framingOf(head, request.method)
      const response = { status, headers, ...(await receiveBody(readBody(bytes, framing), head)) }
      await written
      idleUntil = closes(request, head, framing) ? 0 : performance.now() + keptMs(response)
      // The end of the connection, or stray bytes, often come right behind the response.
      await setImmediate()
      return response
    }
    return resultOf(answer, kept ? 'kept' : 'fresh', timeoutMs, signal, error => {
      cut.abort()
      hasStrayBytes ||= kept !== undefined && error instanceof NotHttp
      incoming?.socket.destroy()
      incoming = undefined
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
    async close() {
      hasMore()
      isClosed = true
      cut.abort()
      incoming?.socket.destroy()
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
