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
  /** The same headers as they are recorded: what was done to the key, without the key. */
  readonly shown: readonly Header[]
  /** Added to the query string, and the same as it is recorded. */
  readonly query?: { readonly sent: string; readonly shown: string }
  /** The credential as shell words that contain `$STORE_API_KEY`, never the key. */
  readonly shell: readonly string[]
}

/** A credential in the Authorization header. @param shell the value for a double-quoted shell word */
export const authorization = (value: string, shell: string): Presented => ({
  headers: [['Authorization', value]],
  shown: [['Authorization', shell.includes('STORE_') ? shell.replace(/\\(["\\$`])/g, '$1') : value]],
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
  make: () => ({ headers: [], shown: [], shell: [] }),
}

/** The secrets that a run knows, and the addresses that the user gave. */
export interface Secrets {
  readonly apiKey?: string | undefined
  readonly revokedApiKey?: string | undefined
  readonly statesToken?: string | undefined
  readonly otherSecrets?: readonly Secret[] | undefined
  readonly baseUrl?: string | undefined
  readonly statesUrl?: string | undefined
}

/** Replaces every secret of the target in a text. @param presented what the request had instead of the key, which a store may quote */
export const redactorFor = (
  { apiKey = '', revokedApiKey = '', statesToken = '', otherSecrets = [], baseUrl, statesUrl }: Secrets,
  presented?: Presented,
): Redact =>
  redactor(
    [
      { value: apiKey, shown: '$STORE_API_KEY' },
      { value: revokedApiKey, shown: '$STORE_REVOKED_API_KEY' },
      { value: statesToken, shown: '$STORE_STATES_TOKEN' },
      ...otherSecrets,
      ...(presented ? alteredKeys(presented, apiKey) : []),
    ],
    [baseUrl, statesUrl],
  )

/** In place of a key that contains the whole key, only that is replaced. */
function alteredKeys({ headers, shown }: Presented, apiKey: string): Secret[] {
  const withoutScheme = (value: string) => value.replace(/^\S+ /, '')
  return headers.flatMap(([, value], at) => {
    const written = shown[at]?.[1] ?? value
    if (value === written || value.includes(apiKey)) return []
    // A quote would end the text of the store that it is in, such as a JSON string.
    const isPlain = /^[^"'\\<>&]*$/.test(written)
    return [{ value: withoutScheme(value), shown: isPlain ? withoutScheme(written) : '$STORE_API_KEY' }]
  })
}
