import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import {
  entryOf,
  Refusal,
  type RequestContext,
  readInt64,
  resultChanged,
  withHeader,
} from '../../support/reference/index.ts'
import { after } from './moments.ts'
import {
  answered,
  ask,
  changed,
  deciding,
  doing,
  headed,
  html,
  letIn,
  member,
  perform,
  type Row,
  rowsOf,
  unanswered,
} from './operators.ts'

const presented = ({ headers }: RequestContext): string => headers.get('authorization') ?? ''

/** What is presented instead of the key: after `Bearer`, the whole header, and the request. */
type IsAccepted = (sent: string, key: string, header: string, ctx: RequestContext) => boolean

/** Requests that are refused because of their key, although a wrong comparison would accept it. */
const presenting = (isAccepted: IsAccepted) =>
  ask(undefined, 401, ctx => {
    const header = presented(ctx)
    return isAccepted(/^Bearer +(.+)$/i.exec(header)?.[1] ?? '', ctx.keys.valid, header, ctx)
  })

const bare = (text: string): string =>
  text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/[^A-Za-z0-9]/g, '')

const half = (key: string): number => Math.floor(key.length / 2)

const decodedBasic = (header: string): string =>
  Buffer.from(/^Basic (.+)$/i.exec(header)?.[1] ?? '', 'base64').toString()

/** Wrong credentials that are accepted, by the rule about them. */
const accepted: Readonly<Record<string, IsAccepted>> = {
  'unknown-key': sent => sent !== '',
  'extended-key': (sent, key) => sent.startsWith(key),
  'prefixed-key': (sent, key) => sent.endsWith(key),
  'key-inside': (sent, key) => sent.slice(1, -1) === key,
  'cut-key': (sent, key) => sent.length > half(key) && key.startsWith(sent),
  'tail-key': (sent, key) => sent !== '' && key.endsWith(sent),
  'equal-length-key': (sent, key) => sent.slice(0, -1) === key.slice(0, -1),
  'case-changed-key': (sent, key) => sent.toLowerCase() === key.toLowerCase(),
  'partial-key': (sent, key) => sent.length === key.length && key.endsWith(sent.slice(half(key) + 1)),
  'placeholder-key': sent => /^(null|undefined|None|nil|NaN|0|""|\[.*\])$/.test(sent),
  'odd-key': sent => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(sent),
  'rewritten-key': (sent, key) => bare(sent) === bare(key),
  // Too long to be compared.
  'unusual-key': sent => sent.length > 2_000,
  'revoked-key': (sent, _key, _header, { keys }) => keys.revoked.includes(sent),
  'basic-scheme': (_, key, header) => header.split(' ')[1] === key,
  'basic-user': (_, key, header) => decodedBasic(header).split(':')[1] === key,
  'equal-length-scheme': (_, key, header) => header.slice(7) === key,
  'longer-scheme': (_, key, header) => header.endsWith(`Bearer ${key}`),
  'joined-scheme': (_, key, header) => header === `Bearer${key}`,
  'bare-key': (_, key, header) => header === key,
  'query-key': (_sent, key, _header, { url }) => url.searchParams.get('access_token') === key,
  'x-api-key': (_sent, key, _header, { headers }) => headers.get('x-api-key') === key,
  'followed-key': (sent, key) => sent.split(' ')[0] === key,
  // A single header may contain two credentials as well, of which the second is the API key.
  'two-headers': (_sent, _key, header) => header.includes(', Bearer never-issued'),
  'empty-bearer': (_sent, _key, header) => /^Bearer\s*$/i.test(header),
}

const any = ask()
const keyless = ask(undefined, 401)
const noKey = presenting((_sent, _key, header) => header === '')
const wrongKey = presenting((_sent, _key, header) => header !== '')
const oddKey = presenting(sent => /[^ -~]/.test(sent))
const asLong = presenting((sent, key) => sent.length === key.length && /[^ -~]/.test(sent))
const withoutAscii = presenting((sent, key) => sent.replace(/[^ -~]/g, '') === key)
const lowerCase = ask(undefined, undefined, ctx => presented(ctx).startsWith('bearer '))

/** The order that the path names. */
const orderIn = ({ segment, domain }: RequestContext) => domain.orders.get(readInt64(segment) ?? -1n)

