import { authorization, type Credential } from '../../support/authoring/index.ts'

/**
 * Another last character for a key of the same length. The last one of a base64 text may carry bits that nobody reads; its two
 * highest are always read, so those are what is altered, and not the case alone.
 */
const otherLast = (key: string): string => (/[w-z0-9+/_-]$/.test(key) ? 'A' : '9')

function otherCase(key: string): { key: string; shell: string } | undefined {
  if (key.toUpperCase() !== key) return { key: key.toUpperCase(), shell: '${STORE_API_KEY^^}' }
  if (key.toLowerCase() !== key) return { key: key.toLowerCase(), shell: '${STORE_API_KEY,,}' }
  return undefined
}

/** The key itself, its scheme in another case (RFC 9110 §11.1 compares schemes without case). */
export const lowerCaseScheme: Credential = {
  name: 'scheme-case',
  title: 'the scheme in lower case',
  mayBeAccepted: true,
  make: key => authorization(`bearer ${key}`, 'bearer $STORE_API_KEY'),
}

/** Everything but unreserved characters (RFC 3986 §2.3), as curl encodes a query. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const QUERY_NAMES = ['access_token', 'api_key', 'apikey', 'key', 'token'] as const

/** What a store must answer with 401 (§5). Each differs from the key in exactly one thing. */
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
      title: 'the key under the scheme Basic',
      make: key => authorization(`Basic ${key}`, 'Basic $STORE_API_KEY'),
    },
    {
      name: 'basic-user',
      title: 'the key as the user name of Basic, without a password',
      make: key => ({
        headers: [['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`]],
        shell: ['-u', '"$STORE_API_KEY:"'],
      }),
    },
    {
      name: 'digest-scheme',
      title: 'the key under the scheme Digest, which is as long as Bearer',
      make: key => authorization(`Digest ${key}`, 'Digest $STORE_API_KEY'),
    },
    {
      name: 'longer-scheme',
      title: 'the key under a scheme that only ends in Bearer',
      make: key => authorization(`XBearer ${key}`, 'XBearer $STORE_API_KEY'),
    },
    {
      name: 'joined-scheme',
      title: 'the key joined to Bearer without a space',
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
      title: 'the key with a space and more after it',
      make: key => authorization(`Bearer ${key} x`, 'Bearer $STORE_API_KEY x'),
    },
    {
      name: 'prefixed-key',
      title: 'the key with a character before it',
      make: key => authorization(`Bearer x${key}`, 'Bearer x$STORE_API_KEY'),
    },
    {
      name: 'cut-key',
      title: 'the key with its last character cut off',
      unless: 'the key has one character',
      make: key =>
        key.length > 1 ? authorization(`Bearer ${key.slice(0, -1)}`, 'Bearer ${STORE_API_KEY%?}') : undefined,
    },
    {
      name: 'tail-key',
      title: 'the key with its first character cut off',
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
      title: 'another key of equal length',
      make: key =>
        authorization(
          `Bearer ${key.slice(0, -1)}${otherLast(key)}`,
          `Bearer \${STORE_API_KEY%?}${otherLast(key)}`,
        ),
    },
    {
      name: 'key-inside',
      title: 'the key inside a longer string',
      make: key => authorization(`Bearer x${key}x`, 'Bearer x${STORE_API_KEY}x'),
    },
    {
      name: 'query-key',
      title: 'the key in the query string alone',
      make: key => ({
        headers: [],
        query: QUERY_NAMES.map(name => `${name}=${percentEncoded(key)}`).join('&'),
        shell: QUERY_NAMES.flatMap(name => ['--url-query', `"${name}=$STORE_API_KEY"`]),
      }),
    },
    {
      name: 'x-api-key',
      title: 'the key in an X-API-Key header alone',
      make: key => ({ headers: [['X-API-Key', key]], shell: ['-H', '"X-API-Key: $STORE_API_KEY"'] }),
    },
    {
      name: 'revoked-key',
      title: 'a key that was revoked',
      unless: 'no revoked key was given (STORE_REVOKED_API_KEY)',
      make: (_key, { revokedKey }) =>
        revokedKey === undefined
          ? undefined
          : authorization(`Bearer ${revokedKey}`, 'Bearer $STORE_REVOKED_API_KEY'),
    },
  ] satisfies readonly Omit<Credential, 'mayBeAccepted'>[]
).map(each => ({ ...each, mayBeAccepted: false }))
