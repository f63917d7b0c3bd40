import { bodyReceiver } from './body.ts'
import { type Header, listIn, type WireRequest } from './exchange.ts'
import { type Connection, resultOf, type Transport } from './transport.ts'

/** Stands for a connection, because there is no socket. A store can recognise requests of the same connection by it. */
export interface Caller {
  readonly id: number
}

/** A response of a store in this process. */
export interface DirectResponse {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | null | undefined
}

/** A store as a function from request to response. */
export type Handler = (request: WireRequest, caller: Caller) => Promise<DirectResponse>

/** A store as a function of the Fetch standard, or an adapter around `inject`. */
export const fetchHandler =
  (fetch: (request: Request) => Response | Promise<Response>, origin: string): Handler =>
  async ({ method, target, headers, body }) => {
    const sent = { method, headers: headers.map(([...each]) => each) }
    // The Fetch standard allows no body with GET.
    const content = body === undefined || method === 'GET' ? {} : { body }
    const response = await fetch(new Request(origin + target, { ...sent, ...content }))
    const stream = response.body as AsyncIterable<Uint8Array> | null
    return { status: response.status, headers: [...response.headers], body: stream }
  }

/** Statuses whose responses have no body (RFC 9110 §6.4.1), whatever a store in this process returns. */
const NO_BODY = new Set([204, 304])

/**
 * Calls a store in this process. Faults in the bytes on a socket do not show: a wrong length, a dropped connection, a path that a
 * server would not accept. All others do.
 */
export function inProcess(handler: Handler, origin: string, { timeoutMs = 10_000 } = {}): Transport {
  const receive = bodyReceiver()
  let callers = 0
  const connect = (): Connection => {
    /** For all requests, until a response closes the connection or is missing. */
    let kept: Caller | undefined
    const drop = () => {
      kept = undefined
    }
    return {
      send(request, signal) {
        const connection = kept ? 'kept' : 'fresh'
        kept ??= { id: ++callers }
        const caller = kept
        const answer = async (begun: () => void) => {
          const { status, headers, body } = await handler(request, caller)
          begun()
          const chunks = !body || NO_BODY.has(status) ? [] : body instanceof Uint8Array ? [body] : body
          const response = { status, headers, ...(await receive(chunks, { headers })) }
          if (listIn({ headers }, 'connection').includes('close')) drop()
          return response
        }
        return resultOf(answer, connection, timeoutMs, signal, drop)
      },
      strayBytes: false,
      close() {},
    }
  }
  return { origin, connect }
}
