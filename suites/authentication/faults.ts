import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import {
  answersChanged,
  authenticated,
  breaking,
  type CheckName,
  type ClientConnection,
  type Context,
  type Fault,
  type Override,
  only,
  resultChanged,
  withHeader,
} from '../../support/reference/index.ts'
import { OUT_OF_REACH_STALE } from '../fault-timing.ts'

const header = ({ headers }: Context, name: string): string | null => headers.get(name)

const presented = (ctx: Context): string => header(ctx, 'authorization') ?? ''

const mapped = <From, To>(all: Readonly<Record<string, From>>, map: (each: From) => To) =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => [name, map(each)]))

/** Accepts such requests without looking at the key. */
const unchecked =
  (isMet: (header: string) => boolean): Override =>
  base => ({ authenticate: ctx => (isMet(presented(ctx)) ? undefined : base.authenticate(ctx)) })

const passwordIn = (text: string): string | undefined =>
  Buffer.from(/^Basic (.+)$/i.exec(text)?.[1] ?? '', 'base64')
    .toString()
    .split(':')[1]

const bare = (text: string): string =>
  text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/[^A-Za-z0-9]/g, '')

const half = (key: string): number => Math.floor(key.length / 2)

/** Wrong keys that are accepted, by the rule about them. */
const keys: Readonly<Record<string, (sent: string, key: string) => boolean>> = {
  'unknown-key': () => true,
  'extended-key': (sent, key) => sent.startsWith(key),
  'prefixed-key': (sent, key) => sent.endsWith(key),
  'key-inside': (sent, key) => sent.slice(1, -1) === key,
  'cut-key': (sent, key) => sent.length > half(key) && key.startsWith(sent),
  'tail-key': (sent, key) => key.endsWith(sent),
  'equal-length-key': (sent, key) => sent.slice(0, -1) === key.slice(0, -1),
  'case-changed-key': (sent, key) => sent.toLowerCase() === key.toLowerCase(),
  'partial-key': (sent, key) => sent.length === key.length && key.endsWith(sent.slice(half(key) + 1)),
  'placeholder-key': sent => /^(null|undefined|None|nil|NaN|0|""|\[.*\])$/.test(sent),
  'odd-key': sent => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(sent),
  'rewritten-key': (sent, key) => bare(sent) === bare(key),
  // Too long to be compared.
  'unusual-key': sent => sent.length > 2_000,
}

/** Where the key is accepted although it is not presented as it should be. */
const places: Readonly<Record<string, (ctx: Context) => string | null | undefined>> = {
  'basic-scheme': ctx => presented(ctx).split(' ')[1],
  'basic-user': ctx => passwordIn(presented(ctx)),
  'equal-length-scheme': ctx => presented(ctx).slice(7),
  'longer-scheme': ctx => /Bearer (.+)$/.exec(presented(ctx))?.[1],
  'joined-scheme': ctx => /^Bearer(.+)$/.exec(presented(ctx))?.[1]?.trim(),
  'bare-key': presented,
  'query-key': ({ url }) => url.searchParams.get('access_token'),
  'x-api-key': ctx => header(ctx, 'x-api-key'),
}

const accepted: Readonly<Record<string, Override>> = {
  ...mapped(keys, isAccepted =>
    resultChanged('isKey', (isKey, sent, ctx) => isKey || isAccepted(sent, ctx.keys.valid)),
  ),
  ...mapped(places, find => resultChanged('credential', (key, ctx) => key ?? find(ctx) ?? undefined)),
  'revoked-key': resultChanged('isKey', (isKey, sent, ctx) => isKey || ctx.keys.revoked.includes(sent)),
  'followed-key': resultChanged('credential', key => key?.split(' ')[0]),
  // A single header may contain two credentials as well, of which the second is the API key.
  'two-headers': unchecked(sent => sent.includes(', Bearer never-issued')),
  'empty-bearer': unchecked(sent => /^Bearer\s*$/i.test(sent)),
}

/** The order that the path names, if it is in this state. */
const orderIn = ({ segment, domain }: Context, state: string) => {
  const order = /^-?[0-9]+$/.test(segment) ? domain.orders.get(BigInt(segment)) : undefined
  return order?.state === state ? order : undefined
}

