import type { Presented } from '../../suites/authentication/presented.ts'
import { type Redact, redactor, type Secret } from '../wire/redact.ts'

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
