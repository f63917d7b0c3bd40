import { receiveBody } from './body.ts'
import { type Header, header } from './exchange.ts'
import { problemOf } from './problems.ts'
import type { Connection, Transport, WireRequest } from './transport.ts'
import { within } from './within.ts'

/** Stands for a connection, because there is no socket. A store can recognise requests of the same connection by it. */
export interface Caller {
  readonly id: number
}

/** A response of a store in this process. */
export interface DirectResponse {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** A store as a function from request to response. */
export type Handler = (request: WireRequest, caller: Caller) => Promise<DirectResponse>

/** A store as a function of the Fetch standard, or an adapter around `inject`. */
export const fetchHandler =
  (fetch: (request: Request) => Response | Promise<Response>, origin: string): Handler =>
  async ({ method, target, headers, body }) => {
    const request = new Request(origin + target, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      // The Fetch standard allows no body with GET.
      ...(body === undefined || method === 'GET' ? {} : { body }),
    })
    const response = await fetch(request)
    return {
      status: response.status,
      headers: [...response.headers],
      body: (response.body ?? undefined) as AsyncIterable<Uint8Array> | undefined,
    }
  }

/** Statuses whose responses have no body (RFC 9110 §6.4.1), whatever a store in this process returns. */
const NO_BODY = new Set([204, 304])

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
  return {
    origin,
    /** Keeps one caller for all requests until a response closes the connection or is missing. */
    connect(): Connection {
      let kept: Caller | undefined
      return {
        async send(request, signal) {
          const connection = kept ? 'kept' : 'fresh'
          kept ??= { id: ++callers }
          const caller = kept
          const started = performance.now()
          let waitedMs = 0
          const answer = async () => {
            const { status, headers, body } = await handler(request, caller)
            waitedMs = performance.now() - started
            const chunks =
              body === undefined || NO_BODY.has(status) ? [] : body instanceof Uint8Array ? [body] : body
            return { status, headers, ...(await receiveBody(chunks, { status, headers })) }
          }
          try {
            const response = await within(timeoutMs, answer(), signal)
            if (closes(response)) kept = undefined
            return { response, connection, waitedMs }
          } catch (error) {
            kept = undefined
            const problem = problemOf(error, timeoutMs, signal)
            return { problem, connection, waitedMs: waitedMs || performance.now() - started }
          }
        },
        strayBytes: false,
        close: async () => {},
      }
    },
  }
}

const closes = (response: { readonly headers: readonly Header[] }): boolean =>
  /\bclose\b/i.test(header(response, 'connection') ?? '')
