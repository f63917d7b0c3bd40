import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { type Header, header, type RecordedResponse } from './exchange.ts'
import { Cutter, Part } from './part.ts'
import { ResponseTooLarge, UndecodableBody } from './problems.ts'
import type { Redact } from './redact.ts'

/** The body of a response, as it is recorded. */
type ReceivedBody = Pick<RecordedResponse, 'body' | 'bodyBase64' | 'wholeLength' | 'parts'>

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Bytes. Of a larger body, the text is only the beginning, and the parts are the whole. */
export const WHOLE_BODY = 256 * 1024
const BEGINNING = 64 * 1024

/** Bytes of one body, before and after its content codings are undone, and of all large bodies together: 1.9 million orders. */
const MAX_BODY_BYTES = 200 * 1024 * 1024

/** Bytes of a body that is no list, because it was not answered 200. */
const MAX_OTHER_BYTES = 16 * 1024 * 1024

/** The content codings that the client can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/**
 * Receives a body: undoes the content codings, the last applied first (RFC 9110 §8.4), and reads UTF-8 (RFC 8259 §8.1). Memory is
 * bounded, whatever is sent. An unknown coding is left as it is, because some servers name a charset or a media type there.
 * @throws {ResponseTooLarge} beyond the limit, so that a few bytes cannot unfold into gigabytes
 * @throws {UndecodableBody} for a coding that does not fit the bytes
 */
export async function receiveBody(
  encoded: Chunks,
  { status, headers }: Pick<RecordedResponse, 'status' | 'headers'>,
): Promise<ReceivedBody> {
  const limit = status === 200 ? MAX_BODY_BYTES : MAX_OTHER_BYTES
  let decoded: Chunks = encoded
  for (const coding of codingsOf({ headers }).toReversed()) {
    const decoder = decoders.get(coding)
    if (decoder) decoded = undone(limited(decoded, limit), coding, decoder)
  }
  const cutter = new Cutter()
  let size = 0
  for await (const chunk of limited(decoded, limit)) {
    size += chunk.byteLength
    if (size > WHOLE_BODY && Part.bytesHeld > MAX_BODY_BYTES)
      throw new ResponseTooLarge(MAX_BODY_BYTES, 'the responses that the suite holds are')
    // Parsed while they arrive, so that a large list does not delay other exchanges at its end.
    for (const part of cutter.write(chunk)) void part.facts
  }
  const parts = cutter.end()
  return size > WHOLE_BODY
    ? { body: beginningOf(parts), wholeLength: size, parts }
    : wholeText(Buffer.concat(parts.map(({ bytes }) => bytes)))
}

function wholeText(bytes: Uint8Array): ReceivedBody {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { body: new TextDecoder().decode(bytes), bodyBase64: Buffer.from(bytes).toString('base64') }
  }
}

function beginningOf(parts: readonly Part[]): string {
  const bytes = Buffer.alloc(BEGINNING)
  let size = 0
  for (const part of parts) {
    if (size === BEGINNING) break
    size += part.bytes.copy(bytes, size)
  }
  const text = new TextDecoder().decode(bytes.subarray(0, size))
  // A character that was split by the cut is left out.
  return `${text.replace(/\ufffd+$/, '')}…`
}

type Headed = { readonly headers: readonly Header[] }

/** The response as it is recorded and judged, so that reports show what was judged. */
export function redactResponse(response: RecordedResponse, redact: Redact): RecordedResponse {
  const { headers, body, bodyBase64, parts: received } = response
  const parts = received?.map(each => each.with(redact))
  const bytes = bodyBase64 === undefined ? undefined : Buffer.from(bodyBase64, 'base64').toString('latin1')
  return {
    ...response,
    headers: headers.map(([name, value]) => [redact(name), redact(value)]),
    body: redact(parts ? beginningOf(parts) : body),
    ...(bytes === undefined ? {} : { bodyBase64: Buffer.from(redact(bytes), 'latin1').toString('base64') }),
    ...(parts ? { parts } : {}),
  }
}

/** The content codings of a response in the order in which they were applied, in lower case. */
export const codingsOf = (response: Headed): string[] =>
  (header(response, 'content-encoding') ?? '')
    .split(',')
    .map(each => each.trim().toLowerCase())
    .filter(each => each !== '' && each !== 'identity')

async function* limited(chunks: Chunks, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > limit) throw new ResponseTooLarge(limit)
    yield chunk
  }
}

type Decoder = (first: Uint8Array) => Transform

/** A map, because a header may well say `Content-Encoding: constructor`. */
const decoders = new Map<string, Decoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // RFC 9110 §8.4.1.2: some servers send the deflate data without the zlib wrapper.
  ['deflate', first => (hasZlibWrapper(first) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
])

/** RFC 1950 §2.2: the method is 8, and the first two bytes are a multiple of 31. */
const hasZlibWrapper = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0

async function* undone(
  encoded: AsyncIterable<Uint8Array>,
  coding: string,
  decoder: Decoder,
): AsyncGenerator<Uint8Array> {
  const chunks = encoded[Symbol.asyncIterator]()
  const first = await firstBytes(chunks)
  // A message without content has nothing to undo.
  if (first.length === 0) return
  const all = async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  const output = pipeline(Readable.from(all(), { objectMode: false }), decoder(first), () => undefined)
  try {
    yield* output as AsyncIterable<Buffer>
  } catch (error) {
    if (isFromZlib(error))
      throw new UndecodableBody(`its body is not ${coding}, as its Content-Encoding says`)
    throw error
  }
}

/** Codes of zlib begin with `Z_`, those of Brotli with `ERR__`. */
const isFromZlib = (error: unknown): boolean =>
  /^(Z_|ERR__)/.test(String((error as NodeJS.ErrnoException).code))

/** The first two bytes and what came with them, which tell how deflate data is wrapped. */
async function firstBytes(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array()
  while (bytes.length < 2) {
    const next = await chunks.next()
    if (next.done) break
    bytes = Buffer.concat([bytes, next.value])
  }
  return bytes
}
