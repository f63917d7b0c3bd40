import { operations } from '../../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  breaking,
  type ClientConnection,
  type Context,
  emptyAnswer,
  type Fault,
  messageOf,
  type Override,
  only,
  type ServedOperation,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

const NAMED = 'named orders exist before the run, so no new one can appear during it'

/** Sends the body as one chunk, beside the Content-Length. */
const chunkedWithLength: Override = () => ({
  deliver: (answer, wire) => {
    const message = messageOf(answer).toString('latin1')
    const body = Buffer.from(answer.body ?? []).toString('latin1')
    const chunks = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const head = message.slice(0, message.length - body.length - 2)
    wire.raw(
      Buffer.from(`${head}${chunks && 'Transfer-Encoding: chunked\r\n'}\r\n${chunks}`, 'latin1'),
      'keep',
    )
  },
})

/** Answers 304 to a request for a list with this header. */
const notModified = (
  operation: ServedOperation,
  isMet: (ctx: Context) => boolean,
  header: readonly [name: string, value: string],
): Override =>
  answersChanged({ operation, status: 200 }, (answer, ctx) =>
    isMet(ctx) ? { status: 304, headers: [] } : withHeader(answer, ...header),
  )

const constantTag = (operation: ServedOperation): Override =>
  notModified(operation, ({ headers }) => headers.get('if-none-match') === '"1"', ['ETag', '"1"'])

const MODIFIED = 'Mon, 02 Nov 2020 10:00:00 GMT'

/** After a conditional request, a connection keeps showing the inventory of that time. */
const snapshot: Override = only('listInventory', base => {
  const snapshots = new WeakMap<ClientConnection, Answer | Promise<Answer>>()
  return {
    fromCache: (ctx, make) => {
      const answer = snapshots.get(ctx.connection) ?? base.fromCache(ctx, make)
      if (ctx.headers.has('if-none-match')) snapshots.set(ctx.connection, answer)
      return answer
    },
  }
})

/** Wrong answers to conditional requests, and connections that influence their requests. */
export const faults: readonly Fault[] = [
  ...breaking('conditional-list-inventory', {
    'etag-constant-inventory': [
      'The ETag of the inventory never changes, and requests with it are answered 304',
      constantTag('listInventory'),
      { needsSocket: true },
    ],
    'modified-constant-inventory': [
      'Last-Modified of the inventory never changes, and requests with it are answered 304',
      notModified('listInventory', ({ headers }) => headers.get('if-modified-since') === MODIFIED, [
        'Last-Modified',
        MODIFIED,
      ]),
      { needsSocket: true },
    ],
  }),
  ...breaking('conditional-list-orders', {
    'etag-constant-orders': [
      'The ETag of the order list never changes, and requests with it are answered 304',
      constantTag('listOrders'),
      { outOfReachWhenNamed: NAMED },
    ],
    'orders-cached-by-count': [
      'The order list is cached for as long as the number of orders stays the same',
      only('listOrders', base => {
        let cached: { readonly count: number; readonly answer: Answer | Promise<Answer> } | undefined
        return {
          selectOrders: orders => orders.filter(({ state }) => state !== 'cancelled'),
          fromCache: (ctx, make) => {
            const count = [...ctx.domain.orders.values()].filter(({ state }) => state !== 'cancelled').length
            if (cached?.count !== count) cached = { count, answer: base.fromCache(ctx, make) }
            return cached.answer
          },
        }
      }),
      { outOfReachWhenNamed: NAMED },
    ],
  }),
  ...breaking(['list-inventory-steady', 'conditional-list-inventory'], {
    'etag-of-length-inventory': [
      'The ETag of the inventory is its length, and requests with it are answered 304',
      answersChanged({ operation: 'listInventory', status: 200 }, (answer, { headers }) => {
        const tag = `"${answer.body?.length}"`
        return headers.get('if-none-match') === tag
          ? { status: 304, headers: [] }
          : withHeader(answer, 'ETag', tag)
      }),
    ],
    'etag-of-sum-inventory': [
      'The ETag of the inventory is the sum of its quantities, and requests with it are answered 304',
      answersChanged({ operation: 'listInventory', status: 200 }, (answer, { headers, domain }) => {
        const tag = `"${[...domain.stock.values()].reduce((sum, { quantity }) => sum + quantity, 0n)}"`
        return headers.get('if-none-match') === tag
          ? { status: 304, headers: [] }
          : withHeader(answer, 'ETag', tag)
      }),
    ],
    'connection-snapshot-inventory': [
      'After a conditional request, a connection keeps showing the inventory of that time',
      snapshot,
    ],
  }),
  ...breaking('auth-conditional', {
    'condition-before-key': [
      'A list request with If-None-Match is answered 304 before the key is checked',
      answersChanged({ status: 401 }, (answer, { headers }) =>
        headers.has('if-none-match') ? emptyAnswer(304) : answer,
      ),
    ],
  }),
  ...breaking('unread-body', {
    'unread-body-left': [
      'The body of a refused update stays on the connection and is taken for the next request',
      base => {
        const left = new WeakSet<ClientConnection>()
        const page = { status: 501, headers: [['Connection', 'close']] } as const
        return {
          operate: async ctx => {
            if (left.delete(ctx.connection)) return withBody(page, '<h1>Unsupported method</h1>')
            const answer = await base.operate(ctx)
            if (ctx.operation === 'updateInventory' && [401, 404].includes(answer.status))
              left.add(ctx.connection)
            return answer
          },
        }
      },
      { needsSocket: true },
    ],
  }),
  ...breaking('framing/listOrders', {
    'length-and-chunks': ['Responses have Content-Length beside Transfer-Encoding', chunkedWithLength],
  }),
  ...(['cancelOrder', 'listInventory', 'updateInventory'] as const).flatMap(operation =>
    breaking(`framing/${operation}`, {
      [`length-and-chunks-${operations[operation].slug}`]: [
        `Responses to ${operation} have Content-Length beside Transfer-Encoding`,
        only(operation, chunkedWithLength),
      ],
    }),
  ),
]
