import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { isLosslessNumber, parse } from 'lossless-json'
import type { Header } from '../interface/description.ts'

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
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: readonly Header[]

  constructor(status: number, code = 'refused', message = 'The request is refused.', ...headers: Header[]) {
    this.status = status
    this.code = code
    this.message = message
    this.headers = headers
  }
}

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
export const wireOf = ({ socket }: IncomingMessage, outgoing: ServerResponse) => ({
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

export type Body = string | Uint8Array | AsyncIterable<Uint8Array>

/** Bytes. */
const LIMIT = 64 * 1024
const TOO_LARGE = `The body is larger than ${LIMIT} bytes.`

const invalid = (message: string) => new Refusal(400, 'body_invalid', message)

export async function readBody(body: Body): Promise<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length > LIMIT) throw new Refusal(413, 'body_too_large', TOO_LARGE, ['Connection', 'close'])
    }
  } catch (error) {
    throw error instanceof Refusal ? error : invalid('The body is incomplete.')
  }
  return Buffer.concat(chunks)
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
