import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  breaking,
  type Connection,
  type Context,
  type Fault,
  type Override,
  only,
} from '../../../support/reference/authoring.ts'

const header = ({ headers }: Context): string => headers.get('authorization') ?? ''

/** Also accepts keys that are not the valid one. */
const accepting =
  (isAccepted: (sent: string, key: string) => boolean): Override =>
  base => ({ isKey: (sent, ctx) => base.isKey(sent, ctx) || isAccepted(sent, ctx.keys.valid) })

/** Also accepts the key if it is presented in another way. */
const alsoFrom =
  (find: (ctx: Context) => string | null | undefined): Override =>
  base => ({ credential: ctx => base.credential(ctx) ?? find(ctx) ?? undefined })

const failing =
  (isMet: (sent: string) => boolean): Override =>
  base => ({
    authenticate: ctx => {
      if (isMet(header(ctx))) throw new TypeError('the header is not readable')
      return base.authenticate(ctx)
    },
  })

/** Remembers connections on which a request with the key was accepted. */
const perConnection =
  (change: (base: Parameters<Override>[0], good: WeakSet<Connection>) => ReturnType<Override>): Override =>
  base =>
    change(base, new WeakSet())

const decoded = (text = ''): string => Buffer.from(text, 'base64').toString()

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const bare = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '')

const half = (key: string): number => Math.floor(key.length / 2)

/** Wrong keys that are accepted, by the rule about them. */
const keys: Readonly<
  Record<string, readonly [which: string, isAccepted: (sent: string, key: string) => boolean]>
> = {
  'unknown-key': ['of any kind', () => true],
  'extended-key': ['that begins with the API key', (sent, key) => sent.startsWith(key)],
  'prefixed-key': ['that ends with the API key', (sent, key) => sent.endsWith(key)],
  'key-inside': [
    'that is the API key between two other characters',
    (sent, key) => sent.slice(1, -1) === key,
  ],
  'cut-key': [
    'with which the API key begins',
    (sent, key) => sent.length > half(key) && key.startsWith(sent),
  ],
  'tail-key': ['with which the API key ends', (sent, key) => key.endsWith(sent)],
  'equal-length-key': [
    'that differs in its last character',
    (sent, key) => sent.slice(0, -1) === key.slice(0, -1),
  ],
  'case-changed-key': ['in another case', (sent, key) => sent.toLowerCase() === key.toLowerCase()],
  'partial-key': [
    'with another first half',
    (sent, key) => sent.length === key.length && sent.slice(half(key) + 1) === key.slice(half(key) + 1),
  ],
  'placeholder-key': [
    'that a missing setting leaves',
    sent => /^(null|undefined|None|nil|NaN|0|""|\[.*\])$/.test(sent),
  ],
  'odd-key': ['that is a JWT', sent => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(sent)],
  'rewritten-key': [
    'that has the letters and digits of the key',
    (sent, key) => bare(percentDecoded(sent)) === bare(key),
  ],
  'unusual-key': ['that is too long to be compared', sent => sent.length > 2_000],
}

/** Where the key is found and should not be, by the rule about it. */
const places: Readonly<
  Record<string, readonly [how: string, find: (ctx: Context) => string | null | undefined]>
> = {
  'basic-scheme': ['with any scheme', ctx => header(ctx).split(' ')[1]],
  'basic-user': [
    'as the user name of Basic',
    ctx => decoded(/^Basic (.+)$/i.exec(header(ctx))?.[1])?.split(':')[0],
  ],
  'bare-key': ['without a scheme', header],
  'digest-scheme': ['after seven characters that are not compared', ctx => header(ctx).slice(7)],
  'longer-scheme': ['with a scheme that ends in Bearer', ctx => /Bearer (.+)$/.exec(header(ctx))?.[1]],
  'joined-scheme': ['after Bearer without a space', ctx => /^Bearer(.+)$/.exec(header(ctx))?.[1]?.trim()],
  'query-key': ['in the query (RFC 6750 §2.3)', ({ url }) => url.searchParams.get('access_token')],
  'x-api-key': ['in the header X-API-Key', ({ headers }) => headers.get('x-api-key')],
}

