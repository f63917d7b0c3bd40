import { Readable } from 'node:stream'
import { receiveBody } from './body.ts'
import { MAX_LIST_BYTES } from './connection.ts'
import { type Header, header } from './exchange.ts'
import { problemOf } from './problems.ts'
import { type Lane, MAX_BODY_BYTES, type Transport, type WireRequest, type WireResult } from './transport.ts'

/** Stands for a connection, because there is no socket. A store can recognise requests of the same connection by it. */
export interface Caller {
  readonly id: number
}

/** A store as a function from request to response: Hono's `app.fetch`, a Fetch handler, or an adapter around `inject`. */
export type Handler = (request: Request, caller: Caller) => Response | Promise<Response>

/**
 * Calls a store in this process. Faults in the bytes on a socket do not show: a wrong length, a dropped connection, a path that a
 * server would not accept. All others do.
 */
export function inProcess(
  handler: Handler,
  origin: string,
  { timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {},
): Transport {
  let callers = 0
  const opened = (): Caller => ({ id: ++callers })

  const exchange = async (
    caller: Caller,
    { method, target, headers, body, list, keepWhole }: WireRequest,
    connection: WireResult['connection'],
    signal: AbortSignal | undefined,
  ): Promise<WireResult> => {
    const started = performance.now()
    let waitedMs = 0
    let timer: NodeJS.Timeout | undefined
    let stop = () => {}
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new DOMException('time-out', 'TimeoutError')), timeoutMs)
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop)
    })
    const answer = async (): Promise<WireResult> => {
      const request = new Request(origin + target, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...(body === undefined ? {} : { body }),
      })
      const response = await handler(request, caller)
      waitedMs = performance.now() - started
      const received: Header[] = [...response.headers]
      const reading = response.status === 200 ? list : undefined
      const chunks = (response.body ?? Readable.from([])) as AsyncIterable<Uint8Array>
      const limit = reading ? MAX_LIST_BYTES : MAX_BODY_BYTES
      const decoded = await receiveBody(chunks, received, { limit, list: reading, keepWhole })
      return {
        response: { status: response.status, headers: received, ...decoded },
        connection,
        waitedMs,
      }
    }
    try {
      return await Promise.race([answer(), late])
    } catch (error) {
      const problem = problemOf(error, timeoutMs, signal)
      return { problem, connection, waitedMs: waitedMs || performance.now() - started }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Keeps one caller for all requests until a response closes the connection or is missing. */
  const lane = (): Lane => {
    let kept: Caller | undefined
    return {
      async send(request, signal) {
        const known = kept !== undefined
        kept ??= opened()
        const result = await exchange(kept, request, known ? 'kept' : 'fresh', signal)
        if (!result.response || closes(result.response)) kept = undefined
        return result
      },
      strayBytes: false,
      close: async () => {},
    }
  }

  const idle: Lane[] = []
  return {
    origin,
    async send(request, signal) {
      const own = idle.pop() ?? lane()
      const result = await own.send(request, signal)
      idle.push(own)
      return { ...result, connection: 'pool' }
    },
    lane,
    close: async () => {},
  }
}

const closes = (response: { readonly headers: readonly Header[] }): boolean =>
  /\bclose\b/i.test(header(response, 'connection') ?? '')
