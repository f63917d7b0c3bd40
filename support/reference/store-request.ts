import type { AnswerHeader } from './answer.ts'

/** A request as the store receives it, over a socket or in process. */
export interface StoreRequest {
  readonly method: string
  /** Request target as it was sent (RFC 9112 §3.2), for example `/v1/inventory?a=b`. */
  readonly target: string
  /** All headers in order, as they were sent, `Host` included. */
  readonly headers: readonly AnswerHeader[]
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** The headers of a request, by name in any case. The values of a repeated header are joined (RFC 9110 §5.3). */
export class RequestHeaders {
  readonly #values = new Map<string, string>()

  constructor(headers: readonly AnswerHeader[]) {
    for (const [name, value] of headers) {
      const key = name.toLowerCase()
      const before = this.#values.get(key)
      this.#values.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  /** Names in lower case. */
  keys(): IterableIterator<string> {
    return this.#values.keys()
  }
}
