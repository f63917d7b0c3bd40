import type { Header } from '../http/exchange.ts'
import { type Redact, redactor, type Secret } from '../http/redact.ts'

/** What a request presents as the API key, or instead of it. */
export interface Credential {
  readonly name: string
  /** Continues the phrase "a request with …". */
  readonly title: string
  /** Whether a conformant store may accept it. What must be rejected changes nothing, so it may be sent again. */
  readonly mayBeAccepted: boolean
  /** @returns undefined if it cannot be made from this key: a key without letters has no other case */
  make(key: string, known: { readonly revokedApiKey?: string | undefined }): Presented | undefined
  /** Why `make` may return undefined. */
  readonly unless?: string
}

export interface Presented {
  readonly headers: readonly Header[]
  /** The headers as reports show them, if they contain the key or a part of it: what was done to the key. */
  readonly shown?: readonly Header[]
  /** Added to the query string. */
  readonly query?: string
  /** The credential as shell words that contain `$STORE_API_KEY`, never the key. */
  readonly shell: readonly string[]
}

/** A credential in the Authorization header. @param shell the value for a double-quoted shell word */
export const authorization = (value: string, shell: string): Presented => ({
  headers: [['Authorization', value]],
  ...(shell.includes('STORE_') ? { shown: [['Authorization', shell]] } : {}),
  shell: ['-H', `"Authorization: ${shell}"`],
})

export const theKey: Credential = {
  name: 'key',
  title: 'the API key',
  mayBeAccepted: true,
  make: key => authorization(`Bearer ${key}`, 'Bearer $STORE_API_KEY'),
}

export const noKey: Credential = {
  name: 'no-header',
  title: 'no Authorization header',
  mayBeAccepted: false,
  make: () => ({ headers: [], shell: [] }),
}

/** The secrets that a run knows. No output shows them. */
export interface Secrets {
  readonly apiKey?: string | undefined
  readonly revokedApiKey?: string | undefined
  readonly statesToken?: string | undefined
  readonly otherSecrets?: readonly Secret[] | undefined
}

/** Replaces every secret of the target in a text. */
export const redactorFor = (secrets: Secrets): Redact => redactor(secretsOf(secrets))

export const secretsOf = ({
  apiKey = '',
  revokedApiKey = '',
  statesToken = '',
  otherSecrets = [],
}: Secrets): Secret[] => [
  { value: apiKey, variable: 'STORE_API_KEY', parts: true },
  { value: revokedApiKey, variable: 'STORE_REVOKED_API_KEY', parts: true },
  { value: statesToken, variable: 'STORE_STATES_TOKEN', parts: true },
  ...otherSecrets,
]
