import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bodyReceiver } from './message.ts'
import { connectionsTo, del, get, outcome, rawServer } from './testing/servers.ts'

/** The connection ends after it. */
const END = '<end>'
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const CHUNKS = '5\r\n[true\r\n1\r\n]\r\n0\r\n\r\n'
const DROPPED = 'dropped: the connection was closed before the response was complete'

/** Responses that few servers send, and what the client makes of each. Other results than an answer begin with their kind. */
// biome-ignore format: a table
const table: readonly (readonly [title: string, sent: string, result: string])[] = [
  ['the same length twice', `${OK}Content-Length: 6\r\nA: b\r\nContent-Length: 6, 6\r\n\r\n[true]`, '200 [true]'],
  ['two lengths', `${OK}Content-Length: 6\r\nContent-Length: 7\r\n\r\n`, 'its header "Content-Length: 6, 7" is not one length'],
  ['a length with a sign', `${OK}Content-Length: +6\r\n\r\n[true]`, '"Content-Length: +6" is not one length'],
  ['an empty length', `${OK}Content-Length:\r\n\r\n[true]`, 'its header "Content-Length: " is not one length'],
  ['chunks', `${OK}TRANSFER-ENCODING: CHUNKED\r\n\r\n${CHUNKS}`, '200 [true]'],
  ['chunked twice, as a gateway adds it', `${OK}${CHUNKED}${CHUNKED}\r\n${CHUNKS}`, '200 [true]'],
  ['a length beside chunks', `${OK}Content-Length: 9\r\n${CHUNKED}\r\n${CHUNKS}`, '200 [true]'],
  ['extensions of chunks', `${OK}${CHUNKED}\r\n00A ;a="b;c"\r\n[123456,8]\r\n0;x\r\n\r\n`, '200 [123456,8]'],
  ['trailers', `${OK}${CHUNKED}\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`, '200 {}'],
  ['a chunk size that is not hexadecimal', `${OK}${CHUNKED}\r\nxyz\r\n`, 'its chunk size "xyz" is malformed'],
  ['a chunk longer than its size', `${OK}${CHUNKED}\r\n5\r\n[true]\r\n`, 'a chunk is longer than its size'],
  ['neither length nor chunks', `${OK}\r\n[true]${END}`, '200 [true]'],
  ['an unknown transfer coding', `${OK}Transfer-Encoding: x\r\n\r\n[true]${END}`, '200 [true]'],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\n\r\n[true]${END}`, '200 [true]'],
  ['a 204 with a length', 'HTTP/1.1 204 None\r\nContent-Length: 12\r\n\r\n', '204 '],
  ['a 304 with a length', 'HTTP/1.1 304 Same\r\nContent-Length: 12\r\n\r\n', '304 '],
  ['a 101 that nobody asked for', 'HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n', '101 '],
  ['a status that HTTP does not know', 'HTTP/1.1 799\r\nContent-Length: 000\r\n\r\n', '799 '],
  ['empty lines before it', `\r\n\r\n${OK}Content-Length: 2\r\n\r\n{}`, '200 {}'],
  ['interim responses', `HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 A\r\nB: c\r\n\r\n${OK}\r\n{}${END}`, '200 {}'],
  ['Latin-1, and no value', `${OK}Server: caf\u00e9\r\nX-Empty:\r\nContent-Length:2\r\n\r\n{}`, '200 {}'],
  ['an unknown content coding', `${OK}Content-Encoding: UTF-8\r\n\r\n{}${END}`, '200 {}'],
  ['a coding that was not applied', `${OK}Content-Encoding: gzip\r\n\r\n{}${END}`, 'malformed: its body is not gzip,'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'its first line "SSH-2.0-OpenSSH_9.6" is malformed'],
  ['TLS', '\u0015\u0003\u0003\u0000\u0002\u0002\u0046', 'its first line "\\u0015'],
  ['line feeds alone', 'HTTP/1.1 200 OK\nServer: x\n\n', 'its first line "HTTP/1.1 200 OK\\nServer: x\\n\\n" is malformed'],
  ['a space before the colon', `${OK}X-Foo : bar\r\n\r\n`, 'its header "X-Foo : bar" is malformed'],
  ['a control character', `${OK}X-Foo: a\u0001b\r\n\r\n`, 'its header "X-Foo: a\\u0001b" is malformed'],
  ['a folded line', `${OK}X-A: 1\r\n folded\r\n\r\n`, 'its header " folded" is malformed'],
  ['a long line', `${OK}X ${'a '.repeat(40)}${'b'.repeat(40)}: c\r\n\r\n`, `"X ${'a '.repeat(40)}…" is malformed`],
  ['many headers', `${OK}${'x-a: aaaaaaaaaa\r\n'.repeat(5_000)}`, 'its head is longer than 65536 bytes'],
  ['a header without end', `${OK}X-A: ${'a'.repeat(70_000)}`, 'its head is longer than 65536 bytes'],
  ['nothing', END, DROPPED],
  ['a part of the first line', `HTTP/1.1 20${END}`, DROPPED],
  ['a part of a header', `${OK}Content-Le${END}`, DROPPED],
  ['an interim response alone', `HTTP/1.1 100 Continue\r\n\r\n${END}`, DROPPED],
  ['a part of a body', `${OK}Content-Length: 9\r\n\r\n[1${END}`, DROPPED],
  ['a part of a chunk', `${OK}${CHUNKED}\r\n9\r\n[1${END}`, DROPPED],
  ['no last chunk', `${OK}${CHUNKED}\r\n2\r\n{}\r\n${END}`, DROPPED],
  ['a part of the trailers', `${OK}${CHUNKED}\r\n2\r\n{}\r\n0\r\n${END}`, DROPPED],
]

/** Sends a text, whose characters are bytes, in pieces of a size. */
async function send(socket: Socket, text: string, size: number): Promise<void> {
  const bytes = text.replace(END, '')
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.slice(at, at + size), 'latin1')
    if (size < bytes.length) await setImmediate()
  }
  if (bytes !== text) socket.end()
}

it.each(table)('%s', async (_title, sent, result) => {
  for (const size of sent.length > 10_000 ? [Infinity] : [Infinity, 1, 7]) {
    const origin = await rawServer(socket => void send(socket, sent, size))
    const given = outcome(await connectionsTo(origin).send(del()))
    if (/^([0-9]|dropped)/.test(result)) expect(given).toBe(result)
    // What does not begin as HTTP is not read to the end of its line.
    else expect(given).toContain(size === Infinity ? result : 'malformed: ')
    expect(given.includes('malformed: ')).toBe(!/^([0-9]|dropped)/.test(result))
  }
})

it('every header is received in its order, with its name as it was written', async () => {
  const headers = 'X-B: 1\r\nset-cookie: a\r\nSet-Cookie: b\r\nContent-Length: 0\r\n'
  const origin = await rawServer(socket => socket.write(`${OK}${headers}\r\n`))
  const { response } = await connectionsTo(origin).send(get())
  expect(response?.headers.map(each => `${each.join(': ')}\r\n`).join('')).toBe(headers)
})

const repeating = (start: string, again: Buffer | string) => (socket: Socket) => {
  socket.write(OK + start)
  const timer = setInterval(() => socket.writableNeedDrain || socket.write(again), 10)
  socket.on('close', () => clearInterval(timer))
}
const MEGABYTES = Buffer.alloc(8 * 1024 * 1024, ' ')
const LARGE = 'too-large: the response is larger than 64 MiB'

it.each<[string, string, (socket: Socket) => void]>([
  ['no answer', 'timeout: no answer within 100 ms', () => undefined],
  ['headers that drip', 'timeout: no answer within 300 ms', repeating('', 'x-a: 1\r\n')],
  ['a body that drips', 'timeout: no answer within 300 ms', repeating(`${CHUNKED}\r\n`, '1\r\n \r\n')],
  ['a chunk without end', LARGE, repeating(`${CHUNKED}\r\nFFFFFFFFFF\r\n`, MEGABYTES)],
  ['a body that nothing ends', LARGE, repeating('\r\n', MEGABYTES)],
  ['a reset', `${DROPPED} (read ECONNRESET)`, socket => socket.resetAndDestroy()],
])('%s is ended: %s', async (_title, result, answer) => {
  const timeoutMs = result.startsWith('timeout') ? 100 : 60_000
  expect(outcome(await connectionsTo(await rawServer(answer), { timeoutMs }).send(del()))).toBe(result)
})

it('a large body that comes again is known again, and one that differs is not', async () => {
  const receive = bodyReceiver()
  const whole = 'a'.repeat(300_000)
  const others = [0, 150_000, 299_999].map(at => `${whole.slice(0, at)}b${whole.slice(at + 1)}`)
  for (const body of [whole, whole, whole.slice(1), `${whole}b`, ...others])
    for (const length of [70_000, 64_000]) {
      const parts = body.match(new RegExp(`.{1,${length}}`, 'g')) ?? []
      const chunks = parts.map(each => Buffer.from(each))
      expect((await receive(chunks, { headers: [] })) === body).toBe(true)
    }
})

const text = '[{"id":9007199254740993,"note":"ä€😀"}]'
const bytes = Buffer.from(text)
const bomb = Buffer.alloc(64 * 1024 * 1024 + 1, ' ')
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const not = (coding: string) => `its body is not ${coding}, as its Content-Encoding says`
const TOO_LARGE = LARGE.slice('too-large: '.length)

it.each<[coding: string, Buffer, result: string]>([
  ['gzip', gzipSync(bytes), text],
  ['deflate', deflateSync(bytes), text],
  ['deflate', deflateRawSync(bytes), text],
  ['br', brotliCompressSync(bytes), text],
  ['br, X-GZIP', gzipSync(brotliCompressSync(bytes)), text],
  ['constructor', bytes, text],
  ['gzip, UTF-8', gzipSync(bytes), text],
  ['gzip, br', Buffer.of(), ''],
  ['gzip', Buffer.from(gzipSync(bytes)).fill(0, 30, 31), not('gzip')],
  ['gzip', gzipSync(bomb), TOO_LARGE],
  ['br', brotliCompressSync(bomb, quick), TOO_LARGE],
  ['gzip, gzip', gzipSync(gzipSync(bomb)), TOO_LARGE],
  ['gzip', gzipSync(bomb.subarray(1)), bomb.toString('latin1', 1)],
  ['identity', Buffer.from([0x22, 0xe4, 0x22]), '"\udcff"'],
  ['identity', Buffer.from([0xe2, 0x82]), '\udcff'],
  ['identity', Buffer.from('\ufffd'), '\ufffd'],
  ['identity', Buffer.from('\ufeff[]'), '\ufeff[]'],
])(
  'a body in %s is undone up to the limit, or left if its coding is unknown',
  async (coding, whole, result) => {
    const parts = [whole.subarray(0, 1), whole.subarray(1)]
    const received = bodyReceiver()(parts, { headers: [['Content-Encoding', coding]] })
    expect((await received.catch(({ message }) => message)) === result).toBe(true)
  },
)
