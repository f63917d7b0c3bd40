import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { type Header, NOT_UTF8 } from '../interface/description.ts'
import { header, listIn, type WireRequest } from './exchange.ts'
import { malformed, NoResponse } from './problems.ts'

/** Milliseconds between the two parts of a request. */
const PAUSE_MS = { split: 10, late: 150 }

/** Request line and headers exactly as they are given (RFC 9112 §3, §5), and the body. */
export async function writeRequest(socket: Socket, request: WireRequest): Promise<void> {
  const { method, target, headers, body = '', version = '1.1', writing } = request
  const lines = [`${method} ${target} HTTP/${version}`, ...headers.map(each => each.join(': ').trimEnd())]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const content = Buffer.from(body)
  if (writing === 'split' || writing === 'late') {
    const first = writing === 'late' ? 0 : Math.ceil(content.length / 2)
    socket.write(Buffer.concat([head, content.subarray(0, first)]))
    await sleep(PAUSE_MS[writing])
    // The store may have answered, and closed the connection.
    if (socket.writable) socket.write(content.subarray(first))
  } else socket.write(Buffer.concat([head, ...(writing === 'chunked' ? chunked(content) : [content])]))
}

/** RFC 9112 §7.1. */
const chunked = (content: Uint8Array): Uint8Array[] => {
  const size = Buffer.from(`${content.length.toString(16)}\r\n`)
  return [...(content.length > 0 ? [size, content, Buffer.from('\r\n')] : []), Buffer.from('0\r\n\r\n')]
}

/** Bytes of one line, and of a head. */
const MAX_HEAD = 64 * 1024

export type Incoming = ReturnType<typeof incomingOn>

/** What a socket receives, to be taken in parts. The socket reads no more than a few of the bytes that nobody takes. */
export function incomingOn(socket: Socket) {
  const chunks: AsyncIterator<Buffer, undefined> = socket.iterator({ destroyOnReturn: false })
  let rest: Buffer = Buffer.alloc(0)
  /** @returns at most so many bytes, or none once the connection has ended @throws the error that ended it */
  const take = async (most: (rest: Buffer) => number): Promise<Buffer> => {
    if (rest.length === 0) rest = (await chunks.next()).value ?? rest
    const taken = rest.subarray(0, most(rest))
    rest = rest.subarray(taken.length)
    return taken
  }
  return {
    /** What was received and not taken, but for an empty line, which some servers add. */
    left(): string {
      rest = Buffer.concat([rest, socket.read() ?? Buffer.of()])
      return rest.toString('latin1').trimStart()
    },
    /** A line with its line feed. Less if it is too long, or as soon as it does not begin as it must. @throws if the connection ends */
    async line(mayBegin: (text: string) => boolean = () => true): Promise<string> {
      let text = ''
      while (!text.endsWith('\n') && text.length <= MAX_HEAD && mayBegin(text)) {
        const part = await take(bytes => bytes.indexOf('\n') + 1 || bytes.length)
        if (part.length === 0) throw new NoResponse('dropped')
        text += part.toString('latin1')
      }
      return text
    },
    /** So many bytes as they arrive, or with Infinity all until the connection ends. @throws if it ends before */
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let missing = count; missing > 0; ) {
        const part = await take(() => missing)
        if (part.length === 0 && count === Infinity) return
        if (part.length === 0) throw new NoResponse('dropped')
        missing -= part.length
        yield part
      }
    },
  }
}

interface Head {
  readonly minor: string
  readonly status: number
  readonly headers: readonly Header[]
}

/** RFC 9112 §4. Interim responses are skipped (RFC 9110 §15.2), and so are empty lines, which some servers add after a 204. */
export async function readHead(incoming: Incoming): Promise<Head> {
  for (;;) {
    const line = await incoming.line(text => /^\r?\n?$/.test(text) || 'HTTP/1.'.startsWith(text.slice(0, 7)))
    if (/^\r?\n$/.test(line)) continue
    const [, minor, digits] = /^HTTP\/1\.([01]) ([0-9]{3})(?: [^\r\n]*)?\r\n$/.exec(line) ?? []
    if (minor === undefined || digits === undefined)
      throw malformed(`its first line ${shown(line)} is malformed`)
    const headers = await readFields(incoming)
    if (!digits.startsWith('1') || digits === '101') return { minor, status: Number(digits), headers }
  }
}

