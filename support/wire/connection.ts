import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'
import { receiveBody } from './body.ts'
import type { Header, Problem } from './exchange.ts'
import { HeadReader, withHidden } from './head.ts'
import { problemOf } from './problems.ts'
import { type Environment, proxyFor } from './proxy.ts'
import type { Connection, Transport, WireRequest, WireResult } from './transport.ts'
import { type OpenTunnel, tunnelTo } from './tunnel.ts'
import { within } from './within.ts'

export interface ConnectionOptions {
  /** Limit in milliseconds for each of: connecting, waiting for headers, and waiting for more of the body. */
  readonly timeoutMs: number
  readonly env?: Environment | undefined
  /** Client certificate and its private key, as PEM. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined
}

/**
 * Milliseconds. Idle connections are closed before most servers close theirs, so that a request rarely meets a closing one. With a limit of
 * requests per second, the next request of a connection waits for those of others, and rules need the same connection for it.
 */
const KEEP_ALIVE_MS = 4_000

/**
 * Milliseconds that an idle connection is closed before the time that its server announces (`Keep-Alive: timeout=2`). With the 2 s of undici,
 * a connection of at most 2 s would never be kept.
 */
const BEFORE_TIMEOUT_MS = 500

/**
 * Milliseconds for the first address of a host before the next one is tried. With the 250 of Node 20, a store on another continent could
 * not be reached if it also has an address that this machine has no route to.
 */
const ATTEMPT_MS = 500

/** The whole of a response may take this many times the limit of each of its parts. */
const PARTS = 3

/**
 * A server may close an idle connection with 408 (RFC 9110 §15.5.9). It is not a response to the request that is sent at that moment,
 * nor a stray byte after the last response.
 */
const IDLE_TIMED_OUT: Problem = {
  kind: 'dropped',
  message: 'the connection ended before the response did (the store closed the idle connection with 408)',
}
/** It may come together with the last response. */
const IDLE_TIMEOUT = /HTTP\/1\.[01] 408\b/

/** The HTTP/1.1 client: undici, without redirects, cookies, caches or retries of its own. */
export function httpTransport(origin: string, options: ConnectionOptions): Transport {
  const { timeoutMs, env = {} } = options
  const proxy = proxyFor(origin, env)
  const isSocks = proxy !== undefined && /^socks/i.test(proxy.url)
  const path: Path = {
    origin,
    ...(isSocks ? { socks: proxy.url } : {}),
    ...(proxy && !isSocks
      ? { openTunnel: tunnelTo(origin, proxy, { timeoutMs, attemptMs: ATTEMPT_MS }) }
      : {}),
  }
  return { origin, connect: () => httpConnection(path, options) }
}

/** How an origin is reached: directly, through the tunnels of an HTTP proxy, or through a SOCKS proxy. */
interface Path {
  readonly origin: string
  readonly openTunnel?: OpenTunnel
  readonly socks?: string
}

function httpConnection(path: Path, options: ConnectionOptions): Connection {
  let connects = 0
  let served = 0
  let strayBytes = false
  let raw: Buffer = Buffer.alloc(0)
  /** What came last. */
  let latest: Buffer = Buffer.alloc(0)
  /** The exact head of the request. */
  let head = ''
  const heads = new HeadReader()
  /** Resolves when no earlier request waits for a response. */
  let turn: Promise<unknown> = Promise.resolve()
  const open = () => client(path, options, watcher)
  const closing = new AbortController()
  const watcher: Watcher = {
    closed: closing.signal,
    opened() {
      connects += 1
      served = 0
    },
    ended(error) {
      if (served > 0 && isProtocolError(error) && !IDLE_TIMEOUT.test(latest.toString('latin1')))
        strayBytes = true
    },
    received(bytes) {
      latest = bytes
      if (raw.length < KEPT_BYTES) raw = Buffer.concat([raw, bytes.subarray(0, KEPT_BYTES)])
      return heads.read(bytes)
    },
    exact: text => (text.includes(MARK) ? head : text),
  }
  let { dispatcher, isWatched } = open()

  const sendAlone = async (request: WireRequest, signal: AbortSignal | undefined): Promise<WireResult> => {
    const before = connects
    raw = Buffer.alloc(0)
    heads.begin()
    head = headOf(request)
    const headers = isWatched ? [MARK_NAME, '1', ...lengthOf(request).flat()] : sentByClient(request.headers)
    const result = await transfer(dispatcher, path.origin, request, headers, options, signal)
    const isKept = before > 0 && connects === before
    if (isKept && result.response?.status === 408) {
      await dispatcher.destroy()
      ;({ dispatcher, isWatched } = open())
      return { problem: IDLE_TIMED_OUT, connection: 'kept', waitedMs: result.waitedMs }
    }
    const { flaw } = heads
    if (flaw && (result.problem?.kind === 'malformed' || result.problem?.kind === 'dropped')) {
      const message = `the response is not well-formed HTTP: ${flaw}`
      return { ...result, problem: { kind: 'malformed', message }, connection: isKept ? 'kept' : 'fresh' }
    }
    if (result.response) served += 1
    if (result.response?.status === 204 && hasBytesAfterHead(raw)) strayBytes = true
    // A connection was kept only if it was open before the request and was not opened again for it.
    return { ...result, connection: isKept ? 'kept' : 'fresh' }
  }

  return {
    send(request, signal) {
      // A request that the HTTP client queues would be taken for the first one of a connection that was opened for an earlier one.
      const result = turn.then(() => sendAlone(request, signal))
      turn = result.catch(() => undefined)
      return result
    },
    get strayBytes() {
      return strayBytes
    },
    close() {
      closing.abort()
      return dispatcher.destroy()
    },
  }
}

interface Watcher {
  /** Ends the attempt to open a connection. */
  readonly closed: AbortSignal
  opened(): void
  ended(error: Error): void
  /** @returns what the HTTP parser reads instead */
  received(bytes: Buffer): Buffer
  /** @returns what is written to the socket instead of what the HTTP client writes */
  exact(text: string): string
}

/** The client of undici for one connection, with a view of the bytes on its socket. */
function client(path: Path, { timeoutMs, identity }: ConnectionOptions, watcher: Watcher) {
  const { origin, openTunnel, socks } = path
  const limits = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: BEFORE_TIMEOUT_MS,
    maxHeaderSize: 64 * 1024,
    pipelining: 1,
    connect: { timeout: timeoutMs, autoSelectFamilyAttemptTimeout: ATTEMPT_MS, ...identity },
  }
  const watched = (each: Client): Client => {
    each.on('connect', () => watcher.opened())
    each.on('disconnect', (_origin, _targets, error) => watcher.ended(error))
    return each
  }
  if (socks !== undefined) {
    // This tunnel opens its own sockets, so their bytes cannot be seen. The end of the connection can.
    const dispatcher = new ProxyAgent({
      ...limits,
      uri: socks,
      ...(identity ? { requestTls: identity } : {}),
      factory: (to: string | URL, each: object) => watched(new Client(to, { ...limits, ...each })),
    })
    return { dispatcher, isWatched: false }
  }
  const connect = buildConnector(limits.connect)
  const dispatcher = new Client(origin, {
    ...limits,
    connect(to, done) {
      const made: typeof done = (...result) => {
        if (result[1]) tap(result[1], watcher)
        done(...result)
      }
      if (!openTunnel) return connect(to, made)
      openTunnel(watcher.closed).then(
        socket =>
          to.protocol === 'https:' ? connect({ ...to, httpSocket: socket }, made) : made(null, socket),
        (error: Error) => made(error, null),
      )
    },
  })
  return { dispatcher: watched(dispatcher), isWatched: true }
}

