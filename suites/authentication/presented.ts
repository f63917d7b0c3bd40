import type { Header } from '../../support/interface/description.ts'

/** What a request presents as the API key, or instead of it. */
export interface Credential {
  readonly name: string
  /** Continues the phrase "a request with …". */
  readonly title: string
  /** @returns undefined if it cannot be made from this key: a key without letters has no other case */
  make(key: string, known: { readonly revokedApiKey?: string | undefined }): Presented | undefined
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

export const noKey: Credential = {
  name: 'no-header',
  title: 'no Authorization header',
  make: () => ({ headers: [], shown: [], shell: [] }),
}
