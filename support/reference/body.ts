import { bodyInvalid, bodyTooLarge, Refusal } from './refusal.ts'

/** Counts the bytes as it reads, because a chunked body has no Content-Length. */
const readCounted = async (body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw bodyTooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const readBody = async (request: Request, limit: number): Promise<Uint8Array> => {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw bodyTooLarge(limit)
  try {
    if (declared === null) return request.body ? await readCounted(request.body, limit) : new Uint8Array()
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > limit) throw bodyTooLarge(limit)
    return bytes
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw bodyInvalid('The body is incomplete.')
  }
}
