import type { Header } from '../../support/interface/description.ts'

/** Another key of the store. */
interface Known {
  readonly revokedApiKey?: string | undefined
}

/** What a request presents as the API key, or instead of it. */
export interface Credential {
  readonly name: string
  /** Continues the phrase "a request with …". */
  readonly title: string
  /** @returns undefined if it cannot be made from this key: a key without letters has no other case */
  make(key: string, known: Known): Presented | undefined
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

type Make = Credential['make']

/**
 * Characters of all copies of a key in one request. Common servers refuse more than 8 KiB of headers, 4,094 characters of request line
 * (Gunicorn) or 2,048 of query (IIS) before they read the key.
 */
const ROOM = { headers: 6_000, query: 1_900 }

const fits = (key: string, copies: number, room = ROOM.headers): boolean => key.length * copies <= room

/** As many of these as can carry a copy of a long key, such as a JWT, and at least one. */
const carriersOf = <Carrier>(carriers: readonly Carrier[], key: string, room?: number): readonly Carrier[] =>
  carriers.filter((_, at) => at === 0 || fits(key, at + 1, room))

const half = (key: string): number => Math.floor(key.length / 2)

/** A store may keep such a key as a UUID, which it reads in any case (RFC 9562 §4), and often without hyphens. */
const isUuid = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)

/**
 * Another character, in more than its case. Of the last character of a base64 text decoders ignore low bits, so the two highest bits
 * differ.
 */
const otherThan = (character: string): string => (/[w-z0-9+/_-]/.test(character) ? 'A' : '9')

/** A wildcard for one character, in SQL. */
const wildcard = (key: string): string => (key.charAt(half(key)) === '_' ? 'A' : '_')

type Part = readonly [value: (key: string, known: Known) => string, shell: string | ((key: string) => string)]

/** What `{name}` stands for in a text, and the same for a shell. An empty one cannot be made from the key. */
const PARTS: Readonly<Record<string, Part>> = {
  key: [key => key, '${STORE_API_KEY}'],
  revoked: [(_, { revokedApiKey = '' }) => revokedApiKey, '$STORE_REVOKED_API_KEY'],
  'without last': [key => key.slice(0, -1), '${STORE_API_KEY%?}'],
  'without last two': [key => key.slice(0, -2), '${STORE_API_KEY%??}'],
  'without first': [key => key.slice(1), '${STORE_API_KEY#?}'],
  'first half': [key => key.slice(0, half(key)), key => `\${STORE_API_KEY:0:${half(key)}}`],
  'last half': [key => key.slice(half(key)), key => `\${STORE_API_KEY:${half(key)}}`],
  'after middle': [key => key.slice(half(key) + 1), key => `\${STORE_API_KEY:${half(key) + 1}}`],
  'other first': [key => otherThan(key.slice(0, 1)), key => otherThan(key.slice(0, 1))],
  'other middle': [wildcard, wildcard],
  'other last': [key => otherThan(key.slice(-1)), key => otherThan(key.slice(-1))],
  'other case': [
    key => {
      const upper = key.toUpperCase()
      return isUuid(key) ? '' : upper === key ? key.toLowerCase() : upper
    },
    key => (key.toUpperCase() === key ? '${STORE_API_KEY,,}' : '${STORE_API_KEY^^}'),
  ],
  'percent-encoded': [
    key => (fits(key, 3) ? Buffer.from(key).toString('hex').replace(/../g, '%$&') : ''),
    `$(printf %s "$STORE_API_KEY" | xxd -p -c 0 | sed 's/../%&/g')`,
  ],
  twice: [key => (fits(key, 2) ? key + key : ''), '${STORE_API_KEY}${STORE_API_KEY}'],
  base64: [key => Buffer.from(key).toString('base64'), '$(printf %s "$STORE_API_KEY" | base64 -w 0)'],
  'without hyphens': [key => (isUuid(key) ? '' : key.replaceAll(/[-_]/g, '')), '${STORE_API_KEY//[-_]/}'],
  'hyphens exchanged': [
    key => key.replaceAll(/[-_]/g, each => (each === '-' ? '_' : '-')),
    '$(printf %s "$STORE_API_KEY" | tr _- -_)',
  ],
  // Common limits of a header are 8 and 16 KiB.
  long: [() => 'k'.repeat(4_000), '$(printf %04000d 0 | tr 0 k)'],
  'very long': [() => 'k'.repeat(20_000), '$(printf %020000d 0 | tr 0 k)'],
}

