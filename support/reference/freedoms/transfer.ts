import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { Answer } from '../answer.ts'
import { withBody, withHeader } from '../answer.ts'
import { answersChanged } from '../changes.ts'
import type { Connection } from '../decisions.ts'
import type { Fault, Freedom } from '../fault.ts'
import { messageOf, type Wire } from '../wire.ts'

/** Compresses fast rather than well. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const HTTP = '§1: HTTP defines how a message is transferred (RFC 9112)'

const coded = (coding: string, code: (body: Uint8Array) => Uint8Array): Fault['override'] =>
  answersChanged({}, answer =>
    answer.body ? withHeader(withBody(answer, code(answer.body)), 'Content-Encoding', coding) : answer,
  )

const delivered =
  (deliver: (answer: Answer, wire: Wire) => void | Promise<void>): Fault['override'] =>
  () => ({
    deliver: (answer, wire) => deliver(answer, wire),
  })

const chunkedFrom = ({ body = Buffer.of() }: Answer, size: number): readonly Uint8Array[] => {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < body.length; at += size) chunks.push(body.subarray(at, at + size))
  return chunks
}

const HAS_BODY = ({ status }: Answer) => status !== 204 && status !== 304

/** How responses are transferred. */
export const freedoms: readonly Freedom[] = [
  {
    id: 'gzip',
    title: 'Responses are compressed with gzip',
    clause: HTTP,
    topic: 'coding',
    override: coded('gzip', gzipSync),
  },
  {
    id: 'brotli',
    title: 'Responses are compressed with Brotli',
    clause: HTTP,
    topic: 'coding',
    override: coded('br', body => brotliCompressSync(body, FAST)),
  },
  {
    id: 'deflate',
    title: 'Responses are compressed with deflate',
    clause: HTTP,
    topic: 'coding',
    override: coded('deflate', deflateSync),
  },
  {
    id: 'deflate-raw',
    title: 'Responses are compressed with raw deflate, without the zlib wrapper',
    clause: HTTP,
    topic: 'coding',
    override: coded('deflate', deflateRawSync),
  },
  {
    id: 'gzip-twice',
    title: 'Responses are compressed twice',
    clause: HTTP,
    topic: 'coding',
    override: coded('gzip, X-GZIP', body => gzipSync(gzipSync(body))),
  },
  {
    id: 'chunked',
    title: 'Responses are sent in chunks of seven bytes',
    clause: HTTP,
    topic: 'delivery',
    needsSocket: true,
    override: delivered((answer, { outgoing, send }) => {
      if (!HAS_BODY(answer)) return send(answer)
      outgoing.writeHead(answer.status, answer.headers.flat())
      for (const chunk of chunkedFrom(answer, 7)) outgoing.write(chunk)
      outgoing.end()
    }),
  },
  {
    id: 'in-two-pieces',
    title: 'Responses are sent in two parts, with a delay',
    clause: HTTP,
    topic: 'delivery',
    needsSocket: true,
    override: delivered(async (answer, { outgoing, send }) => {
      if (!HAS_BODY(answer) || !answer.body) return send(answer)
      outgoing.writeHead(answer.status, [
        ...answer.headers.flat(),
        'Content-Length',
        String(answer.body.length),
      ])
      outgoing.write(answer.body.subarray(0, 20))
      await new Promise(resolve => setTimeout(resolve, 1))
      outgoing.end(answer.body.subarray(20))
    }),
  },
  {
    id: 'early-hints',
    title: 'Each response is preceded by a 103',
    clause: HTTP,
    topic: 'delivery',
    needsSocket: true,
    override: delivered((answer, wire) =>
      wire.raw(
        Buffer.concat([
          Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </v1>; rel=up\r\n\r\n'),
          messageOf(answer),
        ]),
        'keep',
      ),
    ),
  },
  {
    id: 'without-reason',
    title: 'Responses have no reason phrase',
    clause: HTTP,
    topic: 'delivery',
    needsSocket: true,
    override: delivered((answer, wire) =>
      wire.raw(
        Buffer.from(
          messageOf(answer)
            .toString('latin1')
            .replace(/^(HTTP\/1.1 \d+ ).*/, '$1'),
          'latin1',
        ),
        'keep',
      ),
    ),
  },
  {
    id: 'http-1.0',
    title: 'Responses are HTTP/1.0 and end with the connection',
    clause: HTTP,
    topic: 'delivery',
    needsSocket: true,
    override: delivered((answer, wire) =>
      wire.raw(
        Buffer.from(
          messageOf(answer)
            .toString('latin1')
            .replace('HTTP/1.1', 'HTTP/1.0')
            .replace(/content-length: \d+\r\n/i, ''),
          'latin1',
        ),
        'close',
      ),
    ),
  },
  {
    id: 'closes',
    title: 'Each response closes its connection',
    clause: HTTP,
    topic: 'delivery',
    override: answersChanged({}, answer => withHeader(answer, 'Connection', 'close')),
  },
  {
    id: 'closes-now-and-then',
    title: 'Each third response on a connection closes it',
    clause: HTTP,
    topic: 'delivery',
    override: () => {
      const served = new WeakMap<Connection, number>()
      return {
        finish: (answer, { connection }) => {
          const count = (served.get(connection) ?? 0) + 1
          served.set(connection, count)
          return count % 3 === 0 ? withHeader(answer, 'Connection', 'close') : answer
        },
      }
    },
  },
  {
    id: 'closes-unannounced',
    title: 'The connection is closed after each fourth response, without an announcement',
    clause: HTTP,
    topic: 'delivery',
    needsSocket: true,
    override: base => {
      const served = new WeakMap<Connection, number>()
      return {
        deliver: async (answer, wire, ctx) => {
          const count = (served.get(ctx.connection) ?? 0) + 1
          served.set(ctx.connection, count)
          await base.deliver(answer, wire, ctx)
          if (count % 4 === 0) wire.socket.end()
        },
      }
    },
  },
]
