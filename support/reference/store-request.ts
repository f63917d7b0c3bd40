import type { AnswerHeader } from './answer.ts'
import { bodyInvalid, bodyTooLarge, Refusal } from './refusal.ts'

/** A request as the store receives it, over a socket or in process. */
export interface StoreRequest {
  readonly method: string
  /** Request target as it was sent (RFC 9112 §3.2), for example `/v1/inventory?a=b`. */
  readonly target: string
  /** All headers in order, as they were sent, `Host` included. */
  readonly headers: readonly AnswerHeader[]
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** Bytes. */
const BODY_LIMIT = 64 * 1024

export const readBody = async (body: StoreRequest['body'] = '', headers: Headers): Promise<Uint8Array> => {
  if (Number(headers.get('content-length')) > BODY_LIMIT) throw bodyTooLarge(BODY_LIMIT)
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [Buffer.from(body)] : body
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of parts) {
      chunks.push(chunk)
      // A chunked body has no Content-Length.
      length += chunk.length
      if (length > BODY_LIMIT) throw bodyTooLarge(BODY_LIMIT)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw bodyInvalid('The body is incomplete.')
  }
  return Buffer.concat(chunks)
}
