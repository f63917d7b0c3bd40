import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { newConnection } from './context.ts'
import type { Connection } from './decisions.ts'
import { bodyInvalid } from './refusal.ts'
import type { ReferenceStore } from './store.ts'
import { wireOf } from './wire.ts'

export interface ServeOptions {
  /** Default 0: a free port. */
  readonly port?: number
  /** Default: the loopback address, because the default key is public. */
  readonly host?: string
}

export interface ServedStore {
  /** With the version prefix: `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly statesUrl: string
  /** Closes every connection immediately, also one that waits for a response. */
  readonly close: () => Promise<void>
}

/** A server on every address is reached through the loopback address. */
export const reachable = ({ address, family }: AddressInfo): string => {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

const badRequest = (): Response => {
  const { code, message, status } = bodyInvalid('The request line or the Host header is malformed.')
  return Response.json({ code, message, status }, { status })
}

export const serve = async (
  store: ReferenceStore,
  { port = 0, host = '127.0.0.1' }: ServeOptions = {},
): Promise<ServedStore> => {
  const connections = new WeakMap<Socket, Connection>()
  const connectionOf = (socket: Socket): Connection => {
    const connection = connections.get(socket) ?? newConnection()
    connections.set(socket, connection)
    return connection
  }
  const listener = getRequestListener(
    (request, env) => {
      // The adapter also supports HTTP/2. This server does not.
      const { incoming, outgoing } = env as HttpBindings
      const wire = wireOf(incoming, outgoing)
      return store.fetch(request, { connection: connectionOf(incoming.socket), wire })
    },
    { overrideGlobalObjects: false, hostname: host, errorHandler: badRequest },
  )
  const server = createServer({ noDelay: true }, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const origin = `http://${reachable(address)}:${address.port}`
  return {
    baseUrl: `${origin}/v1`,
    statesUrl: `${origin}/provider-states`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