/** Performs what a request that is refused asks for, without a look at the key. */
const performing = (methodOf: (ctx: RequestContext) => string | null) =>
  changed((answer, ctx) => {
    const [method, path] = [methodOf(ctx), ctx.url.pathname.replace(/^\/v1/, '')]
    const asked = operationIds.find(id => {
      const named = operations[id].path.replace(/\{.*/, '')
      return operations[id].method === method && path.startsWith(named) && path.length > named.length
    })
    const segment = /[^/]*(?=\/?$)/.exec(path)?.[0] ?? ''
    return asked ? perform(ctx, { operation: asked, segment }) : answer
  })

/** A request with this method names the one that is performed without a key. */
const overriding = (sent: string, nameIn: (ctx: RequestContext) => string | null): Row => [
  ask(undefined, 405, ({ operation, method }) => operation === 'none' && method === sent),
  'auth-override',
  performing(nameIn),
  { namedBreaks: ['auth-override/updateInventory'] },
]

const inHeader =
  (name: string) =>
  ({ headers }: RequestContext) =>
    headers.get(name)

/** Finds what a path with a slash at its end names. */
const withSlash = (paths: RegExp): Row[0] =>
  ask(undefined, 404, ({ operation, url }) => operation === 'none' && paths.test(url.pathname))

const withParameter = ask('cancelOrder', 401, ({ segment }) => segment.includes(';'))
const ignored = changed((_, ctx) => perform(ctx, { segment: ctx.segment.replace(/;.*/, '') }))
const asIs = performing(({ method }) => method)

/** The request is refused, and has its effect. */
const acting = doing(ctx => perform(ctx).catch(() => {}))

/** Refuses the request for another reason than the key. */
const refused = (status: number) =>
  doing(() => {
    throw new Refusal(status)
  })

const removed = doing(ctx => {
  const order = orderIn(ctx)
  if (order?.state === 'pending') ctx.domain.orders.delete(order.id)
})

const keylessCancel = ask('cancelOrder', 401)
const keylessUpdate = ask('updateInventory', 401)
const ofShipped = ask('cancelOrder', 401, ctx => orderIn(ctx)?.state === 'shipped')
const ofNoOrder = ask('cancelOrder', 401, ctx => !orderIn(ctx))
const ofNoPet = ask('updateInventory', 401, ({ domain, segment }) => !entryOf(domain, segment))
const ofInvalid = ask('updateInventory', 401, async ({ body }) => Buffer.from(await body()).includes('many'))

const echo = changed((answer, ctx) => withHeader(answer, 'X-Debug-Auth', presented(ctx) || 'none'))
const basic = headed('WWW-Authenticate', 'Basic realm="store"')
const onceAccepted = { when: after((_, { status }) => status === 200, 'connection') }

const STALE = { outOfReachWhenNamed: 'a named order may have been cancelled since, so a 409 proves nothing' }
const NO_EFFECT = 'auth-401-no-effect/cancelOrder'
const BEFORE = { outOfReachWhenNamed: 'a named order may have been cancelled before the run' }

const refusingKey = (operation: OperationId) =>
  deciding(resultChanged('isKey', (isKey, _, ctx) => isKey && ctx.operation !== operation))

/** Credentials that are accepted and should not be, the reverse, wrong refusals, and what happens before the key is checked. */
export const faults = rowsOf({
  ...Object.fromEntries(
    operationIds.flatMap((id): [string, Row][] => [
      [`open-${operations[id].slug}`, [ask(id, 401), `auth-no-header/${id}`, letIn]],
      [`refuses-key-${operations[id].slug}`, [any, `auth-valid-key/${id}`, refusingKey(id)]],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(accepted).map(([rule, isAccepted]): [string, Row] => [
      `${rule}-accepted`,
      [presenting(isAccepted), `auth-${rule}`, letIn],
    ]),
  ),
  'key-of-every-object': [presenting(sent => sent in {}), 'auth-odd-key', letIn],
  'key-first-in-a-list': [presenting((sent, key) => sent.split(',')[0] === key), 'auth-rewritten-key', letIn],
  'key-not-ascii-dropped': [withoutAscii, 'auth-unusual-key', letIn],
  'connection-stays-open': [keyless, 'auth-each-request', letIn, onceAccepted],
  'scheme-in-one-case': [lowerCase, 'auth-scheme-case', answered(401)],

  'refusal-dropped': [keyless, 'every-request-answered', unanswered],
  'odd-key-dropped': [oddKey, 'every-request-answered', unanswered],
  'key-not-ascii-500': [asLong, 'auth-unusual-key', answered(500)],
  'basic-challenge': [keyless, 'auth-www-authenticate', basic],
  'missing-key-html': [noKey, 'auth-401-content-type', html],
  'wrong-key-without-code': [wrongKey, 'auth-401-error-body', member('code')],
  'key-echoed-in-header': [any, 'auth-key-not-echoed', echo],

  'override-header': overriding('POST', inHeader('x-http-method-override')),
  'override-x-http-method': overriding('POST', inHeader('x-http-method')),
  'override-x-method-override': overriding('POST', inHeader('x-method-override')),
  'override-query': overriding('POST', ({ url }) => url.searchParams.get('_method')),
  'override-in-get': overriding('GET', inHeader('x-http-method-override')),
  'path-with-slash-open': [withSlash(/\/(orders|inventory)\/$/), 'auth-path-spelling', asIs],
  'order-path-with-slash-open': [withSlash(/\/orders\/[^/]+\/$/), NO_EFFECT, asIs, BEFORE],
  'order-path-with-parameter-open': [withParameter, NO_EFFECT, ignored, BEFORE],
  'looks-at-the-state-first': [ofShipped, 'auth-before-state/cancelOrder', refused(409)],
  'looks-order-up-first': [ofNoOrder, 'auth-before-lookup/cancelOrder', refused(404)],
  'looks-pet-up-first': [ofNoPet, 'auth-before-lookup/updateInventory', refused(404)],
  'reads-body-first': [ofInvalid, 'auth-before-body/updateInventory', refused(400)],
  'refuses-and-acts-cancel-order': [keylessCancel, NO_EFFECT, acting, STALE],
  'refuses-and-acts-update-inventory': [keylessUpdate, 'auth-401-no-effect/updateInventory', acting],
  'refuses-and-removes-order': [keylessCancel, NO_EFFECT, removed],
})
