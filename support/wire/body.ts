import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { listIn, type RecordedResponse } from './exchange.ts'
import { NoResponse } from './problems.ts'

/** Bytes of one body, before and after its content codings are undone. 600,000 orders have fewer. */
const MAX_BYTES = 64 * 1024 * 1024

/** The content codings that the client asks for. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

type Head = Pick<RecordedResponse, 'headers'>
type Body = Pick<RecordedResponse, 'body' | 'bodyBase64'>

/** Bytes of a body from which on an equal one is recognised, and how many such bodies are remembered: one for each list. */
const [LARGE, REMEMBERED] = [256 * 1024, 2]

/**
 * Receives bodies. A run requests a list hundreds of times: a large one that comes again is the string of before, and its bytes are
 * compared as they arrive, so that they take no memory.
 */
export function bodyReceiver() {
  let large: readonly { readonly bytes: Buffer; readonly coding: string; readonly body: Promise<Body> }[] = []
  /** @throws {NoResponse} beyond a size, so that a few bytes cannot unfold into gigabytes */
  return async (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, head: Head): Promise<Body> => {
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
      if (size > MAX_BYTES) throw new NoResponse('too-large')
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

/**
 * Undoes the content codings, the last applied first (RFC 9110 §8.4), and reads UTF-8 (RFC 8259 §8.1). An unknown coding is left as
 * it is, because some servers name a charset or a media type there.
 * @throws {NoResponse} for one that does not fit the bytes
 */
async function bodyOf(received: Buffer, codings: readonly string[]): Promise<Body> {
  let bytes = received
  for (const coding of codings.toReversed()) bytes = await undone(coding, bytes)
  const body = bytes.toString()
  return isUtf8(bytes) ? { body } : { body, bodyBase64: bytes.toString('base64') }
}

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

async function undone(coding: string, bytes: Buffer): Promise<Buffer> {
  const decode = decoders.get(coding)
  // A message without content has nothing to undo.
  if (!decode || bytes.length === 0) return bytes
  try {
    return await decode(bytes, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new NoResponse('too-large')
    throw new NoResponse('malformed', `its body is not ${coding}, as its Content-Encoding says`)
  }
}
