import type { Header } from '../interface/description.ts'

/** A finished response. Names of headers are sent as they are written here. */
export interface Answer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body?: Uint8Array
}

export const emptyAnswer = (status: number): Answer => ({ status, headers: [] })

export const jsonAnswer = (status: number, json: string, headers: readonly Header[] = []): Answer => ({
  status,
  headers: [['Content-Type', 'application/json'], ['Cache-Control', 'no-store'], ...headers],
  body: Buffer.from(json),
})

/** The answer with this header in place of any other of its name; without a value, with none of its name. */
export const withHeader = (answer: Answer, name: string, value?: string): Answer => ({
  ...answer,
  headers: [
    ...answer.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...(value === undefined ? [] : [[name, value] as const]),
  ],
})

export const withBody = (answer: Answer, body: string | Uint8Array): Answer => ({
  ...answer,
  body: Buffer.from(body as string),
})

export const withStatus = (answer: Answer, status: number): Answer => ({ ...answer, status })

export const bodyText = (answer: Answer): string => Buffer.from(answer.body ?? []).toString()

/**
 * Thrown by a decision that rejects a request. It is no Error, because nobody reads where it was thrown, and most requests of a run
 * are rejected. No message repeats text of the client, because it may be a key.
 */
export class Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: readonly Header[]

  constructor(status: number, code = 'refused', message = 'The request is refused.', ...headers: Header[]) {
    this.status = status
    this.code = code
    this.message = message
    this.headers = headers
  }
}
