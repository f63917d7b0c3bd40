import type { RecordedResponse, WireRequest, WireResult } from './exchange.ts'
import { problemOf, within } from './problems.ts'

/** One connection, opened with its first request, and opened again if the store closed it. One request at a time. */
export interface Connection {
  send(request: WireRequest, signal?: AbortSignal): Promise<WireResult>
  /** Whether bytes came after a complete response. Bytes that come late are known once the connection has ended. */
  readonly strayBytes: boolean
  close(): void
}

/** Opens connections to one origin: over a socket, or to a store in this process. */
export interface Transport {
  readonly origin: string
  connect(): Connection
}

/**
 * The response, or the problem that kept it away.
 * @param answer gets a function to call with the head of the response @param drop ends what may still be under way
 */
export async function resultOf(
  answer: (begun: () => void) => Promise<RecordedResponse>,
  connection: WireResult['connection'],
  timeoutMs: number,
  signal: AbortSignal | undefined,
  drop: (error: unknown) => void,
): Promise<WireResult> {
  const started = performance.now()
  let waitedMs: number | undefined
  const begun = () => {
    waitedMs = performance.now() - started
  }
  try {
    signal?.throwIfAborted()
    const response = await within(timeoutMs, answer(begun), signal)
    return { response, connection, waitedMs: waitedMs ?? 0 }
  } catch (error) {
    drop(error)
    return {
      problem: problemOf(error, signal),
      connection,
      waitedMs: waitedMs ?? performance.now() - started,
    }
  }
}

export type Connections = ReturnType<typeof connections>

/** The connections of a run. */
export function connections(transport: Transport) {
  const opened = new Set<Connection>()
  /** The most recently used is the last. */
  const idle: Connection[] = []
  const open = (): Connection => {
    const connection = transport.connect()
    opened.add(connection)
    return connection
  }
  const close = (connection: Connection): void => {
    opened.delete(connection)
    connection.close()
  }
  return {
    /** @param on a connection that the caller has opened, a new one for this request, or (the default) any idle one */
    async send(
      request: WireRequest,
      signal?: AbortSignal,
      on: Connection | 'fresh' | 'any' = 'any',
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
    /** A connection for the requests that name it, until it is closed. */
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
