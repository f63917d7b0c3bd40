import { Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { type Header, header, type RecordedResponse } from './exchange.ts'
import { ListDigest, type ListReading } from './list-digest.ts'
import type { PartMemory } from './list-parts.ts'
import { type ListReader, listReader, NotAList } from './list-reader.ts'
import { ResponseTooLarge, UndecodableBody } from './problems.ts'

/** The body of a response, as it is recorded. */
export type ReceivedBody = Pick<
  RecordedResponse,
  'body' | 'bodyBase64' | 'wholeLength' | 'list' | 'listProblem'
>

export interface BodyOptions {
  /** Largest body in bytes, before and after its content codings are undone. */
  readonly limit: number
  /** How a large list is read. Without it, a large body is not read at all. */
  readonly list?: { readonly reading: ListReading; readonly memory: PartMemory } | undefined
  /** Gets the bytes of a body of which only the beginning is kept. Without it, they are not held. */
  readonly keepWhole?: ((bytes: Uint8Array) => void) | undefined
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Bytes of a body that is kept whole. Of a larger one, the beginning is kept, and a digest if it is a list. */
export const WHOLE_BODY = 256 * 1024
const BEGINNING = 64 * 1024

/** The content codings that the client can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/**
 * Receives a body: undoes the content codings, the last applied first (RFC 9110 §8.4), and reads UTF-8 (RFC 8259 §8.1). Memory is
 * bounded, whatever is sent.
 * @throws {ResponseTooLarge} beyond the limit, so that a few bytes cannot unfold into gigabytes
 * @throws {UndecodableBody} for a coding that is unknown or does not fit the bytes
 */
export async function receiveBody(
  encoded: Chunks,
  headers: readonly Header[],
  { limit, list, keepWhole }: BodyOptions,
): Promise<ReceivedBody> {
  let decoded: Chunks = encoded
  for (const coding of codingsOf(headers)) decoded = undone(limited(decoded, limit), coding)
  const kept: Uint8Array[] = []
  const whole: Uint8Array[] = []
  let size = 0
  let reader: ListReader | undefined
  for await (const chunk of decoded) {
    size += chunk.byteLength
    if (size > limit) throw new ResponseTooLarge(limit)
    if (keepWhole) whole.push(chunk)
    if (size <= WHOLE_BODY || !reader) kept.push(chunk)
    else reader.write(chunk)
    if (size > WHOLE_BODY && !reader) {
      reader = list ? listReader(list.reading, list.memory) : UNREAD
      for (const each of kept) reader.write(each)
      kept.splice(0, kept.length, Buffer.concat(kept).subarray(0, BEGINNING))
    }
  }
  if (reader) keepWhole?.(Buffer.concat(whole))
  const bytes = Buffer.concat(kept)
  return reader ? beginningOf(bytes, size, reader) : wholeText(bytes)
}

/** For a large body that is not to be read as a list. */
const UNREAD: ListReader = { write: () => undefined, end: () => new NotAList() }

function wholeText(bytes: Uint8Array): ReceivedBody {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { body: new TextDecoder().decode(bytes), bodyBase64: Buffer.from(bytes).toString('base64') }
  }
}

function beginningOf(bytes: Uint8Array, wholeLength: number, reader: ListReader): ReceivedBody {
  const result = reader.end()
  return {
    // A character that was split by the cut is left out.
    body: `${new TextDecoder().decode(bytes).replace(/\ufffd+$/, '')}…`,
    wholeLength,
    ...(result instanceof ListDigest ? { list: result } : {}),
    ...(result instanceof Error ? { listProblem: result } : {}),
  }
}

const codingsOf = (headers: readonly Header[]): string[] =>
  (header({ headers }, 'content-encoding') ?? '')
    .split(',')
    .map(each => each.trim().toLowerCase())
    .filter(each => each !== '' && each !== 'identity')
    .reverse()

async function* limited(chunks: Chunks, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > limit) throw new ResponseTooLarge(limit)
    yield chunk
  }
}

/** A map, because a header may well say `Content-Encoding: constructor`. */
const decoders = new Map<string, (first: Uint8Array) => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // RFC 9110 §8.4.1.2: some servers send the deflate data without the zlib wrapper.
  ['deflate', first => (hasZlibWrapper(first) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
])

/** RFC 1950 §2.2: the method is 8, and the first two bytes are a multiple of 31. */
const hasZlibWrapper = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0

async function* undone(encoded: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const chunks = encoded[Symbol.asyncIterator]()
  const first = await firstBytes(chunks)
  // A message without content has nothing to undo.
  if (first.length === 0) return
  const decoder = decoders.get(coding)
  if (!decoder)
    throw new UndecodableBody(`its Content-Encoding is ${JSON.stringify(coding)}, which was not asked for`)
  const all = async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  let failure: unknown
  const source = Readable.from(all(), { objectMode: false })
  const output = source.pipe(decoder(first))
  source.once('error', error => {
    failure = error
    output.destroy(error)
  })
  try {
    for await (const chunk of output) yield chunk as Buffer
  } catch (error) {
    if (failure !== undefined) throw failure
    if (isFromZlib(error))
      throw new UndecodableBody(`its body is not ${coding}, as its Content-Encoding says`)
    throw error
  } finally {
    source.destroy()
    output.destroy()
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
