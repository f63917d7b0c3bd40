import type { Socket } from 'node:net'
import { buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'
import { type DecodedBody, decodeBody } from './body.ts'
import type { Exchange, Header, Problem } from './exchange.ts'
import { problemOf, ResponseTooLarge } from './problems.ts'
import { dispatcherTo, type Environment, proxyFor } from './proxy.ts'

/** What goes on the wire. The path is sent as it stands: neither normalised nor encoded. */
export interface WireRequest {
  readonly method: string
  /** Origin-form target (RFC 9112 §3.2.1), base URL's prefix and query included. */
  readonly target: string
  readonly headers: readonly Header[]
  readonly body?: string | Uint8Array
  /** May be sent again where a kept connection turns out to be closed, as it may be at any time (RFC 9112 §9.5). Never so for what must act once. */
  readonly repeatable: boolean
}

export interface WireResult {
  readonly response?: { readonly status: number; readonly headers: readonly Header[] } & DecodedBody
  readonly problem?: Problem
  readonly connection: Exchange['connection']
  readonly waitedMs: number
}

/** One connection at a time, kept from request to request as long as the store keeps it. */
export interface Lane {
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** Bytes that came after a complete response, where none belong. Those that come late are known once the connection has ended. */
  readonly strayBytes: boolean
  close(): Promise<void>
}

export interface Transport {
  readonly origin: string
  /** Any idle connection, or a new one. */
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** A connection of its own, opened with the first request. */
  lane(): Lane
  close(): Promise<void>
}

export interface TransportOptions {
  /** Limit in milliseconds for each of: connecting, waiting for headers, reading the body. */
  readonly timeoutMs: number
  readonly connections: number
  /** Cap on a response's body in bytes, before and after decoding. */
  readonly maxBodyBytes?: number
  /** Environment for HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env?: Environment
}

/** Far above any honest list of orders, far below what hurts the machine that judges. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Idle connections are dropped after this, before most servers drop theirs: a request never meets a closing one. */
const KEEP_ALIVE_MS = 1_000

/** The HTTP/1.1 client: undici, without redirects, cookies, caches or retries of its own. */
export function httpTransport(origin: string, options: TransportOptions): Transport {
  const { timeoutMs, connections, maxBodyBytes = MAX_BODY_BYTES, env = {} } = options
  const limits = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 64 * 1024,
    pipelining: 1,
    connect: { timeout: timeoutMs },
  }
  const proxy = proxyFor(origin, env)
  const pool = dispatcherTo(origin, env, { ...limits, connections })

  /** One connection, watched: `made` hears of each that is opened, `lost` of its end, `received` of its bytes. */
  const watched = (made: () => void, lost: (error: Error) => void, received: (bytes: Buffer) => void) => {
    const watch = (client: Client): Client => {
      client.on('connect', made)
      client.on('disconnect', (_origin, _targets, error) => lost(error))
      return client
    }
    // A tunnel makes its own sockets, so their bytes can't be seen; the end of the connection can.
    if (proxy)
      return new ProxyAgent({
        ...limits,
        uri: proxy.url,
        factory: (to: string | URL, each: object) => watch(new Client(to, { ...limits, ...each })),
      })
    const connect = buildConnector(limits.connect)
    return watch(
      new Client(origin, {
        ...limits,
        connect: (to, done) =>
          connect(to, (...made) => {
            if (made[1]) tap(made[1], received)
            done(...made)
          }),
      }),
    )
  }

  const exchange = async (
    through: Dispatcher,
    connection: Exchange['connection'],
    request: WireRequest,
    signal?: AbortSignal,
  ): Promise<WireResult> => {
    const started = performance.now()
    const cut = new AbortController()
    const deadline = setTimeout(() => cut.abort(new DOMException('time-out', 'TimeoutError')), timeoutMs * 3)
    let waitedMs = 0
    try {
      const limit = signal ? AbortSignal.any([signal, cut.signal]) : cut.signal
      const sent = through.request({
        origin,
        path: request.target,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers.flat(),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: limit,
      })
      const response = await orAborted(sent, limit)
      waitedMs = performance.now() - started
      const headers = pairs(response.headers as unknown as string[])
      const encoded = await collect(response.body, maxBodyBytes).catch((error: NodeJS.ErrnoException) => {
        // A 204 ends with its headers, whatever length they announce (RFC 9112 §6.3); what they announce is judged by a rule.
        if (response.statusCode === 204 && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
          return new Uint8Array()
        throw error
      })
      const body = await decodeBody(encoded, headers, maxBodyBytes)
      return { response: { status: response.statusCode, headers, ...body }, connection, waitedMs }
    } catch (error) {
      const problem = problemOf(error, timeoutMs, signal)
      return { problem, connection, waitedMs: waitedMs || performance.now() - started }
    } finally {
      clearTimeout(deadline)
    }
  }

  const repeatWhereStale = async (
    first: WireResult,
    request: WireRequest,
    again: () => Promise<WireResult>,
  ) =>
    first.problem?.kind === 'dropped' && first.connection !== 'fresh' && request.repeatable ? again() : first

  const transport: Transport = {
    origin,
    async send(request, signal) {
      const first = await exchange(pool, 'pool', request, signal)
      // Where one idle connection was closed, others may be as well.
      return repeatWhereStale(first, request, () => sendOnFreshConnection(transport, request, signal))
    },
    lane() {
      let connects = 0
      let served = 0
      let strayBytes = false
      let raw: Buffer = Buffer.alloc(0)
      const own = watched(
        () => {
          connects += 1
          served = 0
        },
        error => {
          if (served > 0 && isProtocolError(error)) strayBytes = true
        },
        bytes => {
          if (raw.length < KEPT_BYTES) raw = Buffer.concat([raw, bytes.subarray(0, KEPT_BYTES)])
        },
      )
      const send = async (request: WireRequest, signal?: AbortSignal): Promise<WireResult> => {
        const before = connects
        raw = Buffer.alloc(0)
        const result = await exchange(own, 'fresh', request, signal)
        // Counted after the fact: only a connection that was there before, and still is, has been kept.
        const kept = before > 0 && connects === before
        if (result.response) served += 1
        if (result.response?.status === 204 && hasBytesAfterHead(raw)) strayBytes = true
        return kept ? { ...result, connection: 'kept' } : result
      }
      return {
        async send(request, signal) {
          const first = await send(request, signal)
          return repeatWhereStale(first, request, () => send(request, signal))
        },
        get strayBytes() {
          return strayBytes
        },
        close: () => own.destroy(),
      }
    },
    close: () => pool.destroy(),
  }
  return transport
}

/**
 * undici heeds the signal of a request once that has a connection. Before, as behind a proxy that hangs, it would be waited
 * for without end; it is then dropped unsent as soon as a connection is there.
 */
export async function orAborted<Result>(sent: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => setImmediate(() => reject(signal.reason))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([sent, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Of each response this much is looked at for bytes after its head. */
const KEPT_BYTES = 128 * 1024

/** Shows each chunk that is read from the socket, before the HTTP parser decides which of its bytes it wants to know of. */
function tap(socket: Socket, received: (bytes: Buffer) => void): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (Buffer.isBuffer(chunk)) received(chunk)
    return chunk
  }
}

/** Whether something follows the head of a response without a body. Interim responses (RFC 9110 §15.2) are heads of their own. */
function hasBytesAfterHead(raw: Buffer): boolean {
  let text = raw.toString('latin1')
  for (;;) {
    const head = /^[\s\S]*?\r?\n\r?\n/.exec(text)?.[0]
    if (head === undefined) return false
    text = text.slice(head.length)
    if (!/^(?:\r?\n)*HTTP\/1\.[01] 1[0-9]{2}\b/.test(head)) return text.replace(/^[\r\n]+/, '') !== ''
  }
}

/** A lane for a single request. */
export async function sendOnFreshConnection(
  transport: Transport,
  request: WireRequest,
  signal?: AbortSignal,
) {
  const lane = transport.lane()
  try {
    return await lane.send(request, signal)
  } finally {
    await lane.close()
  }
}

async function collect(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw new ResponseTooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function pairs(flat: readonly string[]): Header[] {
  const headers: Header[] = []
  for (let at = 0; at + 1 < flat.length; at += 2) headers.push([flat[at] as string, flat[at + 1] as string])
  return headers
}

function isProtocolError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return error.name === 'HTTPParserError' || code.startsWith('HPE_') || error.message === 'bad response'
}
