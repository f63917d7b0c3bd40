import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import {
  answersChanged,
  authenticated,
  breaking,
  type ClientConnection,
  entryOf,
  type Fault,
  type Override,
  only,
  Refusal,
  type RequestContext,
  readInt64,
  resultChanged,
  withHeader,
} from '../../support/reference/index.ts'
import { OUT_OF_REACH_STALE } from '../fault-timing.ts'

const presented = ({ headers }: RequestContext): string => headers.get('authorization') ?? ''

/** Accepts such keys as well. */
const known = (isAccepted: (sent: string, key: string, ctx: RequestContext) => boolean): Override =>
  resultChanged('isKey', (isKey, sent, ctx) => isKey || isAccepted(sent, ctx.keys.valid, ctx))

/** Accepts the key as well where it is not presented as it should be. */
const found = (find: (ctx: RequestContext, presented: string) => string | null | undefined): Override =>
  resultChanged('credential', (key, ctx) => key ?? find(ctx, presented(ctx)) ?? undefined)

/** Accepts such headers without looking at the key. */
const unchecked =
  (isMet: (header: string) => boolean): Override =>
  base => ({ authenticate: ctx => (isMet(presented(ctx)) ? undefined : base.authenticate(ctx)) })

const decodedBasic = (text: string): string =>
  Buffer.from(/^Basic (.+)$/i.exec(text)?.[1] ?? '', 'base64').toString()

const bare = (text: string): string =>
  text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/[^A-Za-z0-9]/g, '')

const half = (key: string): number => Math.floor(key.length / 2)

/** Wrong credentials that are accepted, by the rule about them. */
const accepted: Readonly<Record<string, Override>> = {
  'unknown-key': known(() => true),
  'extended-key': known((sent, key) => sent.startsWith(key)),
  'prefixed-key': known((sent, key) => sent.endsWith(key)),
  'key-inside': known((sent, key) => sent.slice(1, -1) === key),
  'cut-key': known((sent, key) => sent.length > half(key) && key.startsWith(sent)),
  'tail-key': known((sent, key) => key.endsWith(sent)),
  'equal-length-key': known((sent, key) => sent.slice(0, -1) === key.slice(0, -1)),
  'case-changed-key': known((sent, key) => sent.toLowerCase() === key.toLowerCase()),
  'partial-key': known((sent, key) => sent.length === key.length && key.endsWith(sent.slice(half(key) + 1))),
  'placeholder-key': known(sent => /^(null|undefined|None|nil|NaN|0|""|\[.*\])$/.test(sent)),
  'odd-key': known(sent => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(sent)),
  'rewritten-key': known((sent, key) => bare(sent) === bare(key)),
  // Too long to be compared.
  'unusual-key': known(sent => sent.length > 2_000),
  'revoked-key': known((sent, _, { keys }) => keys.revoked.includes(sent)),
  'basic-scheme': found((_, sent) => sent.split(' ')[1]),
  'basic-user': found((_, sent) => decodedBasic(sent).split(':')[1]),
  'equal-length-scheme': found((_, sent) => sent.slice(7)),
  'longer-scheme': found((_, sent) => /Bearer (.+)$/.exec(sent)?.[1]),
  'joined-scheme': found((_, sent) => /^Bearer(.+)$/.exec(sent)?.[1]?.trim()),
  'bare-key': found((_, sent) => sent),
  'query-key': found(({ url }) => url.searchParams.get('access_token')),
  'x-api-key': found(({ headers }) => headers.get('x-api-key')),
  'followed-key': resultChanged('credential', key => key?.split(' ')[0]),
  // A single header may contain two credentials as well, of which the second is the API key.
  'two-headers': unchecked(sent => sent.includes(', Bearer never-issued')),
  'empty-bearer': unchecked(sent => /^Bearer\s*$/i.test(sent)),
}

/** The order that the path names. */
const orderIn = ({ segment, domain }: RequestContext) => domain.orders.get(readInt64(segment) ?? -1n)

