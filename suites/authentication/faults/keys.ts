import { operationIds, operations } from '../../../support/interface/operations.ts'
import type { Connection, Context, Fault } from '../../../support/reference/index.ts'

const header = ({ headers }: Context): string => headers.get('authorization') ?? ''

/** Lets in whoever shows this, besides whoever has the key. */
const alsoFrom =
  (find: (ctx: Context) => string | null | undefined): Fault['override'] =>
  base => ({ credential: ctx => base.credential(ctx) ?? find(ctx) ?? undefined })

const compared =
  (same: (sent: string, key: string) => boolean): Fault['override'] =>
  () => ({ sameKey: same })

/** Who is let in, and should not be. */
export const faults: readonly Fault[] = [
  ...operationIds.map(
    (id): Fault => ({
      id: `open-${operations[id].slug}`,
      title: `${id} asks nobody for a key`,
      breaks: [`auth-no-header-${operations[id].slug}`],
      override: base => ({
        authenticate: ctx => (ctx.operation === id ? undefined : base.authenticate(ctx)),
      }),
    }),
  ),
  ...operationIds.map(
    (id): Fault => ({
      id: `any-key-${operations[id].slug}`,
      title: `${id} takes any key`,
      breaks: [`auth-unknown-key-${operations[id].slug}`],
      override: base => ({
        isKey: (sent, ctx) => ctx.operation === id || base.isKey(sent, ctx),
      }),
    }),
  ),
  ...operationIds.map(
    (id): Fault => ({
      id: `refuses-key-${operations[id].slug}`,
      title: `${id} refuses the key itself`,
      breaks: [`auth-valid-key-${operations[id].slug}`],
      override: base => ({ isKey: (sent, ctx) => ctx.operation !== id && base.isKey(sent, ctx) }),
    }),
  ),
  {
    id: 'key-by-beginning',
    title: 'A key is right when it begins with the key',
    breaks: ['auth-extended-key-*'],
    override: compared((sent, key) => sent.startsWith(key)),
  },
  {
    id: 'key-by-end',
    title: 'A key is right when it ends with the key',
    breaks: ['auth-prefixed-key-*'],
    override: compared((sent, key) => sent.endsWith(key)),
  },
  {
    id: 'key-contained',
    title: 'A key is right when it contains the key',
    breaks: ['auth-extended-key-*', 'auth-prefixed-key-*', 'auth-key-inside-*'],
    override: compared((sent, key) => sent.includes(key)),
  },
  {
    id: 'key-between-others',
    title: 'A key is right when the key stands between other characters',
    breaks: ['auth-key-inside-*'],
    override: base => ({
      sameKey: (sent, key) => base.sameKey(sent, key) || sent.slice(1, -1) === key,
    }),
  },
  {
    id: 'key-cut',
    title: 'A key is right when the key begins with it',
    breaks: ['auth-cut-key-*'],
    override: compared((sent, key) => key.startsWith(sent)),
  },
  {
    id: 'key-tail',
    title: 'A key is right when the key ends with it',
    breaks: ['auth-tail-key-*'],
    override: compared((sent, key) => key.endsWith(sent)),
  },
  {
    id: 'key-by-length',
    title: 'A key is right when it is as long as the key',
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
    title: 'A key is compared without regard to case, as a database with such a collation does',
    breaks: ['auth-case-changed-key-*'],
    override: compared((sent, key) => sent.toLowerCase() === key.toLowerCase()),
  },
  {
    id: 'key-revoked-accepted',
    title: 'A revoked key still opens',
    breaks: ['auth-revoked-key-*'],
    override: base => ({ isKey: (sent, ctx) => ctx.keys.revoked.includes(sent) || base.isKey(sent, ctx) }),
  },
  {
    id: 'basic-accepted',
    title: 'The scheme Basic is as good as Bearer',
    breaks: ['auth-basic-scheme-*'],
    override: alsoFrom(ctx => /^Basic (.+)$/i.exec(header(ctx))?.[1]),
  },
  {
    id: 'basic-user-accepted',
    title: 'The key may come as the user name of Basic',
    breaks: ['auth-basic-user-*'],
    override: alsoFrom(ctx => {
      const [, credentials = ''] = /^Basic (.+)$/i.exec(header(ctx)) ?? []
      return Buffer.from(credentials, 'base64').toString().split(':')[0]
    }),
  },
  {
    id: 'any-scheme-accepted',
    title: 'Whatever stands before the key is overlooked',
    breaks: ['auth-basic-scheme-*'],
    override: alsoFrom(ctx => header(ctx).split(' ')[1]),
  },
  {
    id: 'bare-key-accepted',
    title: 'The key needs no scheme',
    breaks: ['auth-bare-key-*'],
    override: alsoFrom(ctx => header(ctx)),
  },
  {
    id: 'scheme-of-any-letters',
    title: 'Seven characters are cut off the header, whatever they are',
    breaks: ['auth-digest-scheme-*'],
    override: alsoFrom(ctx => header(ctx).slice(7)),
  },
  {
    id: 'scheme-by-its-end',
    title: 'The scheme need only end in Bearer',
    breaks: ['auth-longer-scheme-*'],
    override: alsoFrom(ctx => /Bearer (.+)$/.exec(header(ctx))?.[1]),
  },
  {
    id: 'scheme-by-its-beginning',
    title: 'A header that begins with Bearer is cut after it and trimmed',
    breaks: ['auth-joined-scheme-*'],
    override: alsoFrom(ctx => /^Bearer(.+)$/.exec(header(ctx))?.[1]?.trim()),
  },
  {
    id: 'last-word-accepted',
    title: 'The last word of the header is the key',
    breaks: ['auth-bare-key-*', 'auth-basic-scheme-*'],
    override: alsoFrom(ctx => header(ctx).split(' ').at(-1)),
  },
  {
    id: 'second-word-accepted',
    title: 'The second word of the header is the key, whatever comes after it',
    breaks: ['auth-followed-key-*'],
    override: base => ({ credential: ctx => base.credential(ctx)?.split(' ')[0] }),
  },
  {
    id: 'empty-bearer-accepted',
    title: 'Bearer without a key is let in',
    breaks: ['auth-empty-bearer-*'],
    override: base => ({
      authenticate: ctx => (/^Bearer\s*$/i.test(header(ctx)) ? undefined : base.authenticate(ctx)),
    }),
  },
  {
    id: 'query-key-accepted',
    title: 'The key may stand in the query',
    breaks: ['auth-query-key-*'],
    override: alsoFrom(ctx => ctx.url.searchParams.get('api_key')),
  },
  {
    id: 'query-access-token-accepted',
    title: 'The key may stand in the query as access_token (RFC 6750 §2.3)',
    breaks: ['auth-query-key-*'],
    override: alsoFrom(ctx => ctx.url.searchParams.get('access_token')),
  },
  {
    id: 'x-api-key-accepted',
    title: 'The key may come as X-API-Key',
    breaks: ['auth-x-api-key-*'],
    override: alsoFrom(ctx => ctx.headers.get('x-api-key')),
  },
  {
    id: 'connection-stays-open',
    title: 'A connection that has shown the key once need not show it again',
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
    title: 'On a connection that has shown the key, any other key will do',
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
    title: 'The scheme must be written Bearer',
    breaks: ['auth-scheme-case-*'],
    override: base => ({
      credential: ctx => (header(ctx).startsWith('Bearer ') ? base.credential(ctx) : undefined),
    }),
  },
]