const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*\r\n$/

/** RFC 9112 §5, with the empty line that ends them. */
async function readFields(incoming: Incoming): Promise<Header[]> {
  const fields: Header[] = []
  let size = 0
  for (let line = await incoming.line(); line !== '\r\n'; line = await incoming.line()) {
    size += line.length
    if (size > MAX_HEAD) throw malformed(`its head is longer than ${MAX_HEAD} bytes`)
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined) throw malformed(`its header ${shown(line)} is malformed`)
    fields.push([name, value])
  }
  return fields
}

/** How many bytes the body has. Infinity: all until the connection ends. */
type Framing = number | 'chunked'

/** RFC 9112 §6.3. */
export function framingOf(head: Head): Framing {
  if ([101, 204, 304].includes(head.status)) return 0
  const codings = listIn(head, 'transfer-encoding')
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? 'chunked' : Infinity
  const value = header(head, 'content-length')
  if (value === undefined) return Infinity
  const [length = '', ...others] = new Set(value.split(',').map(each => each.trim()))
  const given = shown(`Content-Length: ${value}`)
  if (others.length > 0) throw malformed(`it has more than one length: ${given}`)
  if (!/^[0-9]+$/.test(length)) throw malformed(`its header ${given} is not a length`)
  return Number(length)
}

export async function* readBody(incoming: Incoming, framing: Framing): AsyncGenerator<Buffer> {
  if (framing !== 'chunked') return yield* incoming.bytes(framing)
  for (let size = await readSize(incoming); size > 0; size = await readSize(incoming)) {
    yield* incoming.bytes(size)
    if ((await incoming.line()) !== '\r\n') throw malformed('a chunk is longer than its size')
  }
  // Trailers.
  await readFields(incoming)
}

/** Of a chunk (RFC 9112 §7.1). */
async function readSize(incoming: Incoming): Promise<number> {
  const line = await incoming.line()
  const [, digits] = /^([0-9a-f]{1,12})[ \t]*(?:;[^\r\n]*)?\r\n$/i.exec(line) ?? []
  if (digits === undefined) throw malformed(`its chunk size ${shown(line)} is malformed`)
  return Number.parseInt(digits, 16)
}

/** Bytes of one body, before and after its content codings are undone. 600,000 orders have fewer. */
const MAX_BODY = 64 * 1024 * 1024

/** The content codings that the client asks for. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

const decoder = promisify<Buffer, ZlibOptions, Buffer>

/** A map, because a header may well say `Content-Encoding: constructor`. */
const decoders = new Map([
  ['gzip', decoder(gunzip)],
  ['x-gzip', decoder(gunzip)],
  ['deflate', (bytes: Buffer, limit: ZlibOptions) => decoder(inflaterFor(bytes))(bytes, limit)],
  ['br', decoder(brotliDecompress)],
])

/** Some servers leave out the zlib wrapper (RFC 9110 §8.4.1.2). In it, the method is 8, and two bytes are a multiple of 31 (RFC 1950 §2.2). */
const inflaterFor = ([first = 0, second = 0]: Buffer) =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0 ? inflate : inflateRaw

/**
 * Undoes the content codings, the last applied first (RFC 9110 §8.4), and reads UTF-8 (RFC 8259 §8.1). An unknown coding is left as
 * it is, because some servers name a charset or a media type there.
 * @throws {NoResponse} for one that does not fit the bytes, or unfolds a few of them into gigabytes
 */
async function bodyOf(received: Buffer, codings: readonly string[]): Promise<string> {
  let bytes = received
  for (const coding of codings.toReversed()) {
    const decode = decoders.get(coding)
    // A message without content has nothing to undo.
    if (!decode || bytes.length === 0) continue
    bytes = await decode(bytes, { maxOutputLength: MAX_BODY }).catch(({ code }) => {
      if (code === 'ERR_BUFFER_TOO_LARGE') throw new NoResponse('too-large')
      throw new NoResponse('malformed', `its body is not ${coding}, as its Content-Encoding says`)
    })
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
  let large: readonly { readonly bytes: Buffer; readonly coding: string; readonly body: Promise<string> }[] =
    []
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
function shown(line: string): string {
  const text = line.replace(/\r\n$/, '')
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[^\s:=,;]*$/, '')}…` : text)
}
