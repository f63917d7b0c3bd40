import { isLosslessNumber, parse } from 'lossless-json'
import { Refusal } from './answer.ts'

export type Body = string | Uint8Array | AsyncIterable<Uint8Array>

/** Bytes. */
const LIMIT = 64 * 1024

const invalid = (message: string) => new Refusal(400, 'body_invalid', message)
const tooLarge = `The body is larger than ${LIMIT} bytes.`

export const readBody = async (body: Body): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
      chunks.push(Buffer.from(chunk as string))
      length += chunk.length
      if (length > LIMIT) throw new Refusal(413, 'body_too_large', tooLarge, ['Connection', 'close'])
    }
  } catch (error) {
    throw error instanceof Refusal ? error : invalid('The body is incomplete.')
  }
  return Buffer.concat(chunks)
}

/** Numbers keep their text. JSON is UTF-8 (RFC 8259 §8.1), whatever a charset parameter says. */
export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The message of the parser quotes the body. Too deep a nesting is a RangeError.
    throw invalid('The body is not valid JSON in UTF-8, or has a member twice with different values.')
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