/** Performs what a request that is refused asks for, without a look at the key. */
const performing = (status: number, methodOf: (ctx: RequestContext) => string | null): Override =>
  answersChanged({ operation: 'none', status }, (answer, ctx) => {
    const [method, path] = [methodOf(ctx), ctx.url.pathname.replace(/^\/v1/, '')]
    const asked = operationIds.find(id => {
      const named = operations[id].path.replace(/\{.*/, '')
      return operations[id].method === method && path.startsWith(named) && path.length > named.length
    })
    const segment = /[^/]*(?=\/?$)/.exec(path)?.[0] ?? ''
    return asked ? ctx.decide.operate({ ...authenticated(ctx), operation: asked, segment }) : answer
  })

/** A request with this method names the one that is performed without a key. */
const overriding = (sent: string, nameIn: (ctx: RequestContext) => string | null) =>
  [
    'auth-override',
    performing(405, ctx => (ctx.method === sent ? nameIn(ctx) : null)),
    { namedBreaks: ['auth-override/updateInventory'] },
  ] as const

const inHeader =
  (name: string) =>
  ({ headers }: RequestContext) =>
    headers.get(name)

/** Looks at this before the key. */
const looking = (operation: OperationId, look: (ctx: RequestContext) => unknown): Override =>
  answersChanged({ operation, status: 401 }, async (answer, ctx) => {
    await look(ctx)
    return answer
  })

/** @throws {Refusal} with this status if the condition is met */
const refuseIf = (isMet: boolean, status: number): void => {
  if (isMet) throw new Refusal(status)
}

const acting = async (ctx: RequestContext): Promise<unknown> =>
  Promise.resolve(ctx.decide.operate(authenticated(ctx))).catch(() => {})

/** Credentials that are accepted and should not be, the reverse, and what happens before the key is checked. */
export const faults: readonly Fault[] = [
  ...operationIds.flatMap(id =>
    breaking({
      [`open-${operations[id].slug}`]: [`auth-no-header/${id}`, only(id, () => ({ authenticate: () => {} }))],
      [`refuses-key-${operations[id].slug}`]: [
        `auth-valid-key/${id}`,
        only(id, () => ({ isKey: () => false })),
      ],
    }),
  ),
  ...Object.entries(accepted).flatMap(([rule, override]) =>
    breaking({ [`${rule}-accepted`]: [`auth-${rule}`, override] }),
  ),
  ...breaking({
    'override-header': overriding('POST', inHeader('x-http-method-override')),
    'override-x-http-method': overriding('POST', inHeader('x-http-method')),
    'override-x-method-override': overriding('POST', inHeader('x-method-override')),
    'override-query': overriding('POST', ({ url }) => url.searchParams.get('_method')),
    'override-in-get': overriding('GET', inHeader('x-http-method-override')),
    'key-not-ascii-dropped': [
      'auth-unusual-key',
      resultChanged('credential', key => key?.replace(/[^ -~]/g, '')),
    ],
    // After a request with the key, further requests on the connection need none.
    'connection-stays-open': [
      'auth-each-request',
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
    'scheme-in-one-case': [
      'auth-scheme-case',
      resultChanged('credential', (key, ctx) => (presented(ctx).startsWith('Bearer ') ? key : undefined)),
    ],
    'path-with-slash-open': [
      'auth-path-spelling',
      performing(404, ({ method, url }) => (/\/(orders|inventory)\/$/.test(url.pathname) ? method : null)),
    ],
    'order-path-with-slash-open': [
      'auth-401-no-effect/cancelOrder',
      performing(404, ({ method, url }) => (/\/orders\/[^/]+\/$/.test(url.pathname) ? method : null)),
      { outOfReachWhenNamed: 'a named order may have been cancelled before the run' },
    ],
    'looks-at-the-state-first': [
      'auth-before-state/cancelOrder',
      looking('cancelOrder', ctx => refuseIf(orderIn(ctx)?.state === 'shipped', 409)),
    ],
    'looks-order-up-first': [
      'auth-before-lookup/cancelOrder',
      looking('cancelOrder', ctx => refuseIf(!orderIn(ctx), 404)),
    ],
    'looks-pet-up-first': [
      'auth-before-lookup/updateInventory',
      looking('updateInventory', ({ domain, segment }) => refuseIf(!entryOf(domain, segment), 404)),
    ],
    'reads-body-first': [
      'auth-before-body/updateInventory',
      looking('updateInventory', async ctx => ctx.decide.readUpdate(await ctx.body(), ctx)),
    ],
    'refuses-and-acts-cancel-order': [
      'auth-401-no-effect/cancelOrder',
      looking('cancelOrder', acting),
      OUT_OF_REACH_STALE,
    ],
    'refuses-and-acts-update-inventory': [
      'auth-401-no-effect/updateInventory',
      looking('updateInventory', acting),
    ],
    'refuses-and-removes-order': [
      'auth-401-no-effect/cancelOrder',
      looking('cancelOrder', ctx => {
        const order = orderIn(ctx)
        if (order?.state === 'pending') ctx.domain.orders.delete(order.id)
      }),
    ],
    'key-echoed-in-header': [
      'auth-key-not-echoed',
      answersChanged({}, (answer, ctx) => withHeader(answer, 'X-Debug-Auth', presented(ctx) || 'none')),
    ],
  }),
]
