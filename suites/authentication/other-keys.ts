import { authorization, type Credential } from '../../support/authoring/index.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { otherThan } from './credentials.ts'

/** Forms of wrong keys that one rule covers together. */
export interface KeyForms {
  /** Names the rule: `auth-placeholder-key-list-orders`. */
  readonly name: string
  /** Continues the phrase "rejects". */
  readonly title: string
  /** `4xx`: any status that refuses the request, because it may be refused before the key is read. */
  readonly expected: 401 | '4xx'
  /** Why the rule has the level `implied`. Without it the level is `required`. */
  readonly because?: string
  /** Rules without the name of the operation, which must hold first. */
  readonly after: readonly string[]
  readonly credentials: readonly Credential[]
}

type Form = Pick<Credential, 'title' | 'make'>

const unlessShort = 'the key is too short for a part of it'
const forms = (name: string, all: readonly Form[], unless = 'it is the key itself'): Credential[] =>
  all.map((form, at) => ({ name: `${name}-${at + 1}`, mayBeAccepted: false, unless, ...form }))

/** A key that is written here. It is not sent if it is the valid key. */
const literal = (text: string, title = `the key ${text}`): Form => ({
  title,
  make: key => (key === text ? undefined : authorization(`Bearer ${text}`, `Bearer ${shellText(text)}`)),
})