/**
 * Bytes of a body that may wait to be read. With fewer, undici pauses, and throws outside of every request if the connection then ends
 * the body.
 */
const UNREAD_BYTES = 64 * 1024 * 1024

async function transfer(
  through: Dispatcher,
  origin: string,
  request: WireRequest,
  headers: string[],
  { timeoutMs }: ConnectionOptions,
  signal: AbortSignal | undefined,
): Promise<Omit<WireResult, 'connection'>> {
  const started = performance.now()
  const cut = new AbortController()
  let waitedMs = 0
  const answer = async () => {
    const {
      statusCode: status,
      headers: flat,
      body: encoded,
    } = await through.request({
      origin,
      path: request.target,
      method: request.method as Dispatcher.HttpMethod,
      headers,
      body: written(request),
      responseHeaders: 'raw',
      highWaterMark: UNREAD_BYTES,
      signal: cut.signal,
    })
    waitedMs = performance.now() - started
    const head = { status, headers: withHidden(pairs(flat as unknown as string[])) }
    return { response: { ...head, ...(await receiveBody(encoded, head)) }, waitedMs }
  }
  try {
    return await within(timeoutMs * PARTS, answer(), signal)
  } catch (error) {
    // An abandoned request is not sent even if a connection opens later.
    cut.abort()
    const problem = problemOf(error, timeoutMs, signal)
    return { problem, waitedMs: waitedMs || performance.now() - started }
  }
}

