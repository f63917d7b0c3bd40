import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import type { Fetch } from './options.ts'

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
    const agent = Object.assign(new Agent(), { createConnection: () => near })
    const { pathname, search } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const outgoing = send({
      agent,
      method: request.method,
      path: pathname + search,
      headers: {
        host: new URL(request.url).host,
        ...Object.fromEntries(request.headers),
        ...lengthOf(request, body),
      },
      signal: request.signal,
    }).end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode: status = 500, headersDistinct } = incoming
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    // The constructor of Response throws if these have a body.
    const bodiless = [204, 205, 304].includes(status)
    if (bodiless) incoming.resume()
    return new Response(bodiless ? null : (Readable.toWeb(incoming) as ReadableStream), { status, headers })
  }
}

/** A request without a body, or with a chunked one, has no Content-Length, as over a socket. */
const lengthOf = ({ body, headers }: Request, bytes: Buffer) =>
  body === null || headers.has('transfer-encoding') ? {} : { 'content-length': String(bytes.byteLength) }