const shellText = (text: string): string => text.replace(/["\\$`]/g, each => `\\${each}`)

/** Headers carry bytes, which are written as Latin-1 here. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1')

const partOf =
  (least: number, make: (key: string) => readonly [value: string, shell: string]): Form['make'] =>
  key => {
    if (key.length < least) return undefined
    const [value, shell] = make(key)
    return authorization(`Bearer ${value}`, `Bearer ${shell}`)
  }

const half = (key: string): number => Math.floor(key.length / 2)
const variable = (offset: number, length?: number): string =>
  `\${STORE_API_KEY:${offset}${length === undefined ? '' : `:${length}`}}`

const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = jwtPart({ sub: 'store', scope: 'admin', exp: 4102444800 })

/** A key of this many characters. Common limits of a header are 8 and 16 KiB. */
const long = (length: number): Form => ({
  title: `a key of ${length} characters`,
  make: () => authorization(`Bearer ${'k'.repeat(length)}`, `Bearer $(printf %0${length}d 0 | tr 0 k)`),
})

const repeated = (first: string, second: string): Form['make'] => {
  const values = [`Bearer ${first}`, `Bearer ${second}`]
  return () => ({
    headers: values.map(value => ['Authorization', value] as const),
    shell: values.flatMap(value => ['-H', `"Authorization: ${value}"`]),
  })
}

export const keyForms: readonly KeyForms[] = [
  {
    name: 'placeholder-key',
    title: 'what programs print for a missing key, such as null or undefined',
    expected: 401,
    after: ['auth-unknown-key'],
    credentials: forms('placeholder', [
      literal('null'),
      literal('undefined'),
      literal('None'),
      literal('nil'),
      literal('NaN'),
      literal('[object Object]'),
      literal('""'),
      literal('0'),
    ]),
  },
  {
    name: 'odd-key',
    title: 'unknown keys of unusual form: one character, quotes, or the form of a JWT',
    expected: 401,
    after: ['auth-unknown-key'],
    credentials: forms('odd', [
      literal('x', 'a key of one character'),
      literal("' OR '1'='1", 'a key with quotes'),
      literal(`${jwtPart({ alg: 'none', typ: 'JWT' })}.${claims}.`, 'an unsigned JWT'),
      literal(`${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${claims}.c2lnbmF0dXJl`, 'a JWT'),
    ]),
  },
  {
    name: 'partial-key',
    title: 'keys that are equal to the key in part',
    expected: 401,
    after: ['auth-cut-key', 'auth-tail-key', 'auth-equal-length-key'],
    credentials: forms(
      'partial',
      [
        {
          title: 'a key that differs in its first character',
          make: partOf(1, key => [
            `${otherThan(key.slice(0, 1))}${key.slice(1)}`,
            `${otherThan(key.slice(0, 1))}${variable(1)}`,
          ]),
        },
        {
          title: 'a key that differs in its middle character',
          make: partOf(3, key => {
            const at = half(key)
            const other = otherThan(key.charAt(at))
            return [
              `${key.slice(0, at)}${other}${key.slice(at + 1)}`,
              `${variable(0, at)}${other}${variable(at + 1)}`,
            ]
          }),
        },
        {
          title: 'the first half of the key',
          make: partOf(2, key => [key.slice(0, half(key)), variable(0, half(key))]),
        },
        {
          title: 'the last half of the key',
          make: partOf(2, key => [key.slice(half(key)), variable(half(key))]),
        },
      ],
      unlessShort,
    ),
  },
  {
    name: 'rewritten-key',
    title: 'the key in another notation: percent-encoded, in quotes, in base64, without hyphens, or twice',
    expected: 401,
    because: '§5 shows the header with the API key as it is. The key in another notation is another key.',
    after: ['auth-unknown-key', 'auth-extended-key', 'auth-prefixed-key', 'auth-key-inside'],
    credentials: forms('rewritten', [
      {
        title: 'the key, percent-encoded',
        make: key =>
          authorization(
            `Bearer ${Buffer.from(key).toString('hex').replace(/../g, '%$&')}`,
            `Bearer $(printf %s "$STORE_API_KEY" | xxd -p -c 0 | sed 's/../%&/g')`,
          ),
      },
      {
        title: 'the key in quotes',
        make: key => authorization(`Bearer "${key}"`, 'Bearer \\"$STORE_API_KEY\\"'),
      },
      {
        title: 'the key in base64',
        make: key =>
          authorization(
            `Bearer ${Buffer.from(key).toString('base64')}`,
            'Bearer $(printf %s "$STORE_API_KEY" | base64 -w 0)',
          ),
      },
      {
        title: 'the key without hyphens and underscores',
        make: key => {
          const bare = key.replaceAll(/[-_]/g, '')
          return bare === key || bare === ''
            ? undefined
            : authorization(`Bearer ${bare}`, 'Bearer ${STORE_API_KEY//[-_]/}')
        },
      },
      {
        title: 'the key twice',
        make: key => authorization(`Bearer ${key}${key}`, 'Bearer $STORE_API_KEY$STORE_API_KEY'),
      },
    ]),
  },
  {
    name: 'unusual-key',
    title: 'unknown keys that are very long or not ASCII',
    expected: '4xx',
    because:
      '§5 states 401 for an invalid key. A server may refuse such a header with another 4xx before it reads the key.',
    after: ['auth-unknown-key'],
    credentials: forms('unusual', [
      long(4_000),
      { title: 'a key that is not ASCII', make: () => authorization(bytes('Bearer ключ'), 'Bearer ключ') },
      { title: 'a key with an accent', make: () => authorization(bytes('Bearer clé'), 'Bearer clé') },
      long(20_000),
    ]),
  },
  {
    name: 'two-headers',
    title: 'two Authorization headers with unknown keys',
    expected: '4xx',
    because:
      '§5: neither key is valid. RFC 9110 §5.3 does not allow to repeat the header, so a store may also answer 400.',
    after: ['auth-unknown-key'],
    credentials: forms('two', [
      {
        title: 'two Authorization headers with unknown keys',
        make: repeated('never-issued-0c9f7a5e3d', 'never-issued-7d1b6e2a90'),
      },
      {
        title: 'two equal Authorization headers with an unknown key',
        make: repeated('never-issued-0c9f7a5e3d', 'never-issued-0c9f7a5e3d'),
      },
    ]),
  },
]

/** Each form is sent to one operation that reads and to one that changes: the first to listOrders and updateInventory. */
const SIDES: Readonly<Record<OperationId, 0 | 1>> = {
  listOrders: 0,
  cancelOrder: 1,
  listInventory: 1,
  updateInventory: 0,
}

export const formsFor = (operation: OperationId): readonly (readonly [KeyForms, Credential])[] =>
  keyForms.flatMap(group =>
    group.credentials
      .filter((_, at) => at % 2 === SIDES[operation])
      .map(credential => [group, credential] as const),
  )
