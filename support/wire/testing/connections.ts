import { onTestFinished } from 'vitest'
import { httpTransport } from '../connection.ts'
import type { ConnectionOptions } from '../dial.ts'
import type { WireRequest, WireResult } from '../message.ts'
import { type Connection, type Connections, connections } from '../transport.ts'

/** Connections that are closed when the test ends. */
export function connectionsTo(origin: string, options: Partial<ConnectionOptions> = {}): Connections {
  const opened = connections(httpTransport(origin, { timeoutMs: 60_000, ...options }))
  onTestFinished(() => opened.closeAll())
  return opened
}

/** One connection, on which requests are also repeated. */
export function ownOf({ open, send }: Connections): Connection {
  const own = open()
  return {
    send: (request, signal) => send(request, signal, own),
    get strayBytes() {
      return own.strayBytes
    },
    close: own.close,
  }
}

/** A request with the headers that every request needs. */
export const get = (target = '/', { headers = [], ...more }: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  target,
  repeatable: true,
  ...more,
  headers: [
    ['Host', 'store.test'],
    ...headers,
    ...(more.body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(more.body))] as const]),
  ],
})

export const del = (target = '/'): WireRequest => get(target, { method: 'DELETE', repeatable: false })

/** The status and the body, or what kept the response from arriving. */
export const outcome = ({ response, problem }: WireResult): string =>
  response ? `${response.status} ${response.body}` : `${problem?.kind}: ${problem?.message}`
