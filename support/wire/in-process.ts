import type { Header } from '../interface/description.ts'
import type { Transport } from './connection.ts'
import { listIn, type WireRequest } from './exchange.ts'
import { bodyReceiver } from './message.ts'

/** A response of a store in this process. */
export interface DirectResponse {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | null | undefined
}

/** A store as a function. The object stands for a connection: requests that have the same one are sent on it. */
export type Handler = (request: WireRequest, connection: object) => Promise<DirectResponse>

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
const NO_BODY = [204, 304]

/**
 * Calls a store in this process. Faults in the bytes on a socket do not show: a wrong length, a dropped connection, a path that a
 * server would not accept. All others do.
 */
export function inProcess(handler: Handler, limitMs = 10_000): Transport {
  const receive = bodyReceiver()
  const connect: Transport['connect'] = async () => {
    const connection = {}
    let isReusable = true
    return {
      async exchange(request) {
        const { status, headers, body } = await handler(request, connection)
        const chunks = !body || NO_BODY.includes(status) ? [] : body instanceof Uint8Array ? [body] : body
        isReusable = !listIn({ headers }, 'connection').includes('close')
        return { status, headers, body: await receive(chunks, { headers }) }
      },
      isReusable: () => isReusable,
      hasStrayBytes: async () => false,
      close: () => undefined,
    }
  }
  return { limitMs, connect }
}
