import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Channel, type Connections, connections, httpTransport } from '../connection.ts'
import type { ConnectionOptions } from '../dial.ts'
import type { WireRequest, WireResult } from '../exchange.ts'

export const originOf = (server: NetServer | Server, scheme = 'http'): string =>
  `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Listens on a free port of loopback until the test ends, and ends every connection then. */
export async function listen<Listening extends NetServer>(server: Listening): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server
}

/** The origin of an HTTP server. */
export const httpServer = async (listener: RequestListener): Promise<string> =>
  originOf(await listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener)))

/** The origin of a server that writes any bytes. It expects requests without a body. */
export async function rawServer(
  answer: (socket: Socket, request: string, connection: number, nth: number) => void,
): Promise<string> {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    const connection = connections
    let nth = 0
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end + 4)
        text = text.slice(end + 4)
        nth += 1
        answer(socket, request, connection, nth)
      }
    })
  })
  return originOf(await listen(server))
}

/** Connections that are closed when the test ends. */
export function connectionsTo(origin: string, options: Partial<ConnectionOptions> = {}): Connections {
  const opened = connections(httpTransport(origin, { timeoutMs: 60_000, ...options }))
  onTestFinished(opened.closeAll)
  return opened
}

/** One connection, on which requests are also repeated. */
export function ownOf({ open, send }: Connections): Channel {
  const own = open()
  return { ...own, send: (request, signal) => send(request, signal, own) }
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
