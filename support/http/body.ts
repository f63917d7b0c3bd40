import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { type Header, header } from './exchange.ts'
import { ResponseTooLarge, UndecodableBody } from './problems.ts'

export interface DecodedBody {
  readonly body: string
  /** Present where the bytes are no UTF-8. */
  readonly bodyBase64?: string
}

type Decoder = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>

const deflate: Decoder = async (bytes, options) => {
  try {
    return await promisify(inflate)(bytes, options)
  } catch (error) {
    // RFC 9110 §8.4.1.2: some servers send the deflate data without the zlib wrapper.
    if ((error as NodeJS.ErrnoException).code !== 'Z_DATA_ERROR') throw error
    return promisify(inflateRaw)(bytes, options)
  }
}

/** A map, because a header may well say `Content-Encoding: constructor`. */
const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', promisify(gunzip) as Decoder],
  ['x-gzip', promisify(gunzip) as Decoder],
  ['deflate', deflate],
  ['br', promisify(brotliDecompress) as Decoder],
])

/** What the client says it can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/**
 * Undoes the content codings, the last applied first (RFC 9110 §8.4), and reads UTF-8 (RFC 8259 §8.1).
 * @throws {ResponseTooLarge} beyond `limit` bytes, so that a few bytes cannot unfold into gigabytes
 * @throws {UndecodableBody} for a coding that is unknown or does not fit the bytes
 */
export async function decodeBody(
  encoded: Uint8Array,
  headers: readonly Header[],
  limit: number,
): Promise<DecodedBody> {
  const codings = (header({ headers }, 'content-encoding') ?? '')
    .split(',')
    .map(each => each.trim().toLowerCase())
    .filter(each => each !== '' && each !== 'identity')
  let bytes = encoded
  for (const coding of bytes.byteLength > 0 ? codings.reverse() : []) {
    const decoder = decoders.get(coding)
    if (!decoder)
      throw new UndecodableBody(`its Content-Encoding is ${JSON.stringify(coding)}, which was not asked for`)
    try {
      bytes = await decoder(bytes, { maxOutputLength: limit })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge(limit)
      throw new UndecodableBody(`its body is not ${coding}, as its Content-Encoding says`)
    }
  }
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { body: new TextDecoder().decode(bytes), bodyBase64: Buffer.from(bytes).toString('base64') }
  }
}
