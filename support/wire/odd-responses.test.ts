import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { rawServer } from '../http/testing/servers.ts'
import { connectionsTo, del, outcome } from './testing/connections.ts'

/** The connection ends after it. */
const END = '<end>'
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const CHUNKS = '5\r\n[true\r\n1\r\n]\r\n0\r\n\r\n'
const zipped = gzipSync('[true]').toString('latin1')

const answered: readonly (readonly [title: string, sent: string, result: string])[] = [
  ['a length', `${OK}Content-Length: 6\r\n\r\n[true]`, '200 [true]'],
  ['a length of 0', `${OK}Content-Length: 0\r\n\r\n`, '200 '],
  ['a length with zeros before it', `${OK}Content-Length: 006\r\n\r\n[true]`, '200 [true]'],
  [
    'the same length twice',
    `${OK}Content-Length: 6\r\nX-A: b\r\nContent-Length: 6\r\n\r\n[true]`,
    '200 [true]',
  ],
  ['the same length twice in one header', `${OK}Content-Length: 6, 6\r\n\r\n[true]`, '200 [true]'],
  ['chunks', `${OK}${CHUNKED}\r\n${CHUNKS}`, '200 [true]'],
  ['chunked in upper case', `${OK}TRANSFER-ENCODING: CHUNKED\r\n\r\n${CHUNKS}`, '200 [true]'],
  ['chunked twice, as a gateway adds it', `${OK}${CHUNKED}${CHUNKED}\r\n${CHUNKS}`, '200 [true]'],
  ['a length before chunks', `${OK}Content-Length: 6\r\n${CHUNKED}\r\n${CHUNKS}`, '200 [true]'],
  ['another length after chunks', `${OK}${CHUNKED}Content-Length: 99\r\n\r\n${CHUNKS}`, '200 [true]'],
  ['a length that is none before chunks', `${OK}Content-Length: x\r\n${CHUNKED}\r\n${CHUNKS}`, '200 [true]'],
  ['extensions of chunks', `${OK}${CHUNKED}\r\n00A ;a="b;c"\r\n[123456,8]\r\n0;x\r\n\r\n`, '200 [123456,8]'],
  ['trailers', `${OK}${CHUNKED}\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\nX-B: 2\r\n\r\n`, '200 {}'],
  ['neither length nor chunks', `${OK}\r\n[true]${END}`, '200 [true]'],
  ['a transfer coding that is not chunked', `${OK}Transfer-Encoding: x\r\n\r\n[true]${END}`, '200 [true]'],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\n\r\n[true]${END}`, '200 [true]'],
  ['a 204 with a length', 'HTTP/1.1 204 None\r\nContent-Length: 12\r\n\r\n', '204 '],
  ['a 204 with chunked and no chunk', `HTTP/1.1 204 None\r\n${CHUNKED}\r\n`, '204 '],
  ['a 304 with a length', 'HTTP/1.1 304 Same\r\nContent-Length: 12\r\n\r\n', '304 '],
  ['a 101 that nobody asked for', 'HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n', '101 '],
  ['no reason', 'HTTP/1.1 404\r\nContent-Length: 2\r\n\r\n{}', '404 {}'],
  ['an empty reason', 'HTTP/1.1 404 \r\nContent-Length: 2\r\n\r\n{}', '404 {}'],
  ['a status that HTTP does not know', 'HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n', '799 '],
  ['empty lines before it', `\r\n\r\n${OK}Content-Length: 2\r\n\r\n{}`, '200 {}'],
  [
    'interim responses',
    `HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Hint\r\nLink: </>\r\n\r\n${OK}Content-Length: 2\r\n\r\n{}`,
    '200 {}',
  ],
  ['a header with Latin-1', `${OK}Server: caf\u00e9\r\nContent-Length: 2\r\n\r\n{}`, '200 {}'],
  ['an empty header', `${OK}X-Empty:\r\nContent-Length:2\r\n\r\n{}`, '200 {}'],
  ['gzip', `${OK}Content-Encoding: gzip\r\n\r\n${zipped}${END}`, '200 [true]'],
  ['an empty body in gzip', `${OK}Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n`, '200 '],
]

const malformed: readonly (readonly [sent: string, flaw: string])[] = [
  ['SSH-2.0-OpenSSH_9.6\r\n', 'its first line "SSH-2.0-OpenSSH_9.6" is malformed'],
  ['\u0015\u0003\u0003\u0000\u0002\u0002\u0046', 'its first line "\\u0015'],
  ['{"a":1}', 'its first line "{'],
  ['HTTP/2 200\r\n\r\n', 'its first line "HTTP/2 200" is malformed'],
  ['HTTP/1.1 abc\r\n\r\n', 'its first line "HTTP/1.1 abc" is malformed'],
  ['HTTP/1.1 20\r\n\r\n', 'its first line "HTTP/1.1 20" is malformed'],
  ['HTTP/1.1  200 OK\r\n\r\n', 'its first line "HTTP/1.1  200 OK" is malformed'],
  ['HTTP/1.1 200 OK\nServer: x\n\n', 'its first line "HTTP/1.1 200 OK\\n" is malformed'],
  [`${OK}X Foo: bar\r\n`, 'its header "X Foo: bar" is malformed'],
  [`${OK}no colon\r\n`, 'its header "no colon" is malformed'],
  [`${OK}X-Foo : bar\r\n`, 'its header "X-Foo : bar" is malformed'],
  [`${OK}: bar\r\n`, 'its header ": bar" is malformed'],
  [`${OK}X-Foo: a\u0001b\r\n`, 'its header "X-Foo: a\\u0001b" is malformed'],
  [`${OK}X-A: 1\r\n folded\r\n`, 'its header " folded" is malformed'],
  [`${OK}X-A: 1\nX-B: 2\r\n`, 'its header "X-A: 1\\n" is malformed'],
  [`${OK}X ${'a'.repeat(200)}: b\r\n`, 'its header "X …" is malformed'],
  [`${OK}X Y: ${'a '.repeat(40)}${'b'.repeat(40)}\r\n`, `its header "X Y: ${'a '.repeat(40)}…" is malformed`],
  [`${OK}Content-Length: abc\r\n\r\n`, 'its header "Content-Length: abc" is not a length'],
  [`${OK}Content-Length: +6\r\n\r\n[true]`, 'its header "Content-Length: +6" is not a length'],
  [`${OK}Content-Length:\r\n\r\n[true]`, 'its header "Content-Length: " is not a length'],
  [
    `${OK}Content-Length: 6\r\nContent-Length: 7\r\n\r\n[true]\n`,
    'it has more than one length: "Content-Length: 6, 7"',
  ],
  [`${OK}${CHUNKED}\r\nxyz\r\n`, 'its chunk size "xyz" is malformed'],
  [`${OK}${CHUNKED}\r\n-1\r\n`, 'its chunk size "-1" is malformed'],
  [`${OK}${CHUNKED}\r\n5\n[true`, 'its chunk size "5\\n" is malformed'],
  [`${OK}${CHUNKED}\r\n5\r\n[true]\r\n`, 'a chunk is longer than its size'],
  [`${OK}${CHUNKED}\r\n2\r\n{}\r\n0\r\nno colon\r\n`, 'its header "no colon" is malformed'],
  [`${OK}${'x-a: aaaaaaaaaa\r\n'.repeat(5_000)}`, 'its head is longer than 65536 bytes'],
  [`${OK}X-A: ${'a'.repeat(70_000)}`, 'its head is longer than 65536 bytes'],
]

const dropped: readonly (readonly [title: string, sent: string])[] = [
  ['before a byte', ''],
  ['in the first line', 'HTTP/1.1 20'],
  ['in a header', `${OK}Content-Le`],
  ['after an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['in a body of known length', `${OK}Content-Length: 9\r\n\r\n[1`],
  ['in the size of a chunk', `${OK}${CHUNKED}\r\n1`],
  ['in a chunk', `${OK}${CHUNKED}\r\n9\r\n[1`],
  ['before the last chunk', `${OK}${CHUNKED}\r\n2\r\n{}\r\n`],
  ['in the trailers', `${OK}${CHUNKED}\r\n2\r\n{}\r\n0\r\n`],
]

/** Sends a text, whose signs are bytes, in pieces of a size. */
async function send(socket: Socket, text: string, size = Infinity): Promise<void> {
  const isLast = text.endsWith(END)
  const bytes = isLast ? text.slice(0, -END.length) : text
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.slice(at, at + size), 'latin1')
    if (size < bytes.length) await setImmediate()
  }
  if (isLast) socket.end()
}

/** What a client makes of it, however it arrives. */
async function resultOf(sent: string): Promise<string> {
  const results = new Set<string>()
  for (const size of [Infinity, 1, 7].slice(0, sent.length > 10_000 ? 1 : 3)) {
    const origin = await rawServer(socket => void send(socket, sent, size))
    results.add(outcome(await connectionsTo(origin).send(del())))
  }
  return [...results].join('\n')
}

describe('what is answered', () => {
  it.each(answered)('%s', async (_title, sent, result) => expect(await resultOf(sent)).toBe(result))
})

describe('what is malformed', () => {
  it.each(malformed)('%.60j', async (sent, flaw) => {
    expect(await resultOf(sent)).toContain(`malformed: the response is not well-formed HTTP: ${flaw}`)
  })

  it('a content coding that was not applied', async () => {
    expect(await resultOf(`${OK}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`)).toBe(
      'malformed: its body is not gzip, as its Content-Encoding says',
    )
  })
})

describe('what is dropped', () => {
  it.each(dropped)('%s', async (_title, sent) => {
    expect(await resultOf(`${sent}${END}`)).toBe('dropped: the connection ended before the response did')
  })

  it('by a reset', async () => {
    const origin = await rawServer(socket => socket.resetAndDestroy())
    expect(outcome(await connectionsTo(origin).send(del()))).toBe(
      'dropped: the connection ended before the response did (ECONNRESET: read ECONNRESET)',
    )
  })
})

describe('what ends by the limits', () => {
  const dripping = (start: string, drop: string) => (socket: Socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.on('close', () => clearInterval(timer))
  }
  const kept = (sent: string) => (socket: Socket) => socket.write(sent)
  const endless = (start: string) => (socket: Socket) => {
    socket.write(OK + start)
    const more = () => {
      while (socket.writable && socket.write(Buffer.alloc(1024 * 1024, ' ')));
    }
    more()
    socket.on('drain', more)
  }

  it.each<[string, string, (socket: Socket) => void]>([
    ['timeout: no answer within 100 ms', 'no answer', () => undefined],
    ['timeout: no answer within 100 ms', 'no end of the headers', kept(OK)],
    [
      'timeout: no answer within 100 ms',
      'a body that is too short',
      kept(`${OK}Content-Length: 9\r\n\r\n[1`),
    ],
    ['timeout: no answer within 100 ms', 'a body that nothing ends', kept(`${OK}\r\n[1]`)],
    ['timeout: no answer within 300 ms', 'headers that drip', dripping(OK, 'x-a: 1\r\n')],
    ['timeout: no answer within 300 ms', 'a body that drips', dripping(`${OK}${CHUNKED}\r\n`, '1\r\n \r\n')],
    ['timeout: no answer within 300 ms', 'interim responses alone', dripping('', 'HTTP/1.1 102 P\r\n\r\n')],
    [
      'too-large: the response is larger than 64 MiB',
      'a length',
      endless('Content-Length: 99999999999\r\n\r\n'),
    ],
    ['too-large: the response is larger than 64 MiB', 'a chunk', endless(`${CHUNKED}\r\nFFFFFFFFFF\r\n`)],
    ['too-large: the response is larger than 64 MiB', 'a body that nothing ends', endless('\r\n')],
  ])('%s: %s', async (result, _title, answer) => {
    const origin = await rawServer(answer)
    const timeoutMs = result.startsWith('timeout') ? 100 : 60_000
    expect(outcome(await connectionsTo(origin, { timeoutMs }).send(del()))).toBe(result)
  })
})
