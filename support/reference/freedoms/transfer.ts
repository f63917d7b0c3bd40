import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib'
import {
  answersChanged,
  type ClientConnection,
  type Freedom,
  messageOf,
  type Override,
  oneOf,
  type Wire,
  withBody,
  withHeader,
} from '../index.ts'

const HTTP = '§1: HTTP defines how a message is transferred (RFC 9112)'

/** Compresses fast rather than well. */
const FAST = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const coded = (coding: string, code: (body: Uint8Array) => Uint8Array): Override =>
  answersChanged({}, answer =>
    answer.body ? withHeader(withBody(answer, code(answer.body)), 'Content-Encoding', coding) : answer,
  )

/** Sends the message after a change of its bytes. */
const sent =
  (change: (message: string) => string, afterwards: 'keep' | 'close' = 'keep'): Override =>
  () => ({
    deliver: (answer, wire) =>
      wire.raw(Buffer.from(change(messageOf(answer).toString('latin1')), 'latin1'), afterwards),
  })

/** Does something after each response. It is told how many the connection has had, also later. */
const afterEach =
  (act: (wire: Wire, count: () => number) => unknown): Override =>
  base => {
    const counts = new WeakMap<ClientConnection, number>()
    const countOf = (connection: ClientConnection) => counts.get(connection) ?? 0
    return {
      deliver: async (answer, wire, ctx) => {
        await base.deliver(answer, wire, ctx)
        counts.set(ctx.connection, countOf(ctx.connection) + 1)
        act(wire, () => countOf(ctx.connection))
      },
    }
  }

/** How responses are transferred. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('coding', HTTP, {
    brotli: coded('br', body => brotliCompressSync(body, FAST)),
    'deflate-raw': coded('deflate', body => deflateRawSync(body, FAST)),
    'gzip-twice': coded('gzip, X-GZIP', body => gzipSync(gzipSync(body, FAST), FAST)),
  }),
  ...oneOf('delivery', HTTP, {
    chunked: base => ({
      deliver: ({ status, headers, body }, wire, ctx) => {
        if (!body) return base.deliver({ status, headers }, wire, ctx)
        wire.outgoing.writeHead(status, headers.flat())
        // Of seven bytes, and of more only where a list is long.
        const length = Math.max(7, Math.ceil(body.length / 200))
        for (let at = 0; at < body.length; at += length) wire.outgoing.write(body.subarray(at, at + length))
        wire.outgoing.end()
      },
    }),
    'early-hints': sent(message => `HTTP/1.1 103 Early Hints\r\nLink: </v1>; rel=up\r\n\r\n${message}`),
    'without-reason': sent(message => message.replace(/^(HTTP\/1.1 \d+ ).*/, '$1')),
    'http-1.0': sent(
      message => message.replace('HTTP/1.1', 'HTTP/1.0').replace(/content-length: \d+\r\n/i, ''),
      'close',
    ),
    'closes-idle': afterEach((wire, count) => {
      const nth = count()
      setTimeout(() => nth === count() && wire.socket.end(), 20).unref()
    }),
    'closes-unannounced': afterEach((wire, nth) => nth() % 4 === 0 && wire.socket.end()),
    closes: answersChanged({}, answer => withHeader(answer, 'Connection', 'close')),
    'closes-now-and-then': base => {
      const counts = new WeakMap<ClientConnection, number>()
      return answersChanged({}, (answer, { connection }) => {
        const nth = (counts.get(connection) ?? 0) + 1
        counts.set(connection, nth)
        return nth % 3 === 0 ? withHeader(answer, 'Connection', 'close') : answer
      })(base)
    },
  }),
]