/** Credentials that are accepted and should not be, and the reverse. */
export const faults: readonly Fault[] = [
  ...operationIds.flatMap(id => [
    ...breaking(`auth-no-header-${operations[id].slug}`, {
      [`open-${operations[id].slug}`]: [
        `${id} does not check the key`,
        only(id, 'authenticate', () => () => {}),
      ],
    }),
    ...breaking(`auth-valid-key-${operations[id].slug}`, {
      [`refuses-key-${operations[id].slug}`]: [
        `${id} refuses the API key`,
        only(id, 'isKey', () => () => false),
      ],
    }),
  ]),
  ...Object.entries(keys).flatMap(([rule, [which, isAccepted]]) =>
    breaking(`auth-${rule}-*`, {
      [`${rule}-accepted`]: [`A key ${which} is accepted`, accepting(isAccepted)],
    }),
  ),
  ...Object.entries(places).flatMap(([rule, [how, find]]) =>
    breaking(`auth-${rule}-*`, { [`${rule}-accepted`]: [`The key is accepted ${how}`, alsoFrom(find)] }),
  ),
  ...breaking('auth-unusual-key-*', {
    'key-not-ascii-500': ['A key that is not ASCII is answered 500', failing(sent => /[^ -~]/.test(sent))],
  }),
  ...breaking('auth-revoked-key-*', {
    'revoked-key-accepted': [
      'A revoked key is accepted',
      base => ({ isKey: (sent, ctx) => ctx.keys.revoked.includes(sent) || base.isKey(sent, ctx) }),
    ],
  }),
  ...breaking('auth-two-headers-*', {
    'two-headers-accepted': [
      'A request with two Authorization headers is accepted',
      base => ({
        authenticate: ctx => (header(ctx).includes(', Bearer') ? undefined : base.authenticate(ctx)),
      }),
    ],
  }),
  ...breaking('auth-followed-key-*', {
    'second-word-accepted': [
      'The second word of the header is taken as the key, and further words are ignored',
      base => ({ credential: ctx => base.credential(ctx)?.split(' ')[0] }),
    ],
  }),
  ...breaking('auth-empty-bearer-*', {
    'empty-bearer-accepted': [
      'Bearer without a key is accepted',
      base => ({
        authenticate: ctx => (/^Bearer\s*$/i.test(header(ctx)) ? undefined : base.authenticate(ctx)),
      }),
    ],
  }),
  ...breaking(['auth-odd-key-cancel-order', 'auth-odd-key-list-inventory'], {
    'quotes-in-key': [
      'The key is part of a database query, so that quotes in it match any key',
      accepting(sent => sent.includes("' OR '")),
    ],
  }),
  ...breaking(['auth-partial-key-list-orders', 'auth-partial-key-update-inventory'], {
    'half-key': [
      'The first half of the key is accepted',
      accepting((sent, key) => sent === key.slice(0, half(key))),
    ],
  }),
  ...breaking('auth-each-request-*', {
    'connection-stays-open': [
      'After a request with the key, further requests on the connection need none',
      perConnection((base, good) => ({
        authenticate: async ctx => {
          if (good.has(ctx.connection)) return
          await base.authenticate(ctx)
          good.add(ctx.connection)
        },
      })),
    ],
    'connection-stays-open-for-any-key': [
      'After a request with the key, further requests on the connection are accepted with any key',
      perConnection((base, good) => ({
        isKey: (sent, ctx) => {
          if (base.isKey(sent, ctx)) good.add(ctx.connection)
          return good.has(ctx.connection)
        },
      })),
    ],
  }),
  ...breaking('auth-scheme-case-*', {
    'scheme-in-one-case': [
      'The scheme is accepted only as Bearer, in this case',
      base => ({ credential: ctx => (header(ctx).startsWith('Bearer ') ? base.credential(ctx) : undefined) }),
    ],
  }),
]
