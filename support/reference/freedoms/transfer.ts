import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib'
import {
  type Answer,
  answersChanged,
  type ClientConnection,
  type Freedom,
  messageOf,
  type Override,
  oneOf,
  type Wire,
  withBody,
  withHeader,
} from '../authoring.ts'

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

function sendInChunks({ status, headers, body = Buffer.of() }: Answer, { outgoing }: Wire): void {
  outgoing.writeHead(status, headers.flat())
  for (let at = 0; at < body.length; at += 7) outgoing.write(body.subarray(at, at + 7))
  outgoing.end()
}

/** Counts the responses on each connection. */
const counted =
  (override: (count: (connection: ClientConnection) => number) => Override): Override =>
  base => {
    const served = new WeakMap<ClientConnection, number>()
    return override(connection => {
      const count = (served.get(connection) ?? 0) + 1
      served.set(connection, count)
      return count
    })(base)
  }

/** How responses are transferred. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('coding', HTTP, {
    brotli: ['Responses are compressed with Brotli', coded('br', body => brotliCompressSync(body, FAST))],
    'deflate-raw': [
      'Responses are compressed with raw deflate, without the zlib wrapper',
      coded('deflate', body => deflateRawSync(body, FAST)),
    ],
    'gzip-twice': [
      'Responses are compressed twice',
      coded('gzip, X-GZIP', body => gzipSync(gzipSync(body, FAST), FAST)),
    ],
  }),
  ...oneOf(
    'delivery',
    HTTP,
    {
      chunked: [
        'Responses are sent in chunks of seven bytes',
        base => ({
          deliver: (answer, wire, ctx) =>
            answer.body ? sendInChunks(answer, wire) : base.deliver(answer, wire, ctx),
        }),
      ],
      'early-hints': [
        'Each response is preceded by a 103',
        sent(message => `HTTP/1.1 103 Early Hints\r\nLink: </v1>; rel=up\r\n\r\n${message}`),
      ],
      'without-reason': [
        'Responses have no reason phrase',
        sent(message => message.replace(/^(HTTP\/1.1 \d+ ).*/, '$1')),
      ],
      'http-1.0': [
        'Responses are HTTP/1.0 and end with the connection',
        sent(
          message => message.replace('HTTP/1.1', 'HTTP/1.0').replace(/content-length: \d+\r\n/i, ''),
          'close',
        ),
      ],
      'closes-idle': [
        'A connection that is idle for 20 ms is closed (RFC 9112 §9.5)',
        counted(count => base => {
          const answered = new WeakMap<ClientConnection, number>()
          return {
            deliver: async (answer, wire, ctx) => {
              await base.deliver(answer, wire, ctx)
              const nth = count(ctx.connection)
              answered.set(ctx.connection, nth)
              setTimeout(() => {
                if (answered.get(ctx.connection) === nth) wire.socket.end()
              }, 20).unref()
            },
          }
        }),
      ],
      'closes-unannounced': [
        'The connection is closed after each fourth response, without an announcement',
        counted(count => base => ({
          deliver: async (answer, wire, ctx) => {
            await base.deliver(answer, wire, ctx)
            if (count(ctx.connection) % 4 === 0) wire.socket.end()
          },
        })),
      ],
    },
    { needsSocket: true },
  ),
  ...oneOf('delivery', HTTP, {
    closes: [
      'Each response closes its connection',
      answersChanged({}, answer => withHeader(answer, 'Connection', 'close')),
    ],
    'closes-now-and-then': [
      'Each third response on a connection closes it',
      counted(count =>
        answersChanged({}, (answer, { connection }) =>
          count(connection) % 3 === 0 ? withHeader(answer, 'Connection', 'close') : answer,
        ),
      ),
    ],
  }),
]
