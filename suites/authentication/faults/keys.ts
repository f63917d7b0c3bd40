import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  breaking,
  type ClientConnection,
  type Context,
  decidedFirst,
  type Fault,
  type Override,
  only,
  resultChanged,
} from '../../../support/reference/authoring.ts'

const header = ({ headers }: Context): string => headers.get('authorization') ?? ''

/** Also accepts keys that are not the valid one. */
const accepting = (isAccepted: (sent: string, key: string) => boolean): Override =>
  resultChanged('isKey', (isKey, sent, { keys }) => isKey || isAccepted(sent, keys.valid))

/** Also accepts the key if it is presented in another way. */
const alsoFrom = (find: (ctx: Context) => string | null | undefined): Override =>
  resultChanged('credential', (key, ctx) => key ?? find(ctx) ?? undefined)

/** Accepts such requests without looking at the key. */
const unchecked =
  (isMet: (header: string) => boolean): Override =>
  base => ({ authenticate: ctx => (isMet(header(ctx)) ? undefined : base.authenticate(ctx)) })

const decoded = (text = ''): string => Buffer.from(text, 'base64').toString()

const bare = (text: string): string =>
  text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/[^A-Za-z0-9]/g, '')

const half = (key: string): number => Math.floor(key.length / 2)

/** What is accepted and should not be, by the rule about it. */
const accepted: Readonly<Record<string, readonly [title: string, override: Override]>> = {
  'unknown-key': ['Any key is accepted', accepting(() => true)],
  'extended-key': [
    'A key that begins with the API key is accepted',
    accepting((sent, key) => sent.startsWith(key)),
  ],
  'prefixed-key': [
    'A key that ends with the API key is accepted',
    accepting((sent, key) => sent.endsWith(key)),
  ],
  'key-inside': [
    'The API key between two other characters is accepted',
    accepting((sent, key) => sent.slice(1, -1) === key),
  ],
  'cut-key': [
    'A key with which the API key begins is accepted',
    accepting((sent, key) => sent.length > half(key) && key.startsWith(sent)),
  ],
  'tail-key': ['A key with which the API key ends is accepted', accepting((sent, key) => key.endsWith(sent))],
  'equal-length-key': [
    'A key that differs in its last character is accepted',
    accepting((sent, key) => sent.slice(0, -1) === key.slice(0, -1)),
  ],
  'case-changed-key': [
    'A key in another case is accepted',
    accepting((sent, key) => sent.toLowerCase() === key.toLowerCase()),
  ],
  'partial-key': [
    'A key with another first half is accepted',
    accepting(
      (sent, key) => sent.length === key.length && sent.slice(half(key) + 1) === key.slice(half(key) + 1),
    ),
  ],
  'placeholder-key': [
    'A key that a missing setting leaves is accepted',
    accepting(sent => /^(null|undefined|None|nil|NaN|0|""|\[.*\])$/.test(sent)),
  ],
  'odd-key': ['A JWT is accepted as the key', accepting(sent => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(sent))],
  'rewritten-key': [
    'A key that has the letters and digits of the API key is accepted',
    accepting((sent, key) => bare(sent) === bare(key)),
  ],
  'unusual-key': [
    'A key that is too long to be compared is accepted',
    accepting(sent => sent.length > 2_000),
  ],
  'revoked-key': [
    'A revoked key is accepted',
    resultChanged('isKey', (isKey, sent, { keys }) => isKey || keys.revoked.includes(sent)),
  ],
  'basic-scheme': ['The key is accepted with any scheme', alsoFrom(ctx => header(ctx).split(' ')[1])],
  'basic-user': [
    'The key is accepted as the password of Basic',
    alsoFrom(ctx => decoded(/^Basic (.+)$/i.exec(header(ctx))?.[1]).split(':')[1]),
  ],
  'equal-length-scheme': [
    'The key is accepted after seven characters that are not compared',
    alsoFrom(ctx => header(ctx).slice(7)),
  ],
  'longer-scheme': [
    'The key is accepted with a scheme that ends in Bearer',
    alsoFrom(ctx => /Bearer (.+)$/.exec(header(ctx))?.[1]),
  ],
  'joined-scheme': [
    'The key is accepted after Bearer without a space',
    alsoFrom(ctx => /^Bearer(.+)$/.exec(header(ctx))?.[1]?.trim()),
  ],
  'bare-key': ['The key is accepted without a scheme', alsoFrom(header)],
  'query-key': [
    'The key is accepted in the query (RFC 6750 §2.3)',
    alsoFrom(({ url }) => url.searchParams.get('access_token')),
  ],
  'x-api-key': [
    'The key is accepted in the header X-API-Key',
    alsoFrom(({ headers }) => headers.get('x-api-key')),
  ],
  'followed-key': [
    'The second word of the header is taken as the key, and further words are ignored',
    resultChanged('credential', key => key?.split(' ')[0]),
  ],
  'two-headers': [
    'A request with two Authorization headers is accepted',
    // A single header may contain two credentials as well, of which the second is the API key.
    unchecked(sent => sent.includes(', Bearer never-issued')),
  ],
  'empty-bearer': ['Bearer without a key is accepted', unchecked(sent => /^Bearer\s*$/i.test(sent))],
}

/** Credentials that are accepted and should not be, and the reverse. */
export const faults: readonly Fault[] = [
  ...operationIds.flatMap(id => [
    ...breaking(`auth-no-header/${id}`, {
      [`open-${operations[id].slug}`]: [
        `${id} does not check the key`,
        only(id, () => ({ authenticate: () => {} })),
      ],
    }),
    ...breaking(`auth-valid-key/${id}`, {
      [`refuses-key-${operations[id].slug}`]: [
        `${id} refuses the API key`,
        only(id, () => ({ isKey: () => false })),
      ],
    }),
  ]),
  ...Object.entries(accepted).flatMap(([rule, change]) =>
    breaking(`auth-${rule}`, { [`${rule}-accepted`]: change }),
  ),
  ...breaking('auth-unusual-key', {
    'key-not-ascii-500': [
      'A key that is not ASCII is answered 500',
      decidedFirst('authenticate', ctx => {
        if (/[^ -~]/.test(header(ctx))) throw new TypeError('the header is not readable')
      }),
    ],
    'key-not-ascii-dropped': [
      'Characters of a key that are not ASCII are dropped before it is compared',
      resultChanged('credential', key => key?.replace(/[^ -~]/g, '')),
    ],
  }),
  ...breaking('auth-each-request', {
    'connection-stays-open': [
      'After a request with the key, further requests on the connection need none',
      base => {
        const good = new WeakSet<ClientConnection>()
        return {
          authenticate: async ctx => {
            if (good.has(ctx.connection)) return
            await base.authenticate(ctx)
            good.add(ctx.connection)
          },
        }
      },
    ],
  }),
  ...breaking('auth-scheme-case', {
    'scheme-in-one-case': [
      'The scheme is accepted only as Bearer, in this case',
      resultChanged('credential', (key, ctx) => (header(ctx).startsWith('Bearer ') ? key : undefined)),
    ],
  }),
]
