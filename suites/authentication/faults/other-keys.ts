import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  answersChanged,
  type Context,
  type Fault,
  type Override,
  Refusal,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'

const sent = ({ headers }: Context): string => headers.get('authorization') ?? ''

const alsoAccepted =
  (isAccepted: (sent: string, key: string) => boolean): Override =>
  base => ({ isKey: (key, ctx) => base.isKey(key, ctx) || isAccepted(key, ctx.keys.valid) })

const refusedWith =
  (status: number, isMet: (ctx: Context) => boolean): Override =>
  base => ({
    authenticate: ctx => {
      if (isMet(ctx)) throw new Refusal({ status, code: 'refused', message: 'The header is not readable.' })
      return base.authenticate(ctx)
    },
  })

/** Wrong handling of unusual keys, of two headers, and of Accept in a request without a key. */
export const faults: readonly Fault[] = [
  {
    id: 'placeholder-keys-accepted',
    title: 'The key of a client that was not configured is accepted: null, undefined, None …',
    breaks: ['auth-placeholder-key-*'],
    override: alsoAccepted(key => /^(null|undefined|None|nil|NaN|0|""|\[object Object\])$/.test(key)),
  },
  {
    id: 'undefined-key-accepted',
    title: 'The key undefined is accepted, as by a server whose own key is not configured',
    breaks: ['auth-placeholder-key-cancel-order', 'auth-placeholder-key-list-inventory'],
    override: alsoAccepted(key => key === 'undefined'),
  },
  {
    id: 'placeholder-keys-500',
    title: 'The keys null and None are answered 500',
    breaks: ['auth-placeholder-key-list-orders', 'auth-placeholder-key-update-inventory'],
    override: refusedWith(500, ctx => /^Bearer (null|None)$/.test(sent(ctx))),
  },
  {
    id: 'unsigned-token-accepted',
    title: 'An unsigned JWT is accepted',
    breaks: ['auth-odd-key-list-orders', 'auth-odd-key-update-inventory'],
    override: alsoAccepted(key => /^[\w-]+\.[\w-]+\.$/.test(key)),
  },
  {
    id: 'signed-token-accepted',
    title: 'A JWT is accepted without a check of its signature',
    breaks: ['auth-odd-key-cancel-order', 'auth-odd-key-list-inventory'],
    override: alsoAccepted(key => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key)),
  },
  {
    id: 'quotes-in-key-accepted',
    title: 'The key is part of a database query, so that quotes in it match any key',
    breaks: ['auth-odd-key-cancel-order', 'auth-odd-key-list-inventory'],
    override: alsoAccepted(key => key.includes("' OR '")),
  },
  {
    id: 'quotes-in-key-500',
    title: 'A key with quotes is answered 500',
    breaks: ['auth-odd-key-cancel-order', 'auth-odd-key-list-inventory'],
    override: refusedWith(500, ctx => /'/.test(sent(ctx))),
  },
  {
    id: 'short-key-500',
    title: 'A key of one letter is answered 500',
    breaks: ['auth-odd-key-list-orders', 'auth-odd-key-update-inventory'],
    override: refusedWith(500, ctx => /^Bearer [a-z]$/.test(sent(ctx))),
  },
  {
    id: 'key-by-last-characters',
    title: 'Only the last 8 characters of a key are compared',
    breaks: ['auth-prefixed-key-*'],
    override: alsoAccepted((key, valid) => key.endsWith(valid.slice(-8)) && key.length > valid.length),
  },
  {
    id: 'key-by-end-of-equal-length',
    title: 'Only the second half of a key is compared, and its length',
    breaks: ['auth-partial-key-*'],
    override: alsoAccepted((key, valid) => {
      const half = Math.floor(valid.length / 2) + 1
      return key.length === valid.length && key.slice(half) === valid.slice(half)
    }),
  },
  {
    id: 'key-by-both-ends',
    title: 'Only the first 4 and the last 4 characters of a key are compared',
    breaks: ['auth-partial-key-cancel-order', 'auth-partial-key-list-inventory'],
    override: alsoAccepted(
      (key, valid) =>
        key.length === valid.length &&
        key.slice(0, 4) === valid.slice(0, 4) &&
        key.slice(-4) === valid.slice(-4),
    ),
  },
  {
    id: 'half-key-accepted',
    title: 'The first half of the key is accepted',
    breaks: ['auth-partial-key-list-orders', 'auth-partial-key-update-inventory'],
    override: alsoAccepted((key, valid) => key === valid.slice(0, Math.floor(valid.length / 2))),
  },
  {
    id: 'long-key-500',
    title: 'A key of more than 2,000 characters is answered 500',
    breaks: ['auth-unusual-key-*'],
    override: refusedWith(500, ctx => sent(ctx).length > 2_000),
  },
  {
    id: 'long-key-accepted',
    title: 'A key that is too long to be compared is accepted',
    breaks: ['auth-unusual-key-*'],
    override: alsoAccepted(key => key.length > 2_000),
  },
  {
    id: 'key-not-ascii-500',
    title: 'A key that is not ASCII is answered 500',
    breaks: ['auth-unusual-key-*'],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    override: refusedWith(500, ctx => /[^\x00-\x7f]/.test(sent(ctx))),
  },
  ...operationIds.map(
    (id): Fault => ({
      id: `two-headers-accepted-${operations[id].slug}`,
      title: `${id} accepts a request with two Authorization headers`,
      breaks: [`auth-two-headers-${operations[id].slug}`],
      override: base => ({
        authenticate: ctx =>
          ctx.operation === id && sent(ctx).includes(', Bearer') ? undefined : base.authenticate(ctx),
      }),
    }),
  ),
  {
    id: 'two-headers-500',
    title: 'Two Authorization headers are answered 500',
    breaks: ['auth-two-headers-*'],
    override: refusedWith(500, ctx => sent(ctx).includes(', Bearer')),
  },
  {
    id: 'rejection-html-for-browsers',
    title: 'A 401 is an HTML page if Accept prefers HTML',
    breaks: ['auth-no-header-*-any-request'],
    override: answersChanged({ status: 401 }, (answer, { headers }) =>
      headers.get('accept')?.startsWith('text/html')
        ? withHeader(withBody(answer, '<h1>Unauthorized</h1>'), 'Content-Type', 'text/html')
        : answer,
    ),
  },
  {
    id: 'rejection-406-without-json',
    title: 'A request without a key is answered 406 unless Accept names application/json',
    breaks: ['auth-no-header-*-any-request'],
    override: answersChanged({ status: 401 }, (answer, { headers }) =>
      headers.get('accept')?.includes('application/json') ? answer : withStatus(answer, 406),
    ),
  },
]
