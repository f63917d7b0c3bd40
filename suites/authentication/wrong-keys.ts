import {
  asBasicUser,
  type Credential,
  followedKey,
  header,
  inOtherHeaders,
  inQuery,
  NEVER_ISSUED,
  noKey,
  OTHER_NEVER_ISSUED,
  repeated,
  unknownKey,
} from './credentials.ts'

const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = jwtPart({ sub: 'store', scope: 'admin', exp: 4102444800 })

interface Facts {
  /** Any status that refuses the request, because it may be refused before the key is read. */
  readonly expected?: '4xx'
  /** Why none of the credentials may be made from a key. */
  readonly unless?: string
  /** Without it, the rule is required, or implied where `because` gives a reason. */
  readonly level?: 'advisory'
  readonly because?: string
}

/** A credential, or several by their titles: the value of the header Authorization, or how it is made. */
type Makes = string | Credential['make'] | Readonly<Record<string, string | Credential['make']>>

const SHORT = { unless: 'the key has one character' }

/** By the name of the rule, without `auth-`. Each title continues the phrase "a request with …". */
const ROWS: Readonly<Record<string, readonly [title: string, Makes, Facts?]>> = {
  'no-header': [noKey.title, noKey.make],
  'unknown-key': [unknownKey.title, unknownKey.make],
  'basic-scheme': [
    'the key with the scheme Token or Basic',
    { 'the key with the scheme Token': 'Token {key}', 'the key with the scheme Basic': 'Basic {key}' },
  ],
  'basic-user': [
    'the key as the user name and the password of Basic',
    asBasicUser,
    { unless: 'the key is too long to be sent twice in base64' },
  ],
  'equal-length-scheme': ['the key with the scheme ApiKey, which is as long as Bearer', 'ApiKey {key}'],
  'longer-scheme': ['the key with a scheme that only ends in Bearer', 'XBearer {key}'],
  'joined-scheme': ['the key after Bearer without a space', 'Bearer{key}'],
  'bare-key': ['the key without a scheme', '{key}'],
  'empty-bearer': ['Bearer with nothing after it', 'Bearer'],
  'extended-key': ['the key with a character added', 'Bearer {key}x'],
  'followed-key': [
    followedKey.title,
    followedKey.make,
    {
      level: 'advisory',
      because:
        'The document is silent. The request has the right scheme and the right key, and many servers read the second word of the header only. RFC 6750 §2.1 allows no further words.',
    },
  ],
  'prefixed-key': ['the key with a character before it', 'Bearer x{key}'],
  'cut-key': ['the key without its last character', 'Bearer {without last}', SHORT],
  'tail-key': ['the key without its first character', 'Bearer {without first}', SHORT],
  'case-changed-key': [
    'the key in another case',
    'Bearer {other case}',
    { unless: 'the key has no letters, or is a UUID, whose case has no meaning' },
  ],
  'equal-length-key': ['a key that differs in its last character', 'Bearer {without last}{other last}'],
  'key-inside': ['the key inside a longer string', 'Bearer x{key}x'],
  'query-key': ['the key only in the query string', inQuery],
  'x-api-key': ['the key only in other headers, such as X-API-Key', inOtherHeaders],
  'revoked-key': [
    'a key that was revoked',
    'Bearer {revoked}',
    { unless: 'no revoked key is given: STORE_REVOKED_API_KEY' },
  ],
  'placeholder-key': [
    'what programs print for a missing key, such as null or undefined',
    Object.fromEntries(
      ['null', 'undefined', 'None', 'nil', 'NaN', '[object Object]', '""', '0'].map(text => [
        `the key ${text}`,
        `Bearer ${text}`,
      ]),
    ),
  ],
  'odd-key': [
    'unknown keys of unusual form: one character, quotes, or the form of a JWT',
    {
      'a key of one character': 'Bearer x',
      'a key with quotes': "Bearer ' OR '1'='1",
      'a regular expression': 'Bearer .*',
      'a wildcard': 'Bearer *',
      'a wildcard of SQL': 'Bearer %',
      'a name that every object of JavaScript has': 'Bearer constructor',
      'an unsigned JWT': `Bearer ${jwtPart({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      'a JWT': `Bearer ${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${claims}.c2lnbmF0dXJl`,
    },
  ],
  'partial-key': [
    'keys that are equal to the key in part',
    {
      'a key that differs in its first character': 'Bearer {other first}{without first}',
      'a key that differs in its middle character': 'Bearer {first half}{other middle}{after middle}',
      'the first half of the key': 'Bearer {first half}',
      'the last half of the key': 'Bearer {last half}',
      'the key with its halves exchanged': 'Bearer {last half}{first half}',
    },
  ],
  'rewritten-key': [
    'the key in another notation: percent-encoded, in quotes, in base64, without hyphens, twice, or with more text',
    {
      'the key, percent-encoded': 'Bearer {percent-encoded}',
      'the key in quotes': 'Bearer "{key}"',
      'the key in base64': 'Bearer {base64}',
      'the key without hyphens and underscores': 'Bearer {without hyphens}',
      'the key twice': 'Bearer {twice}',
      'the key after a second Bearer': 'Bearer Bearer {key}',
      'the key, followed by a dot and other text': 'Bearer {key}.x',
      'the key, followed by a colon and other text': 'Bearer {key}:x',
      'the key in a list': `Bearer ${NEVER_ISSUED},{key}`,
      'the key first in a list': `Bearer {key},${NEVER_ISSUED}`,
      'the key behind another one and a second Bearer': `Bearer ${NEVER_ISSUED}, Bearer {key}`,
      'the key with a space inside': 'Bearer {first half} {last half}',
      'the key with hyphens and underscores exchanged': 'Bearer {hyphens exchanged}',
    },
    {
      because: '§5 shows the header with the API key as it is. The key in another notation is another key.',
    },
  ],
  'unusual-key': [
    'unknown keys that are very long or not ASCII',
    {
      'a key of 4000 characters': 'Bearer {long}',
      'the key, followed by letters that are not ASCII': 'Bearer {key}ключ',
      // Of two texts with as many characters, a comparison of bytes may throw.
      'the key with a letter with an accent in place of its last two characters':
        'Bearer {without last two}é',
      'a key of 20000 characters': 'Bearer {very long}',
    },
    {
      expected: '4xx',
      because:
        '§5 states 401 for an invalid key. A server may refuse such a header with another 4xx before it reads the key.',
    },
  ],
  'two-headers': [
    'two Authorization headers with unknown keys',
    {
      'two Authorization headers with unknown keys': repeated(NEVER_ISSUED, OTHER_NEVER_ISSUED),
      'two equal Authorization headers with an unknown key': repeated(NEVER_ISSUED, NEVER_ISSUED),
    },
    {
      expected: '4xx',
      because:
        '§5: neither key is valid. RFC 9110 §5.3 does not allow to repeat the header, so a store may also answer 400.',
    },
  ],
}

/** The rules about wrong keys (§5): each of its credentials differs from the valid one in one thing. */
export const keyRules = Object.entries(ROWS).map(([name, [title, makes, facts = {}]]) => {
  const { expected = 401 as const, unless = 'the key allows no such request', because } = facts
  const level = facts.level ?? ('implied' as const)
  const all = typeof makes === 'object' ? makes : { [title]: makes }
  return {
    name,
    title,
    expected,
    unless,
    basis: because === undefined ? { level: 'required' as const } : { level, because },
    credentials: Object.entries(all).map(
      ([title, make]): Credential => ({ name, title, make: typeof make === 'string' ? header(make) : make }),
    ),
  }
})
