import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wireOf } from './answer.ts'
import type { ReferenceStore, StoreRequest } from './store.ts'

export interface ServeOptions {
  /** Default 0: a free port. */
  readonly port?: number
  /** Default: the loopback address, because the default key is public. */
  readonly host?: string
}

export type ServedStore = Awaited<ReturnType<typeof serve>>

const requestFrom = (incoming: IncomingMessage): StoreRequest => {
  const { method = '', url: target = '', rawHeaders } = incoming
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  )
  // A body that is refused early must not close the connection before the answer is sent.
  return { method, target, headers, body: incoming.iterator({ destroyOnReturn: false }) }
}

/** A server on every address is reached through the loopback address. */
export const reachable = ({ address, family }: AddressInfo): string => {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

export const serve = async (store: ReferenceStore, { port = 0, host = '127.0.0.1' }: ServeOptions = {}) => {
  const server = createServer({ noDelay: true }, (incoming, outgoing) => {
    const wire = wireOf(incoming, outgoing)
    // Only a fault in the answer to an error of the store comes here.
    store.answer(requestFrom(incoming), { connection: incoming.socket, wire }).catch(wire.reset)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const origin = `http://${reachable(address)}:${address.port}`
  return {
    /** With the version prefix: `http://127.0.0.1:8080/v1`. */
    baseUrl: `${origin}/v1`,
    statesUrl: `${origin}/provider-states`,
    /** Closes every connection immediately, also one that waits for a response. */
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
