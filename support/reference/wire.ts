import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Header } from '../interface/description.ts'
import type { Answer } from './answer.ts'

/** Sends the response to one request over its socket. Faults in how a response is sent use it. */
export interface Wire {
  readonly outgoing: ServerResponse
  readonly socket: Socket
  /** Sends the answer as correct HTTP. */
  readonly send: (answer: Answer) => void
  /** Writes these bytes to the socket, without HTTP framing, and keeps or closes the connection. */
  readonly raw: (bytes: string | Uint8Array, afterwards: 'keep' | 'close') => void
  /** Resets the connection. */
  readonly reset: () => void
}

/** A 204 has neither a body nor a length (RFC 9110 §8.6), a chunked body has no length. */
const withLength = ({ status, headers, body }: Answer): readonly Header[] =>
  status === 204 ||
  status === 304 ||
  headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    ? headers
    : [...headers, ['Content-Length', String(body?.length ?? 0)]]

/** The answer as the bytes of an HTTP/1.1 message, for `raw`. */
export const messageOf = (answer: Answer): Buffer => {
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...withLength(answer).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), answer.body ?? Buffer.of()])
}

export const wireOf = ({ socket }: IncomingMessage, outgoing: ServerResponse): Wire => ({
  outgoing,
  socket,
  send: answer => {
    outgoing.writeHead(answer.status, withLength(answer).flat())
    outgoing.end(answer.body)
  },
  raw: (bytes, afterwards) => {
    if (afterwards === 'close') return void socket.end(bytes)
    socket.write(bytes)
    // The server reads the next request from the socket only when `outgoing` has finished.
    outgoing.emit('finish')
  },
  reset: () => socket.resetAndDestroy(),
})
