import { operationIds, operations } from '../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  breaking,
  type ClientConnection,
  emptyAnswer,
  type Fault,
  messageOf,
  type Override,
  only,
  type RequestContext,
  resultChanged,
  type ServedOperation,
  withBody,
  withHeader,
} from '../../support/reference/index.ts'

/** Sends the body as one chunk, beside the Content-Length. */
const chunkedWithLength: Override = () => ({
  deliver: (answer, wire) => {
    const { body = Buffer.of(), headers } = answer
    const length = String(body.length)
    const chunk = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]
    const chunked = {
      ...answer,
      headers: [...headers, ['Content-Length', length], ['Transfer-Encoding', 'chunked']] as const,
      body: Buffer.concat(chunk),
    }
    wire.raw(messageOf(body.length > 0 ? chunked : answer), 'keep')
  },
})

/** Answers 304 to a request for a list that has this validator in this header. */
const notModified = (
  operation: ServedOperation,
  validatorOf: (answer: Answer, ctx: RequestContext) => string,
  [header, condition]: readonly [header: string, condition: string] = ['ETag', 'if-none-match'],
): Override =>
  answersChanged({ operation, status: 200 }, (answer, ctx) => {
    const validator = validatorOf(answer, ctx)
    const isMet = ctx.headers.get(condition) === validator
    return isMet ? emptyAnswer(304) : withHeader(answer, header, validator)
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
  ...operationIds.flatMap(id =>
    breaking({
      [`length-and-chunks-${operations[id].slug}`]: [`framing/${id}`, only(id, chunkedWithLength)],
    }),
  ),
  ...breaking({
    'etag-constant-inventory': ['conditional-list-inventory', notModified('listInventory', () => '"1"')],
    'modified-constant-inventory': [
      'conditional-list-inventory',
      notModified('listInventory', () => MODIFIED, ['Last-Modified', 'if-modified-since']),
      { needsSocket: true },
    ],
    'etag-constant-orders': [
      'conditional-list-orders',
      notModified('listOrders', () => '"1"'),
      { outOfReachWhenNamed: 'named orders exist before the run, so no new one can appear during it' },
    ],
    'etag-of-length-inventory': [
      ['list-inventory-steady', 'conditional-list-inventory'],
      notModified('listInventory', ({ body }) => `"${body?.length}"`),
    ],
    'condition-before-key': [
      'auth-conditional',
      answersChanged({ status: 401 }, (answer, { headers }) =>
        headers.has('if-none-match') ? emptyAnswer(304) : answer,
      ),
    ],
    // The body of a refused update stays on the connection and is taken for the next request.
    'unread-body-left': [
      'unread-body',
      base => {
        const left = new WeakSet<ClientConnection>()
        const page = { status: 501, headers: [['Connection', 'close']] } as const
        return {
          operate: ctx =>
            left.delete(ctx.connection) ? withBody(page, '<h1>Unsupported method</h1>') : base.operate(ctx),
          finish: (answer, ctx) => {
            if (ctx.operation === 'updateInventory' && [401, 404].includes(answer.status))
              left.add(ctx.connection)
            return base.finish(answer, ctx)
          },
        }
      },
      { needsSocket: true },
    ],
    'header-names-lower-case-only': [
      operationIds.map(id => `any-form/${id}`),
      resultChanged('credential', (key, { headerNames }) =>
        headerNames.includes('AUTHORIZATION') ? undefined : key,
      ),
    ],
    'list-orders-breaks-off': ['every-request-answered/listOrders', cut('listOrders')],
    'list-inventory-long-breaks-off': [
      'every-request-answered/listInventory',
      cut('listInventory', 32_768),
      { outOfReachWhenNamed: 'the lists stay short' },
    ],
  }),
]
