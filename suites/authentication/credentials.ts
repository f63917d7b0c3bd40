import { authorization, type Credential, noKey } from './presented.ts'

/** A rule about wrong keys: each of its credentials differs from the valid one in one thing. */
interface KeyRule {
  /** Names the rule: `auth-placeholder-key`. */
  readonly name: string
  /** Continues the phrase "a request with …". */
  readonly title: string
  /** `4xx`: any status that refuses the request, because it may be refused before the key is read. */
  readonly expected: 401 | '4xx'
  readonly basis:
    | { readonly level: 'required' }
    | { readonly level: 'implied' | 'advisory'; readonly because: string }
  /** Why none of the credentials may be made from a key. */
  readonly unless: string
  readonly credentials: readonly Credential[]
}

type Make = Credential['make']

/** Stands for the key in a text. */
const KEY = /\{key\}/g

/** This value of the header Authorization. It is not sent if it is that of the valid key. */
const header =
  (text: string): Make =>
  key => {
    const value = text.replace(KEY, () => key)
    const shell = text.replace(/["\\$`]/g, each => `\\${each}`).replace(KEY, () => '${STORE_API_KEY}')
    return value === `Bearer ${key}` ? undefined : authorization(value, shell)
  }

const bearer = (text: string): Make => header(`Bearer ${text}`)

type Known = Parameters<Make>[1]

/** What follows `Bearer`, and the same for a shell. Undefined if the key has fewer characters, or allows no such request. */
const computed =
  (
    least: number,
    make: (key: string, half: number, known: Known) => readonly [value: string, shell: string] | undefined,
  ): Make =>
  (key, known) => {
    const [value, shell] =
      (key.length < least ? undefined : make(key, Math.floor(key.length / 2), known)) ?? []
    return value === undefined || value === key
      ? undefined
      : authorization(`Bearer ${value}`, `Bearer ${shell}`)
  }

/** @param makes how to make the credential, or several of them by their titles */
const wrongKey = (
  name: string,
  title: string,
  makes: Make | Readonly<Record<string, Make>>,
  own: Partial<Pick<KeyRule, 'expected' | 'unless'>> & {
    readonly level?: 'advisory'
    readonly because?: string
  } = {},
): KeyRule => ({
  name,
  title,
  expected: own.expected ?? 401,
  basis:
    own.because === undefined
      ? { level: 'required' }
      : { level: own.level ?? 'implied', because: own.because },
  unless: own.unless ?? 'the key allows no such request',
  credentials: Object.entries(typeof makes === 'function' ? { [title]: makes } : makes).map(
    ([title, make]) => ({ name, title, make }),
  ),
})

/**
 * Another character, in more than its case. Of the last character of a base64 text decoders ignore low bits, so the two highest bits
 * differ.
 */
const otherThan = (character: string): string => (/[w-z0-9+/_-]/.test(character) ? 'A' : '9')

/** A store may keep such a key as a UUID, which it reads in any case (RFC 9562 §4), and often without hyphens. */
const isUuid = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)

const SHORT = { unless: 'the key has one character' }
const NEVER_ISSUED = 'never-issued-0c9f7a5e3d'

/** Encodes everything except unreserved characters (RFC 3986 §2.3), as curl does. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** Other headers, and what is before the key. A gateway that authenticates itself passes on the header of the client in the last one. */
const OTHER_HEADERS = [
  ['X-API-Key', ''],
  ['Api-Key', ''],
  ['X-Auth-Token', ''],
  ['X-Access-Token', ''],
  ['X-Authorization', ''],
  ['X-Forwarded-Authorization', 'Bearer '],
  ['Cookie', 'access_token='],
] as const
const QUERY_NAMES = ['access_token', 'api_key', 'apikey', 'key', 'token'] as const

/**
 * Characters of all copies of a key in one request. Common servers refuse more than 8 KiB of headers, 4,094 characters of request line
 * (Gunicorn) or 2,048 of query (IIS) before they read the key.
 */
const ROOM = { headers: 6_000, query: 1_900 }

const fits = (key: string, copies: number, room = ROOM.headers): boolean => key.length * copies <= room

/** As many of these as can carry a copy of a long key, such as a JWT, and at least one. */
const carriersOf = <Carrier>(carriers: readonly Carrier[], key: string, room?: number): readonly Carrier[] =>
  carriers.filter((_, at) => at === 0 || fits(key, at + 1, room))

/** A key of this many characters. Common limits of a header are 8 and 16 KiB. */
const long = (length: number): Make =>
  computed(0, () => ['k'.repeat(length), `$(printf %0${length}d 0 | tr 0 k)`])

const PRINTED = ['null', 'undefined', 'None', 'nil', 'NaN', '[object Object]', '""', '0']

/** Headers carry bytes, which are written as Latin-1 here. */
const notAscii = (text: string): Make =>
  computed(0, key => {
    const bytes = Buffer.from(text).toString('latin1')
    return [bytes.replace(KEY, () => key), text.replace(KEY, () => '${STORE_API_KEY}')]
  })

const repeated = (...keys: readonly string[]): Make => {
  const values = keys.map(key => `Bearer ${key}`)
  const headers = values.map(value => ['Authorization', value] as const)
  return () => ({
    headers,
    shown: headers,
    shell: values.flatMap(value => ['-H', `"Authorization: ${value}"`]),
  })
}

const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = jwtPart({ sub: 'store', scope: 'admin', exp: 4102444800 })

export const unknownKey: Credential = {
  name: 'unknown-key',
  title: 'a key that was never issued',
  make: bearer(NEVER_ISSUED),
}

/** The wrong keys that a store must reject (§5). */
export const keyRules: readonly KeyRule[] = [
  wrongKey('no-header', noKey.title, noKey.make),
  wrongKey(unknownKey.name, unknownKey.title, unknownKey.make),
  wrongKey('basic-scheme', 'the key with the scheme Token or Basic', {
    'the key with the scheme Token': header('Token {key}'),
    'the key with the scheme Basic': header('Basic {key}'),
  }),
  wrongKey(
    'basic-user',
    'the key as the user name and the password of Basic',
    key =>
      fits(key, 3)
        ? {
            headers: [['Authorization', `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`]],
            shown: [['Authorization', 'Basic base64($STORE_API_KEY:$STORE_API_KEY)']],
            shell: ['-u', '"$STORE_API_KEY:$STORE_API_KEY"'],
          }
        : undefined,
    { unless: 'the key is too long to be sent twice in base64' },
  ),
  wrongKey(
    'equal-length-scheme',
    'the key with the scheme ApiKey, which is as long as Bearer',
    header('ApiKey {key}'),
  ),
  wrongKey('longer-scheme', 'the key with a scheme that only ends in Bearer', header('XBearer {key}')),
  wrongKey('joined-scheme', 'the key after Bearer without a space', header('Bearer{key}')),
  wrongKey('bare-key', 'the key without a scheme', header('{key}')),
  wrongKey('empty-bearer', 'Bearer with nothing after it', header('Bearer')),
  wrongKey('extended-key', 'the key with a character added', bearer('{key}x')),
  wrongKey('followed-key', 'the key, followed by a space and another word', bearer('{key} x'), {
    level: 'advisory',
    because:
      'The document is silent. The request has the right scheme and the right key, and many servers read the second word of the header only. RFC 6750 §2.1 allows no further words.',
  }),
  wrongKey('prefixed-key', 'the key with a character before it', bearer('x{key}')),
  wrongKey(
    'cut-key',
    'the key without its last character',
    computed(2, key => [key.slice(0, -1), '${STORE_API_KEY%?}']),
    SHORT,
  ),
  wrongKey(
    'tail-key',
    'the key without its first character',
    computed(2, key => [key.slice(1), '${STORE_API_KEY#?}']),
    SHORT,
  ),
  wrongKey(
    'case-changed-key',
    'the key in another case',
    computed(0, key => {
      if (isUuid(key)) return undefined
      return key.toUpperCase() === key
        ? [key.toLowerCase(), '${STORE_API_KEY,,}']
        : [key.toUpperCase(), '${STORE_API_KEY^^}']
    }),
    { unless: 'the key has no letters, or is a UUID, whose case has no meaning' },
  ),
  wrongKey(
    'equal-length-key',
    'a key that differs in its last character',
    computed(1, key => {
      const other = otherThan(key.slice(-1))
      return [key.slice(0, -1) + other, `\${STORE_API_KEY%?}${other}`]
    }),
  ),
  wrongKey('key-inside', 'the key inside a longer string', bearer('x{key}x')),
  wrongKey('query-key', 'the key only in the query string', key => {
    const encoded = percentEncoded(key)
    const names = carriersOf(QUERY_NAMES, encoded, ROOM.query)
    const queryWith = (value: string) => names.map(name => `${name}=${value}`).join('&')
    return {
      headers: [],
      shown: [],
      query: { sent: queryWith(encoded), shown: queryWith('$STORE_API_KEY') },
      shell: names.flatMap(name => ['--url-query', `"${name}=$STORE_API_KEY"`]),
    }
  }),
  wrongKey('x-api-key', 'the key only in other headers, such as X-API-Key', key => {
    const carriers = carriersOf(OTHER_HEADERS, key)
    const shown = carriers.map(([name, scheme]) => [name, `${scheme}$STORE_API_KEY`] as const)
    return {
      headers: carriers.map(([name, scheme]) => [name, scheme + key] as const),
      shown,
      shell: shown.flatMap(([name, value]) => ['-H', `"${name}: ${value}"`]),
    }
  }),
  wrongKey(
    'revoked-key',
    'a key that was revoked',
    computed(0, (_key, _half, { revokedApiKey }) =>
      revokedApiKey === undefined ? undefined : [revokedApiKey, '$STORE_REVOKED_API_KEY'],
    ),
    { unless: 'no revoked key is given: STORE_REVOKED_API_KEY' },
  ),
  wrongKey(
    'placeholder-key',
    'what programs print for a missing key, such as null or undefined',
    Object.fromEntries(PRINTED.map(text => [`the key ${text}`, bearer(text)])),
  ),
  wrongKey('odd-key', 'unknown keys of unusual form: one character, quotes, or the form of a JWT', {
    'a key of one character': bearer('x'),
    'a key with quotes': bearer("' OR '1'='1"),
    'a regular expression': bearer('.*'),
    'a wildcard': bearer('*'),
    'a wildcard of SQL': bearer('%'),
    'an unsigned JWT': bearer(`${jwtPart({ alg: 'none', typ: 'JWT' })}.${claims}.`),
    'a JWT': bearer(`${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${claims}.c2lnbmF0dXJl`),
  }),
  wrongKey('partial-key', 'keys that are equal to the key in part', {
    'a key that differs in its first character': computed(1, key => {
      const other = otherThan(key.slice(0, 1))
      return [other + key.slice(1), `${other}\${STORE_API_KEY:1}`]
    }),
    'a key that differs in its middle character': computed(3, (key, half) => {
      // A wildcard for one character, in SQL.
      const other = key.charAt(half) === '_' ? 'A' : '_'
      return [
        key.slice(0, half) + other + key.slice(half + 1),
        `\${STORE_API_KEY:0:${half}}${other}\${STORE_API_KEY:${half + 1}}`,
      ]
    }),
    'the first half of the key': computed(2, (key, half) => [
      key.slice(0, half),
      `\${STORE_API_KEY:0:${half}}`,
    ]),
    'the last half of the key': computed(2, (key, half) => [key.slice(half), `\${STORE_API_KEY:${half}}`]),
    'the key with its halves exchanged': computed(2, (key, half) => [
      key.slice(half) + key.slice(0, half),
      `\${STORE_API_KEY:${half}}\${STORE_API_KEY:0:${half}}`,
    ]),
  }),
  wrongKey(
    'rewritten-key',
    'the key in another notation: percent-encoded, in quotes, in base64, without hyphens, twice, or with more text',
    {
      'the key, percent-encoded': computed(0, key =>
        fits(key, 3)
          ? [
              Buffer.from(key).toString('hex').replace(/../g, '%$&'),
              `$(printf %s "$STORE_API_KEY" | xxd -p -c 0 | sed 's/../%&/g')`,
            ]
          : undefined,
      ),
      'the key in quotes': bearer('"{key}"'),
      'the key in base64': computed(0, key => [
        Buffer.from(key).toString('base64'),
        '$(printf %s "$STORE_API_KEY" | base64 -w 0)',
      ]),
      'the key without hyphens and underscores': computed(0, key => {
        const bare = key.replaceAll(/[-_]/g, '')
        return bare === '' || isUuid(key) ? undefined : [bare, '${STORE_API_KEY//[-_]/}']
      }),
      'the key twice': (key, known) => (fits(key, 2) ? bearer('{key}{key}')(key, known) : undefined),
      'the key after a second Bearer': bearer('Bearer {key}'),
      'the key, followed by a dot and other text': bearer('{key}.x'),
      'the key, followed by a colon and other text': bearer('{key}:x'),
      'the key in a list': bearer(`${NEVER_ISSUED},{key}`),
      'the key behind another one and a second Bearer': bearer(`${NEVER_ISSUED}, Bearer {key}`),
      'the key with a space inside': computed(2, (key, half) => [
        `${key.slice(0, half)} ${key.slice(half)}`,
        `\${STORE_API_KEY:0:${half}} \${STORE_API_KEY:${half}}`,
      ]),
      'the key with hyphens and underscores exchanged': computed(0, key => [
        key.replaceAll(/[-_]/g, each => (each === '-' ? '_' : '-')),
        `$(printf %s "$STORE_API_KEY" | tr _- -_)`,
      ]),
    },
    {
      because: '§5 shows the header with the API key as it is. The key in another notation is another key.',
    },
  ),
  wrongKey(
    'unusual-key',
    'unknown keys that are very long or not ASCII',
    {
      'a key of 4000 characters': long(4_000),
      'the key, followed by letters that are not ASCII': notAscii('{key}ключ'),
      'the key, followed by a letter with an accent': notAscii('{key}é'),
      'a key of 20000 characters': long(20_000),
    },
    {
      expected: '4xx',
      because:
        '§5 states 401 for an invalid key. A server may refuse such a header with another 4xx before it reads the key.',
    },
  ),
  wrongKey(
    'two-headers',
    'two Authorization headers with unknown keys',
    {
      'two Authorization headers with unknown keys': repeated(NEVER_ISSUED, 'never-issued-7d1b6e2a90'),
      'two equal Authorization headers with an unknown key': repeated(NEVER_ISSUED, NEVER_ISSUED),
    },
    {
      expected: '4xx',
      because:
        '§5: neither key is valid. RFC 9110 §5.3 does not allow to repeat the header, so a store may also answer 400.',
    },
  ),
]

/** The key, with the scheme in another case (RFC 9110 §11.1 compares schemes without case). */
export const lowerCaseScheme: Credential = {
  name: 'scheme-case',
  title: 'the scheme in lower case',
  make: header('bearer {key}'),
}
