export type AnswerHeader = readonly [name: string, value: string]

/** A finished response. Names of headers are sent as they are written here. */
export interface Answer {
  readonly status: number
  readonly headers: readonly AnswerHeader[]
  readonly body?: Uint8Array
}

export const emptyAnswer = (status: number, headers: readonly AnswerHeader[] = []): Answer => ({
  status,
  headers,
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
  body: typeof body === 'string' ? Buffer.from(body) : body,
})

export const withStatus = (answer: Answer, status: number): Answer => ({ ...answer, status })

export const bodyText = (answer: Answer): string => Buffer.from(answer.body ?? []).toString()
