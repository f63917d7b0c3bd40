import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Header } from '../interface/description.ts'
import { header, listIn, type WireRequest } from './exchange.ts'
import { malformed, NoResponse } from './problems.ts'

/** Milliseconds between the parts of a request that is not written at once. */
const PAUSE_MS = { 'split head': 10, split: 10, late: 150, chunked: 0 }

/** Request line and headers exactly as they are given (RFC 9112 §3, §5), and the body. */
export async function writeRequest(socket: Socket, request: WireRequest): Promise<void> {
  const { method, target, headers, body = '', version = '1.1', writing = 'chunked' } = request
  const lines = [`${method} ${target} HTTP/${version}`, ...headers.map(each => each.join(': ').trimEnd())]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const content = Buffer.from(body)
  const isChunked = request.writing === 'chunked' && request.body !== undefined
  const whole = Buffer.concat([head, ...(isChunked ? chunked(content) : [content])])
  const first = {
    'split head': head.length >> 1,
    split: head.length + Math.ceil(content.length / 2),
    late: head.length,
    chunked: whole.length,
  }[writing]
  socket.write(whole.subarray(0, first))
  if (first === whole.length) return
  await sleep(PAUSE_MS[writing])
  // The store may have answered, and closed the connection.
  if (socket.writable) socket.write(whole.subarray(first))
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
  /** @returns at most so many bytes, or undefined once the connection has ended @throws the error that ended it */
  const take = async (most: (rest: Buffer) => number): Promise<Buffer | undefined> => {
    if (rest.length === 0) rest = (await chunks.next()).value ?? rest
    const taken = rest.subarray(0, most(rest))
    rest = rest.subarray(taken.length)
    return taken.length > 0 ? taken : undefined
  }
  /** What was received and not taken. */
  const left = (): Buffer => {
    rest = Buffer.concat([rest, socket.read() ?? Buffer.of()])
    return rest
  }
  return {
    left,
    /** Leaves the socket to another reader. */
    async release(): Promise<Socket> {
      await chunks.return?.()
      if (left().length > 0) socket.unshift(rest)
      return socket
    },
    /** A line with its line feed. Less if it is too long, or as soon as it does not begin as it must. @throws if the connection ends */
    async line(mayBegin: (text: string) => boolean = () => true): Promise<string> {
      let text = ''
      while (!text.endsWith('\n') && text.length <= MAX_HEAD && mayBegin(text)) {
        const part = await take(bytes => bytes.indexOf('\n') + 1 || bytes.length)
        if (!part) throw new NoResponse('dropped')
        text += part.toString('latin1')
      }
      return text
    },
    /** So many bytes as they arrive, or with Infinity all until the connection ends. @throws if it ends before */
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let missing = count; missing > 0; ) {
        const part = await take(() => missing)
        if (!part && count === Infinity) return
        if (!part) throw new NoResponse('dropped')
        missing -= part.length
        yield part
      }
    },
  }
}

export interface Head {
  readonly minor: string
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
}

/** The bytes do not begin as a response does. */
export class NotHttp extends NoResponse {
  constructor(line: string) {
    super('malformed', malformed(`its first line ${shown(line)} is malformed`).message)
  }
}

/** RFC 9112 §4. Interim responses are skipped (RFC 9110 §15.2), and so are empty lines, which some servers add after a 204. */
export async function readHead(incoming: Incoming): Promise<Head> {
  for (;;) {
    const line = await incoming.line(text => /^\r?\n?$/.test(text) || 'HTTP/1.'.startsWith(text.slice(0, 7)))
    if (/^\r?\n$/.test(line)) continue
    const [, minor, digits, reason = ''] = /^HTTP\/1\.([01]) ([0-9]{3})(?: ([^\r\n]*))?\r\n$/.exec(line) ?? []
    if (minor === undefined || digits === undefined) throw new NotHttp(line)
    const headers = await readFields(incoming)
    if (!digits.startsWith('1') || digits === '101') return { minor, status: Number(digits), reason, headers }
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
export function framingOf(head: Head, method: string): Framing {
  if (method === 'HEAD' || [101, 204, 304].includes(head.status)) return 0
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

/** Whether the connection serves no further request (RFC 9112 §9.3). */
export function closes(request: WireRequest, head: Head, framing: Framing): boolean {
  const options = listIn(head, 'connection')
  if (framing === Infinity || head.status === 101) return true
  if ([...options, ...listIn(request, 'connection')].includes('close')) return true
  return (head.minor === '0' || request.version === '1.0') && !options.includes('keep-alive')
}

const SHOWN = 100

/** A word that would be cut is left out: it may be a secret, which is found only whole. */
function shown(line: string): string {
  const text = line.replace(/\r\n$/, '')
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[^\s:=,;]*$/, '')}…` : text)
}
