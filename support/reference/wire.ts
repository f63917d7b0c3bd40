import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Header } from '../interface/description.ts'
import type { Answer } from './answer.ts'

export type Wire = ReturnType<typeof wireOf>

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
