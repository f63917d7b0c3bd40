import { operationIds, operations } from '../../support/interface/operations.ts'
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
  resultChanged,
  type ServedOperation,
  withBody,
  withHeader,
} from '../../support/reference/index.ts'

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

/** Answers 304 to a request for a list that has this validator in this header. */
const notModified = (
  operation: ServedOperation,
  validatorOf: (answer: Answer, ctx: Context) => string,
  [header, condition]: readonly [header: string, condition: string] = ['ETag', 'if-none-match'],
): Override =>
  answersChanged({ operation, status: 200 }, (answer, ctx) => {
    const validator = validatorOf(answer, ctx)
    const isMet = ctx.headers.get(condition) === validator
    return isMet ? { status: 304, headers: [] } : withHeader(answer, header, validator)
  })

const MODIFIED = 'Mon, 02 Nov 2020 10:00:00 GMT'

/** Closes the connection before the last two bytes of these lists. */
const cut =
  (operation: ServedOperation, least = 0): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      ctx.operation === operation && answer.status === 200 && (answer.body?.length ?? 0) >= least
        ? wire.raw(messageOf(answer).subarray(0, -2), 'close')
        : base.deliver(answer, wire, ctx),
  })

/** Wrong transfer, wrong answers to conditional requests, and connections that influence their requests. */
export const faults: readonly Fault[] = [
  ...breaking('conditional-list-inventory', {
    'etag-constant-inventory': ['The ETag never changes', notModified('listInventory', () => '"1"')],
    'modified-constant-inventory': [
      'Last-Modified of the inventory never changes',
      notModified('listInventory', () => MODIFIED, ['Last-Modified', 'if-modified-since']),
      { needsSocket: true },
    ],
  }),
  ...breaking('conditional-list-orders', {
    'etag-constant-orders': [
      'The ETag never changes',
      notModified('listOrders', () => '"1"'),
      { outOfReachWhenNamed: NAMED },
    ],
  }),
  ...breaking(['list-inventory-steady', 'conditional-list-inventory'], {
    'etag-of-length-inventory': [
      'The ETag of the inventory is its length',
      notModified('listInventory', ({ body }) => `"${body?.length}"`),
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
  ...operationIds.flatMap(id =>
    breaking(`framing/${id}`, {
      [`length-and-chunks-${operations[id].slug}`]: [
        `Responses to ${id} have Content-Length beside Transfer-Encoding`,
        only(id, chunkedWithLength),
      ],
    }),
  ),
  ...breaking(
    ['any-form/listOrders', 'any-form/cancelOrder', 'any-form/listInventory', 'any-form/updateInventory'],
    {
      'header-names-lower-case-only': [
        'The header authorization is not found if its name is in upper case',
        resultChanged('credential', (key, { headerNames }) =>
          headerNames.includes('AUTHORIZATION') ? undefined : key,
        ),
      ],
    },
  ),
  ...breaking('every-request-answered/listOrders', {
    'list-orders-breaks-off': ['listOrders closes the connection too early', cut('listOrders')],
  }),
  ...breaking('every-request-answered/listInventory', {
    'list-inventory-long-breaks-off': [
      'A list of listInventory that is longer than 32 KiB breaks off',
      cut('listInventory', 32_768),
      { outOfReachWhenNamed: 'the lists stay short' },
    ],
  }),
]
