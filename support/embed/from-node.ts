import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import type { Fetch } from './judge.ts'

/**
 * Converts a Node request listener to a `fetch` function that needs no port: Express's `app`, Koa's `app.callback()`, Fastify's
 * `app.routing` after `await app.ready()`, or any argument of `createServer`.
 */
export function fromNode(app: RequestListener): Fetch {
  const server = createServer(app)
  return async request => {
    const [near, far] = duplexPair()
    far.once('close', () => near.destroy())
    server.emit('connection', far)
    const { method, signal, headers } = request
    const body = Buffer.from(await request.arrayBuffer())
    // A request without a body, or with a chunked one, has no Content-Length, as over a socket.
    const hasLength = request.body !== null && !headers.has('transfer-encoding')
    const length = hasLength ? { 'content-length': String(body.byteLength) } : {}
    const { host } = new URL(request.url)
    const sent = { method, signal, headers: { host, ...Object.fromEntries(headers), ...length } }
    const outgoing = send(request.url, { ...sent, createConnection: () => near }).end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode: status = 500, headersDistinct } = incoming
    const received = new Headers()
    for (const [name, values = []] of Object.entries(headersDistinct))
      for (const value of values) received.append(name, value)
    // The constructor of Response throws if these have a body.
    const isBodiless = [204, 205, 304].includes(status)
    if (isBodiless) incoming.resume()
    const content = isBodiless ? null : (Readable.toWeb(incoming) as ReadableStream)
    return new Response(content, { status, headers: received })
  }
}
