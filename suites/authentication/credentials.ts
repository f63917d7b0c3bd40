import { authorization, type Credential } from '../../support/authoring/index.ts'

/**
 * Another character, in more than its case. Of the last character of a base64 text decoders ignore low bits, so the two highest bits
 * differ.
 */
export const otherThan = (character: string): string => (/[w-z0-9+/_-]/.test(character) ? 'A' : '9')

function otherCase(key: string): { key: string; shell: string } | undefined {
  if (key.toUpperCase() !== key) return { key: key.toUpperCase(), shell: '${STORE_API_KEY^^}' }
  if (key.toLowerCase() !== key) return { key: key.toLowerCase(), shell: '${STORE_API_KEY,,}' }
  return undefined
}

/** The key, with the scheme in another case (RFC 9110 §11.1 compares schemes without case). */
export const lowerCaseScheme: Credential = {
  name: 'scheme-case',
  title: 'the scheme in lower case',
  mayBeAccepted: true,
  make: key => authorization(`bearer ${key}`, 'bearer $STORE_API_KEY'),
}

/** Encodes everything except unreserved characters (RFC 3986 §2.3), as curl does. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const HEADER_NAMES = ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'X-Authorization'] as const
const QUERY_NAMES = ['access_token', 'api_key', 'apikey', 'key', 'token'] as const

/** Credentials that a store must reject with 401 (§5). Each differs from the valid one in one thing and has a rule of its own. */
export const badCredentials: readonly Credential[] = (
  [
    { name: 'no-header', title: 'no Authorization header', make: () => ({ headers: [], shell: [] }) },
    {
      name: 'unknown-key',
      title: 'a key that was never issued',
      make: () => authorization('Bearer never-issued-0c9f7a5e3d', 'Bearer never-issued-0c9f7a5e3d'),
    },
    {
      name: 'basic-scheme',
      title: 'the key with the scheme Basic',
      make: key => authorization(`Basic ${key}`, 'Basic $STORE_API_KEY'),
    },
    {
      name: 'basic-user',
      title: 'the key as the user name of Basic, without a password',
      make: key => ({
        headers: [['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`]],
        shown: [['Authorization', 'Basic base64($STORE_API_KEY:)']],
        shell: ['-u', '"$STORE_API_KEY:"'],
      }),
    },
    {
      name: 'digest-scheme',
      title: 'the key with the scheme Digest, which is as long as Bearer',
      make: key => authorization(`Digest ${key}`, 'Digest $STORE_API_KEY'),
    },
    {
      name: 'longer-scheme',
      title: 'the key with a scheme that only ends in Bearer',
      make: key => authorization(`XBearer ${key}`, 'XBearer $STORE_API_KEY'),
    },
    {
      name: 'joined-scheme',
      title: 'the key after Bearer without a space',
      make: key => authorization(`Bearer${key}`, 'Bearer$STORE_API_KEY'),
    },
    {
      name: 'bare-key',
      title: 'the key without a scheme',
      make: key => authorization(key, '$STORE_API_KEY'),
    },
    {
      name: 'empty-bearer',
      title: 'Bearer with nothing after it',
      make: () => authorization('Bearer', 'Bearer'),
    },
    {
      name: 'extended-key',
      title: 'the key with a character added',
      make: key => authorization(`Bearer ${key}x`, 'Bearer ${STORE_API_KEY}x'),
    },
    {
      name: 'followed-key',
      title: 'the key, followed by a space and another word',
      make: key => authorization(`Bearer ${key} x`, 'Bearer $STORE_API_KEY x'),
    },
    {
      name: 'prefixed-key',
      title: 'the key with a character before it',
      make: key => authorization(`Bearer x${key}`, 'Bearer x$STORE_API_KEY'),
    },
    {
      name: 'cut-key',
      title: 'the key without its last character',
      unless: 'the key has one character',
      make: key =>
        key.length > 1 ? authorization(`Bearer ${key.slice(0, -1)}`, 'Bearer ${STORE_API_KEY%?}') : undefined,
    },
    {
      name: 'tail-key',
      title: 'the key without its first character',
      unless: 'the key has one character',
      make: key =>
        key.length > 1 ? authorization(`Bearer ${key.slice(1)}`, 'Bearer ${STORE_API_KEY#?}') : undefined,
    },
    {
      name: 'case-changed-key',
      title: 'the key in another case',
      unless: 'the key has no letters',
      make: key => {
        const other = otherCase(key)
        return other && authorization(`Bearer ${other.key}`, `Bearer ${other.shell}`)
      },
    },
    {
      name: 'equal-length-key',
      title: 'a key that differs in its last character',
      make: key =>
        authorization(
          `Bearer ${key.slice(0, -1)}${otherThan(key.slice(-1))}`,
          `Bearer \${STORE_API_KEY%?}${otherThan(key.slice(-1))}`,
        ),
    },
    {
      name: 'key-inside',
      title: 'the key inside a longer string',
      make: key => authorization(`Bearer x${key}x`, 'Bearer x${STORE_API_KEY}x'),
    },
    {
      name: 'query-key',
      title: 'the key only in the query string',
      make: key => ({
        headers: [],
        query: QUERY_NAMES.map(name => `${name}=${percentEncoded(key)}`).join('&'),
        shell: QUERY_NAMES.flatMap(name => ['--url-query', `"${name}=$STORE_API_KEY"`]),
      }),
    },
    {
      name: 'x-api-key',
      title: 'the key only in other headers, such as X-API-Key',
      make: key => ({
        headers: HEADER_NAMES.map(name => [name, key] as const),
        shell: HEADER_NAMES.flatMap(name => ['-H', `"${name}: $STORE_API_KEY"`]),
      }),
    },
    {
      name: 'revoked-key',
      title: 'a key that was revoked',
      unless: 'no revoked key was given (STORE_REVOKED_API_KEY)',
      make: (_key, { revokedApiKey }) =>
        revokedApiKey === undefined
          ? undefined
          : authorization(`Bearer ${revokedApiKey}`, 'Bearer $STORE_REVOKED_API_KEY'),
    },
  ] satisfies readonly Omit<Credential, 'mayBeAccepted'>[]
).map(each => ({ ...each, mayBeAccepted: false }))