const filled = (text: string, write: (part: Part) => string): string =>
  text.replace(/\{(.+?)\}/g, (_, name: string) => write(PARTS[name] as Part))

/** This value of the header Authorization. It is not sent if it is that of the valid key, or if a part of it is empty. */
export const header =
  (text: string): Make =>
  (key, known) => {
    const values: string[] = []
    // Headers carry bytes, which are written as Latin-1 here.
    const value = filled(Buffer.from(text).toString('latin1'), ([make]) => {
      values.push(make(key, known))
      return values.at(-1) ?? ''
    })
    const escaped = text.replace(/["\\$`]/g, each => `\\${each}`)
    const shell = filled(escaped, ([, shell]) => (typeof shell === 'string' ? shell : shell(key)))
    return values.includes('') || value === `Bearer ${key}` ? undefined : authorization(value, shell)
  }

export const asBasicUser: Make = key =>
  fits(key, 3)
    ? {
        headers: [['Authorization', `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`]],
        shown: [['Authorization', 'Basic base64($STORE_API_KEY:$STORE_API_KEY)']],
        shell: ['-u', '"$STORE_API_KEY:$STORE_API_KEY"'],
      }
    : undefined

/** Encodes everything except unreserved characters (RFC 3986 §2.3), as curl does. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const PARAMETERS = ['access_token', 'api_key', 'apikey', 'apiKey', 'key', 'token']

export const inQuery: Make = key => {
  const encoded = percentEncoded(key)
  const names = carriersOf(PARAMETERS, encoded, ROOM.query)
  const queryWith = (value: string) => names.map(name => `${name}=${value}`).join('&')
  return {
    headers: [],
    shown: [],
    query: { sent: queryWith(encoded), shown: queryWith('$STORE_API_KEY') },
    shell: names.flatMap(name => ['--url-query', `"${name}=$STORE_API_KEY"`]),
  }
}

/** With what is before the key. A gateway that authenticates itself passes on the header of the client in X-Forwarded-Authorization. */
const OTHER_HEADERS = [
  ['X-API-Key', ''],
  ['Api-Key', ''],
  ['apikey', ''],
  ['X-Auth-Token', ''],
  ['X-Access-Token', ''],
  ['X-Authorization', ''],
  ['X-Forwarded-Authorization', 'Bearer '],
  ['Cookie', 'access_token='],
] as const

const withHeaders = (headers: readonly Header[], shown = headers): Presented => ({
  headers,
  shown,
  shell: shown.flatMap(([name, value]) => ['-H', `"${name}: ${value}"`]),
})

export const inOtherHeaders: Make = key => {
  const carriers = carriersOf(OTHER_HEADERS, key)
  const having = (value: string) => carriers.map(([name, scheme]): Header => [name, scheme + value])
  return withHeaders(having(key), having('$STORE_API_KEY'))
}

export const repeated = (...keys: readonly string[]): Make => {
  const headers = keys.map((key): Header => ['Authorization', `Bearer ${key}`])
  return () => withHeaders(headers)
}

export const NEVER_ISSUED = 'never-issued-0c9f7a5e3d'
export const OTHER_NEVER_ISSUED = 'never-issued-7d1b6e2a90'

export const unknownKey: Credential = {
  name: 'unknown-key',
  title: 'a key that was never issued',
  make: header(`Bearer ${NEVER_ISSUED}`),
}

/** The key, with the scheme in another case (RFC 9110 §11.1 compares schemes without case). */
export const lowerCaseScheme: Credential = {
  name: 'scheme-case',
  title: 'the scheme in lower case',
  make: header('bearer {key}'),
}

/** Many servers read the second word of the header only. */
export const followedKey: Credential = {
  name: 'followed-key',
  title: 'the key, followed by a space and another word',
  make: header('Bearer {key} x'),
}