/** Milliseconds between the parts of a body that is not written at once. */
const PAUSE_MS = { split: 10, late: 150 }

/** The body as it is given to the HTTP client. The exact head announces it. */
function written({ body, writing }: WireRequest): string | Uint8Array | Readable | null {
  if (body === undefined) return null
  if (writing === undefined) return body
  const bytes = Buffer.from(body)
  if (writing === 'chunked') {
    const size = bytes.byteLength.toString(16)
    return Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])
  }
  // The HTTP client writes the head with the first bytes.
  const at = writing === 'split' ? Math.ceil(bytes.byteLength / 2) : 1
  const parts = async function* () {
    yield bytes.subarray(0, at)
    await sleep(PAUSE_MS[writing])
    yield bytes.subarray(at)
  }
  return Readable.from(parts())
}

/** Without it, the HTTP client would write parts of a body as chunks. */
const lengthOf = ({ body = '', writing }: WireRequest): Header[] =>
  writing === 'split' || writing === 'late' ? [['content-length', String(Buffer.byteLength(body))]] : []

/** Bytes of each response that are searched for what comes after its head. */
const KEPT_BYTES = 128 * 1024

/**
 * Shows each chunk that is read from the socket, before the HTTP parser decides which of its bytes it uses, and sends heads exactly as
 * they are given: the HTTP client writes some names in lower case, adds headers and refuses to repeat one.
 */
function tap(socket: Socket, { received, exact }: Watcher): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  socket.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? exact(chunk) : chunk, ...rest)
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (!Buffer.isBuffer(chunk)) return chunk
    const parsed = received(chunk)
    return parsed.byteLength === 0 ? socket.read(size) : parsed
  }
}

/** Whether something follows the head of a response without a body. Interim responses (RFC 9110 §15.2) are heads of their own. */
function hasBytesAfterHead(raw: Buffer): boolean {
  let text = raw.toString('latin1')
  for (;;) {
    const head = /^[\s\S]*?\r?\n\r?\n/.exec(text)?.[0]
    if (head === undefined) return false
    text = text.slice(head.length)
    if (!/^(?:\r?\n)*HTTP\/1\.[01] 1[0-9]{2}\b/.test(head))
      return text.replace(/^[\r\n]+/, '') !== '' && !IDLE_TIMEOUT.test(text)
  }
}

/** Request line and headers as they are sent, byte for byte (RFC 9112 §3, §5). */
const headOf = ({ method, target, headers, version }: WireRequest): string =>
  `${method} ${target} HTTP/${version ?? '1.1'}\r\n${headers.map(([name, value]) => `${`${name}: ${value}`.trimEnd()}\r\n`).join('')}\r\n`

/** The header that marks a request, given to the HTTP client instead of its headers. */
const MARK_NAME = 'x-exact-head'
const MARK = `\r\n${MARK_NAME}: 1\r\n`

/** Headers that the HTTP client adds by itself. */
const ADDED: ReadonlySet<string> = new Set(['host', 'content-length'])

const sentByClient = (headers: readonly Header[]): string[] =>
  headers.filter(([name]) => !ADDED.has(name.toLowerCase())).flat()

function pairs(flat: readonly string[]): Header[] {
  const headers: Header[] = []
  for (let at = 0; at + 1 < flat.length; at += 2) headers.push([flat[at] as string, flat[at + 1] as string])
  return headers
}

function isProtocolError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return error.name === 'HTTPParserError' || code.startsWith('HPE_') || error.message === 'bad response'
}
