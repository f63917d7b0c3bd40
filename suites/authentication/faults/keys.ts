import { operationIds, operations } from '../../../support/interface/operations.ts'
import type { Connection, Context, Fault } from '../../../support/reference/authoring.ts'

const header = ({ headers }: Context): string => headers.get('authorization') ?? ''

/** Also accepts a key that is presented in another way. */
const alsoFrom =
  (find: (ctx: Context) => string | null | undefined): Fault['override'] =>
  base => ({ credential: ctx => base.credential(ctx) ?? find(ctx) ?? undefined })

const compared =
  (same: (sent: string, key: string) => boolean): Fault['override'] =>
  () => ({ sameKey: same })

/** Credentials that are accepted and should not be, and the reverse. */
export const faults: readonly Fault[] = [
  ...operationIds.map(
    (id): Fault => ({
      id: `open-${operations[id].slug}`,
      title: `${id} does not check the key`,
      breaks: [`auth-no-header-${operations[id].slug}`],
      override: base => ({
        authenticate: ctx => (ctx.operation === id ? undefined : base.authenticate(ctx)),
      }),
    }),
  ),
  ...operationIds.map(
    (id): Fault => ({
      id: `any-key-${operations[id].slug}`,
      title: `${id} accepts any key`,
      breaks: [`auth-unknown-key-${operations[id].slug}`],
      override: base => ({
        isKey: (sent, ctx) => ctx.operation === id || base.isKey(sent, ctx),
      }),
    }),
  ),
  ...operationIds.map(
    (id): Fault => ({
      id: `refuses-key-${operations[id].slug}`,
      title: `${id} refuses the API key`,
      breaks: [`auth-valid-key-${operations[id].slug}`],
      override: base => ({ isKey: (sent, ctx) => ctx.operation !== id && base.isKey(sent, ctx) }),
    }),
  ),
  {
    id: 'key-by-beginning',
    title: 'A key is accepted if it begins with the API key',
    breaks: ['auth-extended-key-*'],
    override: compared((sent, key) => sent.startsWith(key)),
  },
  {
    id: 'key-by-end',
    title: 'A key is accepted if it ends with the API key',
    breaks: ['auth-prefixed-key-*'],
    override: compared((sent, key) => sent.endsWith(key)),
  },
  {
    id: 'key-contained',
    title: 'A key is accepted if it contains the API key',
    breaks: ['auth-extended-key-*', 'auth-prefixed-key-*', 'auth-key-inside-*'],
    override: compared((sent, key) => sent.includes(key)),
  },
  {
    id: 'key-between-others',
    title: 'A key is accepted if it is the API key between two other characters',
    breaks: ['auth-key-inside-*'],
    override: base => ({
      sameKey: (sent, key) => base.sameKey(sent, key) || sent.slice(1, -1) === key,
    }),
  },
  {
    id: 'key-cut',
    title: 'A key is accepted if the API key begins with it',
    breaks: ['auth-cut-key-*'],
    override: compared((sent, key) => key.startsWith(sent)),
  },
  {
    id: 'key-tail',
    title: 'A key is accepted if the API key ends with it',
    breaks: ['auth-tail-key-*'],
    override: compared((sent, key) => key.endsWith(sent)),
  },
  {
    id: 'key-by-length',
    title: 'A key is accepted if it is as long as the API key',
    breaks: ['auth-equal-length-key-*', 'auth-case-changed-key-*'],
    override: compared((sent, key) => sent.length === key.length),
  },
  {
    id: 'key-all-but-last',
    title: 'The last character of the key is not compared',
    breaks: ['auth-equal-length-key-*'],
    override: compared((sent, key) => sent.length === key.length && sent.slice(0, -1) === key.slice(0, -1)),
  },
  {
    id: 'key-in-any-case',
    title: 'Keys are compared without case, as by a database with such a collation',
    breaks: ['auth-case-changed-key-*'],
    override: compared((sent, key) => sent.toLowerCase() === key.toLowerCase()),
  },
  {
    id: 'key-revoked-accepted',
    title: 'A revoked key is accepted',
    breaks: ['auth-revoked-key-*'],
    override: base => ({ isKey: (sent, ctx) => ctx.keys.revoked.includes(sent) || base.isKey(sent, ctx) }),
  },
  {
    id: 'basic-accepted',
    title: 'The key is accepted with the scheme Basic',
    breaks: ['auth-basic-scheme-*'],
    override: alsoFrom(ctx => /^Basic (.+)$/i.exec(header(ctx))?.[1]),
  },
  {
    id: 'basic-user-accepted',
    title: 'The key is accepted as the user name of Basic',
    breaks: ['auth-basic-user-*'],
    override: alsoFrom(ctx => {
      const [, credentials = ''] = /^Basic (.+)$/i.exec(header(ctx)) ?? []
      return Buffer.from(credentials, 'base64').toString().split(':')[0]
    }),
  },
  {
    id: 'any-scheme-accepted',
    title: 'The key is accepted with any scheme',
    breaks: ['auth-basic-scheme-*'],
    override: alsoFrom(ctx => header(ctx).split(' ')[1]),
  },
  {
    id: 'bare-key-accepted',
    title: 'The key is accepted without a scheme',
    breaks: ['auth-bare-key-*'],
    override: alsoFrom(ctx => header(ctx)),
  },
  {
    id: 'scheme-of-any-letters',
    title: 'The first seven characters of the header are skipped without being compared',
    breaks: ['auth-digest-scheme-*'],
    override: alsoFrom(ctx => header(ctx).slice(7)),
  },
  {
    id: 'scheme-by-its-end',
    title: 'A scheme that ends in Bearer is accepted',
    breaks: ['auth-longer-scheme-*'],
    override: alsoFrom(ctx => /Bearer (.+)$/.exec(header(ctx))?.[1]),
  },
  {
    id: 'scheme-by-its-beginning',
    title: 'The space between Bearer and the key is optional',
    breaks: ['auth-joined-scheme-*'],
    override: alsoFrom(ctx => /^Bearer(.+)$/.exec(header(ctx))?.[1]?.trim()),
  },
  {
    id: 'last-word-accepted',
    title: 'The last word of the header is taken as the key',
    breaks: ['auth-bare-key-*', 'auth-basic-scheme-*'],
    override: alsoFrom(ctx => header(ctx).split(' ').at(-1)),
  },
  {
    id: 'second-word-accepted',
    title: 'The second word of the header is taken as the key, and further words are ignored',
    breaks: ['auth-followed-key-*'],
    override: base => ({ credential: ctx => base.credential(ctx)?.split(' ')[0] }),
  },
  {
    id: 'empty-bearer-accepted',
    title: 'Bearer without a key is accepted',
    breaks: ['auth-empty-bearer-*'],
    override: base => ({
      authenticate: ctx => (/^Bearer\s*$/i.test(header(ctx)) ? undefined : base.authenticate(ctx)),
    }),
  },
  {
    id: 'query-key-accepted',
    title: 'The key is accepted in the query parameter api_key',
    breaks: ['auth-query-key-*'],
    override: alsoFrom(ctx => ctx.url.searchParams.get('api_key')),
  },
  {
    id: 'query-access-token-accepted',
    title: 'The key is accepted in the query parameter access_token (RFC 6750 §2.3)',
    breaks: ['auth-query-key-*'],
    override: alsoFrom(ctx => ctx.url.searchParams.get('access_token')),
  },
  {
    id: 'x-api-key-accepted',
    title: 'The key is accepted in the header X-API-Key',
    breaks: ['auth-x-api-key-*'],
    override: alsoFrom(ctx => ctx.headers.get('x-api-key')),
  },
  {
    id: 'connection-stays-open',
    title: 'After a request with the key, further requests on the connection need none',
    breaks: ['auth-each-request-*'],
    override: base => {
      const good = new WeakSet<Connection>()
      return {
        authenticate: async ctx => {
          if (good.has(ctx.connection)) return
          await base.authenticate(ctx)
          good.add(ctx.connection)
        },
      }
    },
  },
  {
    id: 'connection-stays-open-for-any-key',
    title: 'After a request with the key, further requests on the connection are accepted with any key',
    breaks: ['auth-each-request-*'],
    override: base => {
      const good = new WeakSet<Connection>()
      return {
        isKey: (sent, ctx) => {
          if (base.isKey(sent, ctx)) good.add(ctx.connection)
          return good.has(ctx.connection)
        },
      }
    },
  },
  {
    id: 'scheme-in-one-case',
    title: 'The scheme is accepted only as Bearer, in this case',
    breaks: ['auth-scheme-case-*'],
    override: base => ({
      credential: ctx => (header(ctx).startsWith('Bearer ') ? base.credential(ctx) : undefined),
    }),
  },
]
