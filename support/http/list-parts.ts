import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Json, JsonBeyondReading, JsonSyntaxError, parseJson } from './json.ts'
import { digestPart, type ListReading, type PartDigest } from './list-digest.ts'

/** The digests of the parts that were read last, by the hash of their bytes: about as many as two lists have. */
export class PartMemory {
  readonly #parts = new Map<string, PartDigest>()
  #room = 64

  /** Makes room for the parts of two lists of this length. */
  expect(parts: number): void {
    this.#room = Math.max(this.#room, 2 * parts)
  }

  /** Forgets all digests, because they were made for other watched ids. */
  clear(): void {
    this.#parts.clear()
  }

  read(bytes: Uint8Array, make: () => PartDigest | JsonSyntaxError): PartDigest | JsonSyntaxError {
    const hash = createHash('sha1').update(bytes).digest('base64')
    const part = this.#parts.get(hash) ?? make()
    if (part instanceof JsonSyntaxError) return part
    this.#parts.delete(hash)
    this.#parts.set(hash, part)
    if (this.#parts.size > this.#room) this.#parts.delete(this.#parts.keys().next().value ?? '')
    return part
  }
}

/** Digests consecutive elements of a list. @param bytes the elements with the commas between them */
export const readPart = (
  bytes: Uint8Array,
  reading: ListReading,
  memory: PartMemory,
): PartDigest | JsonSyntaxError =>
  memory.read(bytes, () => {
    if (!isUtf8(bytes)) return new JsonSyntaxError('the bytes are not UTF-8 (RFC 8259 §8.1)', 0)
    try {
      const { elements, repeatedName } = parseElements(Buffer.from(bytes).toString('utf8'))
      return digestPart(elements, reading, repeatedName)
    } catch (error) {
      if (error instanceof JsonSyntaxError) return error
      throw error
    }
  })

interface Elements {
  readonly elements: readonly Json[]
  readonly repeatedName: PartDigest['repeatedName']
}

/** @throws {JsonSyntaxError} with the offset in `text` */
function parseElements(text: string): Elements {
  try {
    const { value, duplicates } = parseJson(`[${text}]`)
    if ((value as Json[]).length === 0) throw new JsonSyntaxError('expected a value', 1)
    const [, at = '0', path = ''] = /^\$\[(\d+)\](.*)$/s.exec(duplicates[0] ?? '') ?? []
    return {
      elements: value as Json[],
      repeatedName: duplicates.length > 0 ? { at: Number(at), path } : undefined,
    }
  } catch (error) {
    if (error instanceof JsonBeyondReading) throw new JsonBeyondReading(error.message, error.offset - 1)
    if (error instanceof JsonSyntaxError) throw new JsonSyntaxError(error.message, error.offset - 1)
    throw error
  }
}
