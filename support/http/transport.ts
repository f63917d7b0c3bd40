import { MAX_BODY_BYTES } from './body.ts'
import {
  type ConnectionOptions,
  type Lane,
  openLane,
  type WireRequest,
  type WireResult,
} from './connection.ts'

export type { Lane, WireRequest, WireResult } from './connection.ts'

export interface Transport {
  readonly origin: string
  /** Uses an idle connection, or a new one. */
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** A connection of its own, opened with the first request. */
  lane(): Lane
  close(): Promise<void>
}

/** The HTTP/1.1 client: undici, without redirects, cookies, caches or retries of its own. */
export function httpTransport(
  origin: string,
  {
    maxBodyBytes = MAX_BODY_BYTES,
    env = {},
    timeoutMs,
    identity,
  }: Pick<ConnectionOptions, 'timeoutMs'> & Partial<ConnectionOptions>,
): Transport {
  const options = { timeoutMs, maxBodyBytes, env, identity }
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
 * Not without a complete response, and not after a refused request with a body: the store may have left the body unread, and would
 * take it for the next request.
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

/** The lane, which repeats the requests that may be repeated. */
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

/** Undefined if a store had closed a kept connection in the meantime, because that is usual. */
const repeatedAfter = (before: WireResult | undefined): Pick<WireResult, 'repeatedAfter'> =>
  before?.problem && before.connection === 'fresh' ? { repeatedAfter: before.problem.message } : {}
