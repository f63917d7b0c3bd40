import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isLosslessNumber, parse } from 'lossless-json'
import type { Header } from '../interface/description.ts'
import type { WireRequest } from '../wire/exchange.ts'

export type Body = string | AsyncIterable<Uint8Array>

/** A request as the store receives it, over a socket or in process. */
export interface StoreRequest extends Pick<WireRequest, 'method' | 'target' | 'headers'> {
  readonly body?: Body | undefined
}

/** Where a request came from: a new connection by default. Without a wire, it was received in process. */
export interface RequestSource {
  readonly connection?: object
  readonly wire?: Wire | undefined
}

/** A finished response. Names of headers are sent as they are written here. */
export interface Answer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body?: Uint8Array
}

export const emptyAnswer = (status: number): Answer => ({ status, headers: [] })

export const jsonAnswer = (status: number, json: string, headers: readonly Header[] = []): Answer => ({
  status,
  headers: [['Content-Type', 'application/json'], ['Cache-Control', 'no-store'], ...headers],
  body: Buffer.from(json),
})

/** The answer with this header in place of any other of its name; without a value, with none of its name. */
export const withHeader = (answer: Answer, name: string, value?: string): Answer => ({
  ...answer,
  headers: [
    ...answer.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...(value === undefined ? [] : [[name, value] as const]),
  ],
})

export const withBody = (answer: Answer, body: string | Uint8Array): Answer => ({
  ...answer,
  body: Buffer.from(body as string),
})

export const withStatus = (answer: Answer, status: number): Answer => ({ ...answer, status })

export const bodyText = (answer: Answer): string => Buffer.from(answer.body ?? []).toString()

/**
 * Thrown by a decision that rejects a request. It is no Error, because nobody reads where it was thrown, and most requests of a run
 * are rejected. No message repeats text of the client, because it may be a key.
 */
export class Refusal {
  readonly answer: Answer

  /** 401 and 404 have the Error shape (§7), and the others too: clients handle one more easily. */
  constructor(status: number, code = 'refused', message = 'The request is refused.', ...headers: Header[]) {
    this.answer = jsonAnswer(status, JSON.stringify({ code, message, status }), headers)
  }
}

const invalid = (message: string) => new Refusal(400, 'body_invalid', message)

export const readBody = async (body: Body): Promise<Uint8Array> => {
  try {
    return typeof body === 'string' ? Buffer.from(body) : await buffer(body)
  } catch {
    throw invalid('The body is incomplete.')
  }
}

/** Numbers keep their text. JSON is UTF-8 (RFC 8259 §8.1), whatever a charset parameter says. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The message of the parser quotes the body. Too deep a nesting is a RangeError.
    throw invalid('The body is not valid JSON in UTF-8, or has a member twice with different values.')
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)

/** A 204 has neither a body nor a length (RFC 9110 §8.6), a chunked body has no length. */
const withLength = ({ status, headers, body }: Answer): readonly Header[] =>
  [204, 304].includes(status) || headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    ? headers
    : [...headers, ['Content-Length', String(body?.length ?? 0)]]

/** The answer as the bytes of an HTTP/1.1 message, for `raw`. */
export const messageOf = (answer: Answer): Buffer => {
  const { status, body = Buffer.of() } = answer
  const fields = withLength(answer).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

export type Wire = ReturnType<typeof wireOf>

/** Sends the response to one request over its socket. Faults in how a response is sent use it. */
const wireOf = ({ socket }: IncomingMessage, outgoing: ServerResponse) => ({
  outgoing,
  socket,
  /** Sends the answer as correct HTTP. */
  send: (answer: Answer): void => {
    outgoing.writeHead(answer.status, withLength(answer).flat())
    outgoing.end(answer.body)
  },
  /** Writes these bytes to the socket, without HTTP framing, and keeps or closes the connection. */
  raw: (bytes: string | Uint8Array, afterwards: 'keep' | 'close'): void => {
    if (afterwards === 'close') return void socket.end(bytes)
    socket.write(bytes)
    // The server reads the next request from the socket only when `outgoing` has finished.
    outgoing.emit('finish')
  },
  /** Resets the connection. */
  reset: (): void => void socket.resetAndDestroy(),
})

const requestFrom = (incoming: IncomingMessage): StoreRequest => {
  const { method = '', url: target = '', rawHeaders } = incoming
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  )
  return { method, target, headers, body: incoming }
}

export interface ServeOptions {
  /** Default 0: a free port. */
  readonly port?: number
  /** Default: the loopback address, because the default key is public. */
  readonly host?: string
}

export type ServedStore = Awaited<ReturnType<typeof serve>>

/** @param answer of the store */
export const serve = async (
  { answer }: { readonly answer: (request: StoreRequest, source: RequestSource) => Promise<Answer> },
  { port = 0, host = '127.0.0.1' }: ServeOptions = {},
) => {
  const server = createServer({ noDelay: true }, (incoming, outgoing) => {
    const wire = wireOf(incoming, outgoing)
    // Only a fault in the answer to an error of the store comes here.
    answer(requestFrom(incoming), { connection: incoming.socket, wire }).catch(wire.reset)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  // A server on every address is reached through the loopback address.
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host
  const origin = `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`
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
