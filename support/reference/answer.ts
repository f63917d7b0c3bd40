export type Header = readonly [name: string, value: string]

/** A finished response. Names of headers are sent as they are written here. */
export interface Answer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body?: Uint8Array
}

export const emptyAnswer = (status: number, headers: readonly Header[] = []): Answer => ({ status, headers })

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
  body: typeof body === 'string' ? Buffer.from(body) : body,
})

export const withStatus = (answer: Answer, status: number): Answer => ({ ...answer, status })

export const bodyText = (answer: Answer): string => Buffer.from(answer.body ?? []).toString()

/** Statuses whose responses never have a body (RFC 9110 §6.4.1). `Response` would throw for a body. */
const NO_BODY = new Set([204, 205, 304])

export const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(NO_BODY.has(status) || !body ? null : new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })
