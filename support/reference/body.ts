import { bodyInvalid, bodyTooLarge, Refusal } from './refusal.ts'
import type { RequestHeaders, StoreRequest } from './store-request.ts'

/** Counts the bytes as it reads, because a chunked body has no Content-Length. */
const readCounted = async (body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw bodyTooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const readBody = async (
  body: StoreRequest['body'] = '',
  headers: RequestHeaders,
  limit: number,
): Promise<Uint8Array> => {
  if (Number(headers.get('content-length')) > limit) throw bodyTooLarge(limit)
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = Buffer.from(body)
    if (bytes.length > limit) throw bodyTooLarge(limit)
    return bytes
  }
  try {
    return await readCounted(body, limit)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw bodyInvalid('The body is incomplete.')
  }
}
