import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, isIPv6, type Server as NetServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { connections, httpTransport } from '../connection.ts'
import type { ConnectionOptions } from '../dial.ts'
import type { WireRequest, WireResult } from '../exchange.ts'

export function originOf(server: NetServer, scheme = 'http'): string {
  const { address, port } = server.address() as AddressInfo
  return `${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}`
}

/** Listens on a free port of loopback until the test ends, and ends every connection then. */
export async function listen(server: NetServer, host = '127.0.0.1'): Promise<NetServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server
}

/** The origin of an HTTP server. */
export const httpServer = async (listener: RequestListener): Promise<string> =>
  originOf(await listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener)))

/** The origin of a server that writes any bytes. It takes what arrives at once for a request. */
export async function rawServer(
  answer: (socket: Socket, request: string, connection: number, nth: number) => void,
  host?: string,
): Promise<string> {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    const connection = connections
    let nth = 0
    socket.on('data', request => answer(socket, request.toString('latin1'), connection, ++nth))
  })
  return originOf(await listen(server, host))
}

/** Connections that are closed when the test ends. */
export function connectionsTo(origin: string, options: Partial<ConnectionOptions> = {}, most?: number) {
  const opened = connections(httpTransport(origin, { timeoutMs: 60_000, ...options }), most)
  onTestFinished(opened.closeAll)
  return opened
}

/** A request with the headers that every request needs. */
export const get = (target = '/', { headers = [], ...more }: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  target,
  ...more,
  headers: [
    ['Host', 'store.test'],
    ...headers,
    ...(more.body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(more.body))] as const]),
  ],
})

export const del = (target = '/'): WireRequest => get(target, { method: 'DELETE' })

/** The status and the body, or what kept the response from arriving. */
export const outcome = ({ response, problem }: WireResult): string =>
  response ? `${response.status} ${response.body}` : `${problem?.kind}: ${problem?.message}`
