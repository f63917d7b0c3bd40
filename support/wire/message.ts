import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { type Header, NOT_UTF8 } from '../interface/description.ts'
import { header, listIn, type RecordedResponse, type WireRequest } from './exchange.ts'
import { codeOf, malformed, NoResponse } from './problems.ts'

/** How a body is written in two parts: the share in the first one, and the milliseconds between them. */
const PARTS = { split: [0.5, 10], late: [0, 20] } as const

/** Request line and headers exactly as they are given (RFC 9112 §3, §5), and the body. */
export async function writeRequest(socket: Socket, request: WireRequest): Promise<void> {
  const { method, target, headers, body = '', version = '1.1', writing } = request
  const lines = [`${method} ${target} HTTP/${version}`, ...headers.map(each => each.join(': ').trimEnd())]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const content = Buffer.from(writing === 'chunked' ? chunked(body) : body)
  const [share, pauseMs] = writing === 'split' || writing === 'late' ? PARTS[writing] : [1, 0]
  const first = Math.ceil(content.length * share)
  socket.write(Buffer.concat([head, content.subarray(0, first)]))
  if (first === content.length) return
  await sleep(pauseMs)
  // The store may have answered, and closed the connection.
  if (socket.writable) socket.write(content.subarray(first))
}

/** RFC 9112 §7.1. */
const chunked = (body: string): string =>
  `${body && `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`}0\r\n\r\n`

/** Bytes of a head, and of one line of a body. */
const MAX_HEAD = 64 * 1024

export type Incoming = ReturnType<typeof incomingOn>

/** What a socket receives, to be taken in parts. The socket reads no more than a few of the bytes that nobody takes. */
export function incomingOn(socket: Socket) {
  const chunks: AsyncIterator<Buffer, undefined> = socket.iterator({ destroyOnReturn: false })
  let rest: Buffer = Buffer.alloc(0)
  /** @returns whether more was received before the connection ended @throws the error that ended it */
  const more = async (): Promise<boolean> => {
    const { value } = await chunks.next()
    if (value) rest = rest.length > 0 ? Buffer.concat([rest, value]) : value
    return value !== undefined
  }
  const take = (count: number): Buffer => {
    const taken = rest.subarray(0, count)
    rest = rest.subarray(taken.length)
    return taken
  }
  return {
    /** What was received and not taken, but for an empty line, which some servers add. */
    left(): string {
      rest = Buffer.concat([rest, socket.read() ?? Buffer.of()])
      return rest.toString('latin1').trimStart()
    },
    /** The text before `end`. What was received so far, if that is too long or wrong. @throws if the connection ends */
    async until(end: string, isWrong = (_text: string) => false): Promise<string> {
      for (;;) {
        const at = rest.indexOf(end)
        if (at >= 0) return take(at + end.length).toString('latin1', 0, at)
        if (rest.length > MAX_HEAD || isWrong(rest.toString('latin1')))
          return take(rest.length).toString('latin1')
        if (!(await more())) throw new NoResponse('dropped')
      }
    },
    /** So many bytes as they arrive, or with Infinity all until the connection ends. @throws if it ends before */
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let missing = count; missing > 0; ) {
        if (rest.length === 0 && !(await more())) {
          if (count === Infinity) return
          throw new NoResponse('dropped')
        }
        const part = take(missing)
        missing -= part.length
        yield part
      }
    },
    /** Leaves further bytes to another reader of the socket. */
    release: async () => void (await chunks.return?.()),
  }
}

export type Head = Pick<RecordedResponse, 'status' | 'headers'> & { readonly minor: string }

/** What does not begin as HTTP, or has a line feed alone, is not awaited to its end. */
const isNoHttp = (text: string): boolean =>
  !'HTTP/1.'.startsWith(text.trimStart().slice(0, 7)) || /(?<!\r)\n/.test(text)

/** RFC 9112 §4. Interim responses are skipped (RFC 9110 §15.2), and so are empty lines, which some servers add after a 204. */
export async function readHead(incoming: Incoming): Promise<Head> {
  for (;;) {
    const text = (await incoming.until('\r\n\r\n', isNoHttp)).replace(/^(?:\r\n)+/, '')
    if (text === '') continue
    if (text.length > MAX_HEAD) throw malformed(`its head is longer than ${MAX_HEAD} bytes`)
    const [first = '', ...lines] = text.split('\r\n')
    const [, minor, digits] = /^HTTP\/1\.([01]) ([0-9]{3})(?: .*)?$/.exec(first) ?? []
    if (minor === undefined || digits === undefined)
      throw malformed(`its first line ${shown(first)} is malformed`)
    const headers = lines.map(fieldOf)
    if (!digits.startsWith('1') || digits === '101') return { minor, status: Number(digits), headers }
  }
}