/** Performs what a request that is refused asks for, without a look at the key. */
const performing = (status: number, methodOf: (ctx: Context) => string | null): Override =>
  answersChanged({ operation: 'none', status }, (answer, ctx) => {
    const [method, path] = [methodOf(ctx), ctx.url.pathname.replace(/^\/v1/, '')]
    const found = operationIds.find(id => {
      const named = operations[id].path.replace(/\{.*/, '')
      return operations[id].method === method && path.startsWith(named) && path.length > named.length
    })
    return found ? ctx.decide.operate({ ...authenticated(ctx), operation: found }) : answer
  })

/** How a request that is sent with another method names the method that is performed without a key. */
const overridden: Readonly<Record<string, readonly [sent: string, name: (ctx: Context) => string | null]>> = {
  'override-header': ['POST', ctx => header(ctx, 'x-http-method-override')],
  'override-x-http-method': ['POST', ctx => header(ctx, 'x-http-method')],
  'override-x-method-override': ['POST', ctx => header(ctx, 'x-method-override')],
  'override-query': ['POST', ({ url }) => url.searchParams.get('_method')],
  'override-in-get': ['GET', ctx => header(ctx, 'x-http-method-override')],
}

/** Makes this check before the others. */
const first = (operation: OperationId, check: CheckName): Override =>
  only(operation, base => ({
    checks: ctx => [check, ...base.checks(ctx).filter(each => each !== check)],
  }))

/** Credentials that are accepted and should not be, the reverse, and what happens before the key is checked. */
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
  ...Object.entries(accepted).flatMap(([rule, override]) =>
    breaking(`auth-${rule}`, {
      [`${rule}-accepted`]: [`A wrong credential is accepted: ${rule.replaceAll('-', ' ')}`, override],
    }),
  ),
  ...Object.entries(overridden).flatMap(([id, [sent, name]]) =>
    breaking('auth-override', {
      [id]: [
        `A ${sent} names the method that is performed without a key: ${id}`,
        performing(405, ctx => (ctx.method === sent ? name(ctx) : null)),
        { namedBreaks: ['auth-override/updateInventory'] },
      ],
    }),
  ),
  ...breaking('auth-unusual-key', {
    'key-not-ascii-dropped': [
      'Characters of a key that are not ASCII are dropped',
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
      resultChanged('credential', (key, ctx) => (presented(ctx).startsWith('Bearer ') ? key : undefined)),
    ],
  }),
  ...breaking('auth-path-spelling', {
    'path-with-slash-open': [
      'A list needs no key if its path ends with a slash',
      performing(404, ({ method, url }) => (/\/(orders|inventory)\/$/.test(url.pathname) ? method : null)),
    ],
  }),
  ...breaking('auth-before-state/cancelOrder', {
    'looks-at-the-state-first': [
      'A cancellation of a shipped order is answered 409 before the key is checked',
      answersChanged({ operation: 'cancelOrder', status: 401 }, (answer, ctx) =>
        orderIn(ctx, 'shipped') ? { ...answer, status: 409 } : answer,
      ),
    ],
  }),
  ...breaking('auth-before-lookup/cancelOrder', {
    'looks-order-up-first': ['The order is looked up before the key', first('cancelOrder', 'lookup')],
  }),
  ...breaking('auth-before-lookup/updateInventory', {
    'looks-pet-up-first': ['The pet is looked up before the key', first('updateInventory', 'lookup')],
  }),
  ...breaking('auth-before-body/updateInventory', {
    'reads-body-first': ['The body is validated before the key', first('updateInventory', 'body')],
  }),
  ...(['cancelOrder', 'updateInventory'] as const).flatMap(id =>
    breaking(`auth-401-no-effect/${id}`, {
      [`refuses-and-acts-${operations[id].slug}`]: [
        `${id} answers 401 and performs the request nevertheless`,
        answersChanged({ operation: id, status: 401 }, async (answer, ctx) => {
          await Promise.resolve(ctx.decide.operate(authenticated(ctx))).catch(() => {})
          return answer
        }),
        id === 'cancelOrder' ? OUT_OF_REACH_STALE : {},
      ],
    }),
  ),
  ...breaking('auth-401-no-effect/cancelOrder', {
    'refuses-and-removes-order': [
      'cancelOrder answers 401, and removes the pending order nevertheless',
      answersChanged({ operation: 'cancelOrder', status: 401 }, (answer, ctx) => {
        const order = orderIn(ctx, 'pending')
        if (order) ctx.domain.orders.delete(order.id)
        return answer
      }),
    ],
  }),
  ...breaking('auth-key-not-echoed', {
    'key-echoed-in-header': [
      'Every response has a header with the Authorization header of the request',
      answersChanged({}, (answer, ctx) => withHeader(answer, 'X-Debug-Auth', presented(ctx) || 'none')),
    ],
  }),
]