/** RFC 9112 §5. */
function fieldOf(line: string): Header {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(line) ?? []
  if (name === undefined || value === undefined) throw malformed(`its header ${shown(line)} is malformed`)
  return [name, value]
}

/** RFC 9112 §6.3. */
export async function* readBody(incoming: Incoming, head: Head): AsyncGenerator<Buffer> {
  if ([101, 204, 304].includes(head.status)) return
  const codings = listIn(head, 'transfer-encoding')
  if (codings.at(-1) === 'chunked') return yield* readChunks(incoming)
  const value = codings.length > 0 ? undefined : header(head, 'content-length')
  const [, length] = /^([0-9]+)(?:[ \t]*,[ \t]*\1)*$/.exec(value ?? '') ?? []
  if (value !== undefined && length === undefined)
    throw malformed(`its header ${shown(`Content-Length: ${value}`)} is not one length`)
  yield* incoming.bytes(Number(length ?? Infinity))
}

/** RFC 9112 §7.1. */
async function* readChunks(incoming: Incoming): AsyncGenerator<Buffer> {
  for (let size = Infinity; size > 0; ) {
    const line = await incoming.until('\r\n')
    const [, digits] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
    if (digits === undefined) throw malformed(`its chunk size ${shown(line)} is malformed`)
    size = Number.parseInt(digits, 16)
    yield* incoming.bytes(size)
    if (size > 0 && (await incoming.until('\r\n')) !== '') throw malformed('a chunk is longer than its size')
  }
  // Trailers.
  while ((await incoming.until('\r\n')) !== '');
}

/** Bytes of one body, before and after its content codings are undone. 600,000 orders have fewer. */
const MAX_BODY = 64 * 1024 * 1024

export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** A map, because a header may well say `Content-Encoding: constructor`. */
const decoders = new Map<string, (bytes: Buffer, limit: ZlibOptions) => Buffer>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  // Some servers leave out the zlib wrapper, whose first byte names the method 8 (RFC 9110 §8.4.1.2, RFC 1950 §2.2).
  [
    'deflate',
    (bytes, limit) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, limit),
  ],
  ['br', brotliDecompressSync],
])

/**
 * Undoes the content codings, the last applied first (RFC 9110 §8.4), and reads UTF-8 (RFC 8259 §8.1). An unknown coding is left as
 * it is, because some servers name a charset or a media type there.
 * @throws {NoResponse} for one that does not fit the bytes, or unfolds a few of them into gigabytes
 */
function bodyOf(received: Buffer, codings: readonly string[]): string {
  let bytes = received
  for (const coding of codings.toReversed()) {
    const decode = decoders.get(coding)
    // A message without content has nothing to undo.
    if (!decode || bytes.length === 0) continue
    try {
      bytes = decode(bytes, { maxOutputLength: MAX_BODY })
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new NoResponse('too-large')
      throw new NoResponse('malformed', `its body is not ${coding}, as its Content-Encoding says`)
    }
  }
  const text = bytes.toString()
  return isUtf8(bytes) ? text : text.replace('\ufffd', NOT_UTF8)
}

/** Bytes of a body from which on an equal one is recognised, and how many such bodies are remembered: one for each list. */
const [LARGE, REMEMBERED] = [256 * 1024, 2]

/**
 * Receives bodies. A run requests a list hundreds of times: a large one that comes again is the string of before, and its bytes are
 * compared as they arrive, so that they take no memory.
 */
export function bodyReceiver() {
  let large: readonly { readonly bytes: Buffer; readonly coding: string; readonly body: string }[] = []
  return async (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, head: Pick<Head, 'headers'>) => {
    const codings = listIn(head, 'content-encoding')
    const coding = codings.join()
    let alike = large.filter(each => each.coding === coding)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of chunks) {
      const [one] = alike
      alike = alike.filter(({ bytes }) => bytes.subarray(size, size + part.byteLength).equals(part))
      if (alike.length === 0) parts.push(...(one ? [one.bytes.subarray(0, size)] : []), part)
      size += part.byteLength
      if (size > MAX_BODY) throw new NoResponse('too-large')
    }
    const bytes = alike[0]?.bytes.subarray(0, size) ?? Buffer.concat(parts)
    // It may have become known while it arrived.
    const known = large.find(each => each.coding === coding && each.bytes.equals(bytes))
    if (known) return known.body
    const body = bodyOf(bytes, codings)
    if (size >= LARGE) large = [{ bytes, coding, body }, ...large].slice(0, REMEMBERED)
    return body
  }
}

const SHOWN = 100

/** A word that would be cut is left out: it may be a secret, which is found only whole. */
const shown = (line: string): string =>
  JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN).replace(/[^\s:=,;]*$/, '')}…` : line)
